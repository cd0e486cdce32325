// SPDX-License-Identifier: Apache-2.0
// Speed of PSC (M1) on poisson2d-q1 without refinement, blocks in the device's memory:
//   bench_psc_speed cpu|cuda [SIZE:H0...] [k=K...] [precision=NAME...] [form=stored|paper]
// by default 256:1/16 512:1/16 (cpu 512:1/8) 1024:1/16, k = 1, 16, 256, 4096 (cpu: to 256) and in double, tf32, half,
// bfloat (cpu: single, half). Operations are those of the dense products, counted exactly; gemm is a large product in
// the same precision, measured in the same run. MDof/s: millions of unknowns times right-hand sides per second. L2:
// relative error to sin πx sin πy, of the first column; the others are random. At most 1024 columns are solved at once.
// setup: seconds until the first solution could begin, everything included.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "analysis/pde/finite_elements.hpp"
#include "analysis/pde/problems.hpp"
#include "benchmarks/psc_speed.hpp"
#include "engines/psc/choose_level.hpp"
#include "engines/psc/gemm_cpu.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace gridiron::bench {
std::vector<PscSpeed> psc_speed_on_cpu(const PscCase& what) { return psc_speed_on<CpuDevice>(what, 2048); }
}  // namespace gridiron::bench

namespace {

struct Wanted {
  bool on_cuda = false;
  std::vector<std::pair<int64_t, std::string>> meshes;  ///< elements per side, h0
  std::vector<int64_t> columns;
  std::vector<std::string> precisions;
  std::string form = "stored";
};

Wanted parse(int argc, char** argv) {
  Wanted wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto after = [&](std::string_view key) { return word.substr(key.size()); };
    if (word == "cpu" || word == "cuda")
      wanted.on_cuda = word == "cuda";
    else if (word.starts_with("k="))
      wanted.columns.push_back(std::stoll(after("k=")));
    else if (word.starts_with("precision="))
      wanted.precisions.push_back(after("precision="));
    else if (word.starts_with("form="))
      wanted.form = after("form=");
    else if (const auto colon = word.find(':'); colon != std::string::npos)
      wanted.meshes.emplace_back(std::stoll(word.substr(0, colon)), word.substr(colon + 1));
    else
      throw InputError(fmt::format("{:?}: expected cpu, cuda, SIZE:H0, k=K, precision=NAME or form=NAME", word));
  }
  if (wanted.meshes.empty())
    wanted.meshes = wanted.on_cuda ? decltype(wanted.meshes){{256, "1/16"}, {512, "1/16"}, {1024, "1/16"}}
                                   : decltype(wanted.meshes){{256, "1/16"}, {512, "1/8"}};
  if (wanted.columns.empty())
    wanted.columns = wanted.on_cuda ? std::vector<int64_t>{1, 16, 256, 4096} : std::vector<int64_t>{1, 16, 256};
  if (wanted.precisions.empty())
    wanted.precisions = wanted.on_cuda ? std::vector<std::string>{"double", "tf32", "half", "bfloat"}
                                       : std::vector<std::string>{"single", "half"};
  return wanted;
}

void run(const Wanted& wanted) {
  fmt::print("{:>6} {:>6} {:>9} {:>6} {:>11} {:>10} {:>8} {:>11} {:>11} {:>8}\n", "1/h", "h0", "precision", "k", "ms",
             "TFLOP/s", "of gemm", "MDof/s", "L2", "setup");
  for (const auto& [size, h0] : wanted.meshes) {
    PdeChoices choices;
    choices.size = size;
    const FemModel model = make_fem_model(find_pde_problem("poisson2d-q1"), choices);
    bench::PscCase what;
    what.params.method = "m1";
    what.params.form = wanted.form;
    what.params.h0 = h0;
    what.mesh = model.mesh.get();
    what.level = psc::choose_level(*model.mesh, what.params, INFINITY).level;
    what.b = right_hand_side(model);
    what.columns = wanted.columns;
    for (const std::string& precision : wanted.precisions) {
      what.params.precision = precision;
      const auto rows = wanted.on_cuda ? bench::psc_speed_on_cuda(what) : bench::psc_speed_on_cpu(what);
      for (size_t r = 0; r < rows.size(); ++r) {
        const bench::PscSpeed& row = rows[r];
        const double rate = row.flops / row.seconds,
                     dofs = static_cast<double>(what.b.size()) * static_cast<double>(what.columns[r]);
        fmt::print("{:>6} {:>6} {:>9} {:>6} {:>11.3f} {:>10.3f} {:>7.1f}% {:>11.1f} {:>11.4e} {:>8.2f}\n", size, h0,
                   precision, wanted.columns[r], 1e3 * row.seconds, 1e-12 * rate, 100 * rate / row.gemm_flops_per_s,
                   1e-6 * dofs / row.seconds, error_against_exact(model, row.first).l2, row.setup_seconds);
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const Error& error) {
    fmt::print(stderr, "bench_psc_speed: {}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::logic_error&) {
    fmt::print(stderr, "bench_psc_speed: expected numbers after k= and before :\n");
    return 2;
  }
}
