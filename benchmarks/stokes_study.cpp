// SPDX-License-Identifier: Apache-2.0
// The tables of the Stokes paper (Spies, Olson, MacLachlan 2024), ours beside theirs:
//   bench_stokes DEVICE OUT_DIR [solves] [convergence] [kernels] [parameters] [once] [SIZE...]
// solves: iterations, times and memory of stokes2d for every relaxation and preconditioner to 1e-8; convergence:
// convergence.png of the last size; kernels: a study of the kernels on the last size, with roofline.png; all three
// unless some are named. parameters: a search on the CPU, with parameters.csv and parameters.png. once: every kernel of
// the last size runs once, for a profiler. Times are medians of three solves after a warm-up; processor time of one
// thread on the CPU; vectors travel to and from a GPU within them.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analysis/papers/stokes_counts.hpp"
#include "analysis/pde/problems.hpp"
#include "benchmarks/copy_rate.hpp"
#include "benchmarks/stokes_kernel_study.hpp"
#include "benchmarks/stokes_parameters.hpp"
#include "device/cpu_device.hpp"
#include "engines/engine.hpp"
#include "engines/stokes_matrix.hpp"
#include "reports/pictures/chart.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

using namespace gridiron;

namespace {

struct Variant {
  std::string name;
  Settings settings;
  std::string paper;  ///< what the paper says
};

const Variant kVariants[] = {
    {"Vanka V(1,1)", {{"relaxation", "vanka"}, {"pre", "1"}, {"post", "1"}}, "one iteration fewer than Braess-Sarazin"},
    {"Braess-Sarazin, one sweep, V(1,1)",
     {{"schur_sweeps", "1"},
      {"schur_scale", "0.92"},
      {"schur_weight", "0.85"},
      {"schur_jacobi", "0.82"},
      {"pre", "1"},
      {"post", "1"}},
     "CPU: half the time of Vanka; GPU: 10 to 20 % more"},
    {"Braess-Sarazin, three sweeps, V(1,1)", {{"pre", "1"}, {"post", "1"}}, "-"},
    {"Schur-Uzawa V(1,1)",
     {{"relaxation", "schur-uzawa"}, {"restart", "100"}, {"pre", "1"}, {"post", "1"}},
     "up to 3 times the time of Vanka"},
    {"block-triangular", {{"preconditioner", "block-triangular"}}, "up to 3 times the time of Vanka"},
    {"Vanka V(1,2)", {{"relaxation", "vanka"}}, "-"},
    {"default: Braess-Sarazin, three sweeps, V(1,2)", {}, "-"},
};
/// On a GPU.
const Variant kFurther[] = {
    {"Vanka on Tensor Cores, V(1,1)", {{"relaxation", "vanka"}, {"vanka", "tensor"}, {"pre", "1"}, {"post", "1"}}, "-"},
    {"Vanka on Tensor Cores, V(1,2)", {{"relaxation", "vanka"}, {"vanka", "tensor"}}, "-"},
    {"Vanka as a stencil, V(1,1)", {{"relaxation", "vanka"}, {"vanka", "stencil"}, {"pre", "1"}, {"post", "1"}}, "-"},
    {"Vanka, tuned patches, V(1,1)", {{"relaxation", "vanka"}, {"vanka", "tuned"}, {"pre", "1"}, {"post", "1"}}, "-"},
};
const Variant kSimple = {"simple Vanka V(1,1)",
                         {{"relaxation", "vanka"}, {"vanka", "simple"}, {"pre", "1"}, {"post", "1"}},
                         "768 x 768 at most (tuned: 1024 x 1024), slower than all others"};

struct Outcome {
  SolveStats stats;
  double setup_s = 0, solve_s = 0;
  int64_t bytes = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Outcome run(const std::string& device, int64_t n, const Settings& settings, int rounds = 3) {
  const StokesModel model = make_stokes_model(find_pde_problem("stokes2d"), {.size = n});
  const std::vector<double> b = right_hand_side(model);
  const auto engine = make_engine(find_engine("stokes"), device, settings);
  Outcome outcome;
  StudyClock watch(device == "cuda");
  engine->setup(stokes_problem_without_matrix(std::make_shared<const StokesGrid>(model.grid)));
  outcome.setup_s = watch.lap();
  const auto rows = static_cast<int64_t>(b.size());
  std::vector<double> x(b.size()), seconds;
  for (int round = 0; round <= rounds; ++round) {
    std::fill(x.begin(), x.end(), 0.0);
    watch.lap();
    outcome.stats = engine->solve({b.data(), rows, 1}, {x.data(), rows, 1}, {.relative_residual = 1e-8});
    if (const double time = watch.lap(); round > 0) seconds.push_back(time);
  }
  outcome.solve_s = median(seconds);
  outcome.bytes = engine->bytes();
  return outcome;
}

void print_solves(const std::string& device, const std::vector<int64_t>& sizes) {
  fmt::print("## Solves of stokes2d to 1e-8\n\n");
  for (const int64_t n : sizes) {
    fmt::print("{0} x {0} elements\n\n", n);
    fmt::print(
        "| preconditioner | iterations | solve ms | us per element | over the first | MB | paper |\n"
        "|---|---|---|---|---|---|---|\n");
    double first = 0;
    std::vector<Variant> variants(std::begin(kVariants), std::end(kVariants));
    constexpr int64_t kMostSimple = 256;  // 14 kB per node
    if (n <= kMostSimple) variants.push_back(kSimple);
    if (device == "cuda") variants.insert(variants.end(), std::begin(kFurther), std::end(kFurther));
    for (const Variant& variant : variants) {
      const Outcome outcome = run(device, n, variant.settings);
      if (first == 0) first = outcome.solve_s;
      const double elements = static_cast<double>(n) * static_cast<double>(n);
      fmt::print("| {} | {}{} | {:.2f} | {:.3f} | {:.2f} | {:.1f} | {} |\n", variant.name, outcome.stats.iterations,
                 outcome.stats.converged ? "" : " (stopped)", 1e3 * outcome.solve_s, 1e6 * outcome.solve_s / elements,
                 outcome.solve_s / first, 1e-6 * static_cast<double>(outcome.bytes), variant.paper);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

void draw_convergence(const std::string& device, int64_t n, const std::filesystem::path& out) {
  Panel iterations{"iteration", "relative residual", false, true, {}};
  Panel time{"seconds", "relative residual", false, true, {}};
  for (const int k : {0, 2, 3, 4}) {
    const Outcome outcome = run(device, n, kVariants[k].settings);
    const auto& history = outcome.stats.history;
    Panel::Series of_iterations{kVariants[k].name, {}, history}, of_time{kVariants[k].name, {}, history};
    for (size_t i = 0; i < history.size(); ++i) {
      of_iterations.x.push_back(static_cast<double>(i));
      of_time.x.push_back(outcome.solve_s * static_cast<double>(i) / static_cast<double>(history.size() - 1));
    }
    iterations.series.push_back(std::move(of_iterations));
    time.series.push_back(std::move(of_time));
  }
  write_file(out / "convergence.png", chart_png({"stokes2d · four preconditioners",
                                                 fmt::format("{0} x {0} elements", n),
                                                 fmt::format("flexible GMRES on {}", device),
                                                 {iterations, time}}));
}

void study_kernels(const std::string& device, int64_t n, const std::filesystem::path& out) {
  const bool is_cuda = device == "cuda";
  const double copy = is_cuda ? copy_rate_of_cuda() : copy_rate<CpuDevice>();
  const double peak = is_cuda ? flop_rate_of_cuda() : flop_rate<CpuDevice>();
  const std::vector<double> seconds = is_cuda ? stokes_kernel_seconds_on_cuda(n) : stokes_kernel_seconds<CpuDevice>(n);
  constexpr int64_t kCounted = 64;
  const std::vector<KernelCount> counts = count_stokes_kernels(kCounted);
  StokesKernels<CpuDevice, float> names(8);
  const auto kernels = names.all();
  double schur_total = 0, vanka_total = 0, stencil_total = 0;
  for (size_t k = 0; k < kernels.size(); ++k) {
    schur_total += kernels[k].in_schur * seconds[k];
    vanka_total += kernels[k].in_vanka * seconds[k];
    stencil_total += kernels[k].in_stencil * seconds[k];
  }
  fmt::print(
      "## Kernels on the finest level, {0} x {0} elements\n\ncopy rate {1:.1f} GB/s, {2:.1f} Gflop/s of additions "
      "and multiplications\n\n",
      n, copy * 1e-9, peak * 1e-9);
  fmt::print(
      "| kernel | bytes/element | flops/element | flops/byte | us | GB/s | Gflop/s | of its roof | share of "
      "Braess-Sarazin | of tuned Vanka | of Vanka as a stencil |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Panel> panels(3, Panel{"flops per byte", "Gflop/s", true, true, {}});
  Panel::Series roof{"roof", {}, {}, true};
  for (const double intensity : {0.125, peak / copy, 512.0}) {
    roof.x.push_back(intensity);
    roof.y.push_back(1e-9 * std::min(peak, copy * intensity));
  }
  for (Panel& panel : panels) panel.series.push_back(roof);
  const double elements = static_cast<double>(n) * static_cast<double>(n);
  for (size_t k = 0; k < kernels.size(); ++k) {
    const double bytes_each = sizeof(float) * counts[k].values() / (kCounted * kCounted);
    const double flops_each = counts[k].flops / (kCounted * kCounted);
    const double intensity = flops_each / bytes_each, flops = flops_each * elements / seconds[k];
    fmt::print(
        "| {} | {:.0f} | {:.0f} | {:.2f} | {:.1f} | {:.1f} | {:.2f} | {:.0f} % | {:.0f} % | {:.0f} % | {:.0f} % |\n",
        kernels[k].name, bytes_each, flops_each, intensity, 1e6 * seconds[k], 1e-9 * bytes_each * elements / seconds[k],
        1e-9 * flops, 100 * flops / (kernels[k].on_tensor_cores ? copy * intensity : std::min(peak, copy * intensity)),
        100 * kernels[k].in_schur * seconds[k] / schur_total, 100 * kernels[k].in_vanka * seconds[k] / vanka_total,
        100 * kernels[k].in_stencil * seconds[k] / stencil_total);
    panels[3 * k / kernels.size()].series.push_back({kernels[k].name, {intensity}, {1e-9 * flops}});
  }
  write_file(
      out / "roofline.png",
      chart_png({"Stokes kernels · roofline", fmt::format("{0} x {0} elements", n),
                 fmt::format("{}: {:.0f} GB/s, {:.0f} Gflop/s measured", device, copy * 1e-9, peak * 1e-9), panels}));
}

void run_kernels_once(const std::string& device, int64_t n) {
  constexpr int kNone = 0;
  if (device == "cuda")
    stokes_kernel_seconds_on_cuda(n, kNone);
  else
    stokes_kernel_seconds<CpuDevice>(n, kNone);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} DEVICE OUT_DIR [solves] [convergence] [kernels] [parameters] [once] [SIZE...]\n",
               argv[0]);
    return 2;
  }
  const std::string device(choose_device(find_engine("stokes"), argv[1]));
  const std::filesystem::path out = argv[2];
  make_directory(out);
  std::vector<int64_t> sizes;
  std::set<std::string> parts;
  for (int k = 3; k < argc; ++k) {
    if (std::isdigit(argv[k][0]) != 0)
      sizes.push_back(std::stoll(argv[k]));
    else
      parts.insert(argv[k]);
  }
  if (sizes.empty()) sizes = {64, 128, 256};
  if (parts.empty()) parts = {"solves", "convergence", "kernels"};
  if (device == "cpu") omp_set_num_threads(1);
  if (parts.contains("solves")) print_solves(device, sizes);
  if (parts.contains("convergence")) draw_convergence(device, sizes.back(), out);
  if (parts.contains("kernels")) study_kernels(device, sizes.back(), out);
  if (parts.contains("parameters")) search_stokes_parameters(sizes.back(), out);
  if (parts.contains("once")) run_kernels_once(device, sizes.back());
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
