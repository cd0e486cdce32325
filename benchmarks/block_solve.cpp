// SPDX-License-Identifier: Apache-2.0
// Time per right-hand side as a function of how many are solved together:
//   bench_block_solve cpu|cuda ENGINE [KEY=VALUE...] NETLIST [k...]
// The right-hand sides are the netlist's loads, each scaled at random; k is 1, 8, 64 and 256 unless given. Blocks are
// checked against single-column solves before anything is timed. Blocks are in host memory, also for a GPU, as in the
// tool.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/model/system.hpp"
#include "engines/engine.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

using namespace gridiron;

namespace {

/// One column of currents scaled at random, n × k.
std::vector<double> random_loads(const std::vector<double>& currents, int64_t k) {
  std::mt19937 random(1);
  std::vector<double> block;
  block.reserve(currents.size() * static_cast<size_t>(k));
  for (int64_t j = 0; j < k; ++j)
    for (const double amperes : currents) block.push_back(amperes * random() / 4294967296.0);
  return block;
}

/// Largest difference from single-column solves, relative to the largest entry.
double difference(Engine& engine, const std::vector<double>& b, int64_t n, int64_t k, const StopRule& stop) {
  std::vector<double> x(b.size(), 0.0), alone(static_cast<size_t>(n));
  engine.solve({b.data(), n, k}, {x.data(), n, k}, stop);
  double worst = 0, largest = 0;
  for (int64_t j = 0; j < k; ++j) {
    std::fill(alone.begin(), alone.end(), 0.0);
    engine.solve({b.data() + j * n, n, 1}, {alone.data(), n, 1}, stop);
    for (int64_t i = 0; i < n; ++i) {
      worst = std::max(worst, std::abs(x[j * n + i] - alone[i]));
      largest = std::max(largest, std::abs(alone[i]));
    }
  }
  return worst / largest;
}

/// Seconds per column, the best of several solves.
double seconds_per_column(Engine& engine, const std::vector<double>& b, int64_t n, int64_t k, const StopRule& stop,
                          int& iterations) {
  std::vector<double> x(static_cast<size_t>(n * k));
  double best = INFINITY, spent = 0;
  for (int round = 0; round < 20 && (round < 3 || spent < 2); ++round) {
    std::fill(x.begin(), x.end(), 0.0);
    Stopwatch watch;
    iterations = engine.solve({b.data(), n, k}, {x.data(), n, k}, stop).iterations;
    const double seconds = watch.seconds();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best / static_cast<double>(k);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) {
    fmt::print(stderr, "usage: {} cpu|cuda ENGINE [KEY=VALUE...] NETLIST [k...]\n", argv[0]);
    return 2;
  }
  const EngineInfo& info = find_engine(argv[2]);
  Context context;
  context.device = argv[1];
  Settings settings;
  int next = 3;
  for (; next < argc - 1; ++next) {
    const std::string word = argv[next];
    const size_t equals = word.find('=');
    if (equals == std::string::npos) break;
    settings.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  const Circuit circuit = read_netlist(argv[next++]);
  std::vector<int64_t> counts;
  for (; next < argc; ++next) counts.push_back(std::stoll(argv[next]));
  if (counts.empty()) counts = {1, 8, 64, 256};

  const System system(make_design(circuit));
  const std::shared_ptr<const Problem>& problem = system.problem();
  const int64_t n = problem->matrix.rows;
  const std::vector<double> currents = system.right_hand_side(Loads(system.design()), 0);

  const auto engine = make_engine(info, context, settings);
  Stopwatch watch;
  engine->setup(problem);
  const double setup = watch.seconds();
  const StopRule stop{.relative_residual = 1e-8};
  const std::vector<double> b = random_loads(currents, *std::ranges::max_element(counts));
  const double off = difference(*engine, b, n, std::min<int64_t>(9, *std::ranges::max_element(counts)), stop);
  fmt::print("{} on {}: {} unknowns, {} nonzeros, setup {:.1f} ms; blocks differ from single columns by {:.1e}\n",
             info.name, context.device, n, problem->matrix.nonzeros(), 1e3 * setup, off);
  if (!(off < 1e-6)) throw SolverError("blocks and single columns give different answers");

  fmt::print("|   k | ms per vector | of k = {} | iterations |\n|---|---|---|---|\n", counts.front());
  double first = 0;
  for (const int64_t k : counts) {
    int iterations = 0;
    const double seconds = seconds_per_column(*engine, b, n, k, stop, iterations);
    if (first == 0) first = seconds;
    fmt::print("| {:3} | {:.3f} | {:.2f} | {} |\n", k, 1e3 * seconds, seconds / first, iterations);
    std::fflush(stdout);
  }
} catch (const Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
