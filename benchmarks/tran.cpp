// SPDX-License-Identifier: Apache-2.0
// What a step in time costs, beside what it cannot do without:
//   bench_tran direct NETLIST STEPS THREADS    cholmod against its triangular solves: rounds and their medians
//   bench_tran iterative NETLIST STEPS         iterations of the engines against those of the static grid
//   bench_tran scenarios NETLIST STEPS K       cholmod: time per scenario, one alone and K together
// Times are those of the processor, on one thread, so that other work on the machine does not count; `direct`, where
// threads work side by side, takes those of the clock.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "analysis/results/summarise.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/time_steps.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

using namespace gridiron;

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Circuit circuit_of(const std::string& path) {
  Circuit circuit = read_netlist(path);
  start_at_time_zero(circuit);
  return circuit;
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TranOptions options_for(const Circuit& circuit, const std::string& engine, int64_t steps, int threads) {
  TranOptions options;
  options.engine = engine;
  options.context.threads = threads;
  options.stop_s = circuit.tran.step * static_cast<double>(steps);
  return options;
}

/// Seconds per step of a whole analysis: the difference of two lengths, so that nothing counts that is done once.
struct PerStep {
  double all, certify;
  TranReport report;
};
template <class Seconds>
PerStep time_steps_of(const Circuit& circuit, const std::string& engine, int64_t steps, int threads, Seconds seconds) {
  const int64_t few = std::max<int64_t>(1, steps / 10);
  const double start = seconds();
  const TranReport brief = analyse_transient(circuit, options_for(circuit, engine, few, threads));
  const double middle = seconds();
  TranReport report = analyse_transient(circuit, options_for(circuit, engine, steps, threads));
  const double end = seconds();
  const auto more = static_cast<double>(report.steps - brief.steps);
  return {((end - middle) - (middle - start)) / more,
          (report.worst.timings_s.certify - brief.worst.timings_s.certify) / more, std::move(report)};
}

/// What a triangular solve with k right-hand sides takes per right-hand side.
template <class Seconds>
double triangular_solve_seconds(const Circuit& circuit, int64_t k, int64_t rounds, Seconds seconds) {
  const auto design = make_design(circuit);
  const Storage storage(circuit);
  const std::vector<double> conductance = storage.conductance(Method::trapezoidal, circuit.tran.step);
  const System system(design, std::make_shared<const Topology>(step_topology(*design, storage, conductance)), true);
  const std::unique_ptr<Engine> engine =
      make_engine(find_engine("cholmod"), Context{.device = "cpu", .threads = 1}, {});
  engine->setup(system.problem());
  const int64_t n = system.problem()->matrix.rows;
  std::vector<double> b(static_cast<size_t>(n * k)), x(b.size(), 0.0);
  for (size_t i = 0; i < b.size(); ++i) b[i] = 1e-3 * static_cast<double>(i % 17);
  const StopRule unjudged{0, HUGE_VAL, 0};
  const auto solve = [&] { engine->solve({b.data(), n, k}, {x.data(), n, k}, unjudged); };
  solve();
  const double start = seconds();
  for (int64_t round = 0; round < rounds; ++round) solve();
  return (seconds() - start) / static_cast<double>(rounds * k);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// With two threads the certificate is found beside the next step, and what it takes is not part of the step's time.
void run_direct(const Circuit& circuit, int64_t steps, int threads) {
  constexpr int kRounds = 9;
  std::vector<double> solves, all, certify, ratios, ratios_without;
  fmt::print("triangular solve, step, certificate, ms; step in solves; step less certificate, in solves\n");
  for (int round = 0; round < kRounds; ++round) {
    const double before = triangular_solve_seconds(circuit, 1, steps / 2, clock_seconds);
    const PerStep step = time_steps_of(circuit, "cholmod", steps, threads, clock_seconds);
    const double solve = (before + triangular_solve_seconds(circuit, 1, steps / 2, clock_seconds)) / 2;
    solves.push_back(solve * 1e3);
    all.push_back(step.all * 1e3);
    certify.push_back(step.certify * 1e3);
    ratios_without.push_back((step.all - step.certify) / solve);
    ratios.push_back(step.all / solve);
    fmt::print("{:.3f}  {:.3f}  {:.3f}  {:.2f}  {:.2f}\n", solves.back(), all.back(), certify.back(), ratios.back(),
               ratios_without.back());
  }
  fmt::print("medians: {:.3f}  {:.3f}  {:.3f}  {:.2f}  {:.2f}\n", median(solves), median(all), median(certify),
             median(ratios), median(ratios_without));
}

void run_iterative(const Circuit& circuit, int64_t steps) {
  fmt::print("engine   static  per step  most  step bound, V  ms per step\n");
  for (const std::string engine : {"aggamg", "gpuhmd", "sgml"}) {
    const auto design = make_design(circuit);
    SolverOptions of_static;
    of_static.engine = engine;
    Solver solver(System(design), of_static, Context{.threads = 1});
    const int at_rest = solver.solve().stats.iterations;
    const PerStep step = time_steps_of(circuit, engine, steps, 1, cpu_seconds);
    const TranReport& r = step.report;
    fmt::print("{:8} {:6}  {:8.2f}  {:4}  {:13.1e}  {:.3f}\n", engine, at_rest,
               static_cast<double>(r.iterations) / static_cast<double>(r.steps), r.most_iterations, r.accuracy.step_v,
               step.all * 1e3);
  }
}

/// Scenario j draws what the deck does, (1 + j / 100) times.
double seconds_per_scenario(const Circuit& circuit, int64_t steps, int64_t k) {
  SolverOptions options;
  options.engine = "cholmod";
  const Context context{.threads = 1};
  const auto design = make_design(circuit);
  const System system(design);
  Solver at_rest(system, options, context);
  const IrReport dc = summarise(system, at_rest.solve());
  Integrator integrator(design, Method::trapezoidal, options, context, k);
  OverTime over_time(dc, system.topology(), integrator.merge(), integrator.are_nodes_apart(), k);
  const TimeFrame frame{circuit.tran.step, circuit.tran.step * static_cast<double>(steps)};
  SourcesOverTime sources(circuit, frame);
  const int64_t rows = circuit.current_sources.size();
  std::vector<double> one(static_cast<size_t>(rows)), loads(static_cast<size_t>(rows * k));
  double start = 0, bound = 0;
  for (int64_t s = 0; s <= steps; ++s) {
    if (s == 1) start = cpu_seconds();  // the first step sets up
    const double t = static_cast<double>(s + 1) * frame.step;
    sources.loads_at(t, one);
    for (int64_t j = 0; j < k; ++j)
      for (int64_t i = 0; i < rows; ++i) loads[j * rows + i] = (1 + 0.01 * static_cast<double>(j)) * one[i];
    integrator.accept(integrator.step({frame.step}, {{loads.data(), rows, k}}));
    for (const Accuracy& accuracy : integrator.present().accuracy)
      bound = std::max(bound, accuracy.certificate.max_error_v);
    for (int64_t j = 0; j < k; ++j) over_time.add(j, integrator.voltage(j), t, frame.step);
    over_time.end_row();
  }
  const double seconds = (cpu_seconds() - start) / static_cast<double>(steps * k);
  fmt::print("k = {}: {:.3f} ms per step and scenario, of which a triangular solve {:.3f}; step bound {:.1e} V\n", k,
             seconds * 1e3, triangular_solve_seconds(circuit, k, std::max<int64_t>(2, 100 / k), cpu_seconds) * 1e3,
             bound);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string mode = argc > 1 ? argv[1] : "";
  if ((argc != 4 || mode != "iterative") && (argc != 5 || (mode != "direct" && mode != "scenarios"))) {
    fmt::print(stderr,
               "usage: {} direct NETLIST STEPS THREADS, iterative NETLIST STEPS, or scenarios NETLIST STEPS K\n",
               argv[0]);
    return 2;
  }
  const Circuit circuit = circuit_of(argv[2]);
  const int64_t steps = std::atoll(argv[3]);
  if (mode == "direct") run_direct(circuit, steps, std::atoi(argv[4]));
  if (mode == "iterative") run_iterative(circuit, steps);
  if (mode == "scenarios") {
    const double alone = seconds_per_scenario(circuit, steps, 1);
    fmt::print("ratio {:.2f}\n", seconds_per_scenario(circuit, steps, std::atoll(argv[4])) / alone);
  }
} catch (const Error& e) {
  fmt::print(stderr, "{}\n", e.message());
  return 1;
}
