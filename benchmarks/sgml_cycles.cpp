// SPDX-License-Identifier: Apache-2.0
// Cycles of SGML with all vectors on the device, and the memory bandwidth they reach:
//   bench_sgml_cycles DEVICE [KEY=VALUE…] PROBLEM:SIZE…
// Both schedules, unless schedule=… selects one. A step is a cycle, x += its result, and the residual in fp64.
#include "benchmarks/sgml_cycles.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/pde/discretise.hpp"
#include "analysis/pde/problems.hpp"
#include "benchmarks/copy_rate.hpp"
#include "device/cpu_device.hpp"
#include "engines/params.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace {

void rows(const std::string& name, bool on_cuda, const Settings& settings, double copy_rate) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos) throw InputError(fmt::format("{} is not PROBLEM:SIZE", name));
  const PdeProblem& info = find_pde_problem(name.substr(0, colon));
  const PdeChoices choices{.size = std::stoll(name.substr(colon + 1))};
  PdeModel model = make_model(info, choices);
  Problem problem;
  problem.matrix = assemble(model.grid);
  const std::vector<double> b = right_hand_side(model);
  problem.structure = std::make_shared<const RegularGrid>(std::move(model.grid));

  for (const char* const schedule : {"compact", "faithful"}) {
    SgmlParams params = read_params<SgmlParams>("sgml", settings);
    if (settings.contains("schedule") && params.schedule != schedule) continue;
    params.schedule = schedule;
    const CycleRates r =
        on_cuda ? measure_cycles_on_cuda(problem, b, params) : measure_cycles_on<CpuDevice>(problem, b, params);
    const auto rate = [&](double bytes, double seconds) {
      return fmt::format("{:.3f} | {:.1f} | {:.1f} | {:.0f} %", 1e3 * seconds, bytes / 1e6, bytes / seconds / 1e9,
                         100 * bytes / seconds / copy_rate);
    };
    fmt::print("| {} | {} | {} | {} | {:.1f} | {} |\n", name, schedule, rate(r.cycle_bytes, r.cycle_seconds),
               rate(r.step_bytes, r.step_seconds), r.reduction, r.cycles);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} cpu|cuda [KEY=VALUE...] PROBLEM:SIZE...\n", argv[0]);
    return 2;
  }
  const std::string device = argv[1];
  require_choice("bench_sgml_cycles", "device", device, {"cpu", "cuda"});
  const bool on_cuda = device == "cuda";
  Settings settings;
  std::vector<std::string> cases;
  for (int k = 2; k < argc; ++k) {
    const std::string argument = argv[k];
    const size_t equals = argument.find('=');
    if (equals == std::string::npos)
      cases.push_back(argument);
    else
      settings[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  const double rate = on_cuda ? copy_rate_of_cuda() : copy_rate<CpuDevice>();
  fmt::print("cycles of sgml on {}; copy rate {:.1f} GB/s\n\n", device, rate / 1e9);
  fmt::print(
      "| case | schedule | cycle ms | MB | GB/s | of copy rate | step ms | MB | GB/s | of copy rate | reduction | "
      "cycles |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& name : cases) {
    try {
      rows(name, on_cuda, settings, rate);
    } catch (const Error& error) {
      fmt::print("| {} | {} |\n", name, error.what());
    }
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
