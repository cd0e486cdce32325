// SPDX-License-Identifier: Apache-2.0
// One engine on one device over many cases, with the memory bandwidth it reaches:
//   bench_engine_table ENGINE DEVICE [unknowns=voltages] [KEY=VALUE…] CASE…
// For cases and unknowns see case.hpp; other keys are the engine's. Times are medians of three after a warm-up run;
// setup includes the transfer of the matrix to the device, solve that of the vectors. For hybrid engines a second table
// breaks down the time of the last solve and the memory.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "benchmarks/case.hpp"
#include "benchmarks/copy_rate.hpp"
#include "device/cpu_device.hpp"
#include "engines/engine.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace {

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Prints the row of a case; returns that of the second table, empty if the engine is not hybrid.
std::string row(const std::string& name, const EngineInfo& info, const std::string& device, const Settings& settings,
                bool has_voltages, double rate) {
  const Case c(name, has_voltages);
  const auto n = static_cast<int64_t>(c.b.size());
  std::vector<double> setup, update, solve, x(c.b.size());
  const auto engine = make_engine(info, device, settings);
  SolveStats stats;
  for (int round = 0; round < 4; ++round) {
    Stopwatch watch;
    engine->setup(c.problem);
    const double set_up = watch.lap();
    engine->update(c.problem);
    const double updated = watch.lap();
    stats = engine->solve({c.b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-8, .from_zero = true});
    const double solved = watch.lap();
    if (round == 0) continue;
    setup.push_back(set_up);
    update.push_back(updated);
    solve.push_back(solved);
  }
  const auto per_unknown = [n](int64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(std::max<int64_t>(n, 1));
  };
  const double moved = engine->bytes_per_iteration() * stats.iterations / median(solve);
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {}{} | {:.0f} | {:.0f} | {:.0f} % |\n", name, n,
             1e3 * median(setup), 1e3 * median(update), 1e3 * median(solve), stats.iterations,
             stats.converged ? "" : " (stopped)", per_unknown(engine->bytes()), moved / 1e9, 100 * moved / rate);
  std::fflush(stdout);
  if (!stats.hybrid) return "";
  const HybridParts& parts = *stats.hybrid;
  return fmt::format("| {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} |\n", name, 1e3 * parts.original_grid_s,
                     1e3 * parts.regular_grid_s, 1e3 * parts.transfers_s,
                     per_unknown(engine->bytes() - parts.regular_grid_bytes), per_unknown(parts.regular_grid_bytes));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) {
    fmt::print(stderr, "usage: {} ENGINE DEVICE [unknowns=voltages] [KEY=VALUE...] CASE...\n", argv[0]);
    return 2;
  }
  const EngineInfo& info = find_engine(argv[1]);
  const std::string device(choose_device(info, argv[2]));
  Settings settings;
  bool has_voltages = false;
  std::vector<std::string> cases;
  for (int k = 3; k < argc; ++k) {
    const std::string argument = argv[k];
    const size_t equals = argument.find('=');
    if (argument == "unknowns=voltages")
      has_voltages = true;
    else if (equals == std::string::npos)
      cases.push_back(argument);
    else
      settings[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  const double rate = device == "cuda" ? copy_rate_of_cuda() : copy_rate<CpuDevice>();
  fmt::print("{} on {}, to 1e-8; copy rate {:.0f} GB/s\n\n", info.name, device, rate / 1e9);
  fmt::print(
      "| case | unknowns | setup ms | update ms | solve ms | iterations | bytes/unknown | GB/s | of copy rate |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  std::string parts;
  for (const std::string& name : cases) {
    try {
      parts += row(name, info, device, settings, has_voltages, rate);
    } catch (const Error& error) {
      fmt::print("| {} | {} |\n", name, error.what());
    }
  }
  if (!parts.empty())
    fmt::print(
        "\n| case | original ms | regular ms | transfers ms | original bytes/unknown | regular bytes/unknown |\n"
        "|---|---|---|---|---|---|\n{}",
        parts);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
