// SPDX-License-Identifier: Apache-2.0
// What a session saves: changed loads relative to the first solution, and a changed resistor relative to setup.
//
//   bench_session DECK ENGINE... [--device cuda]
//
// Every solution is certified before it is timed. Times are medians of five after a warm-up run; the first solution
// includes Solver, barrier and solve, starting from an existing System. The first changed load is apart from the next
// ones: on a GPU it is the one that tables for vectors there are made for. Responses are to unit currents into 32
// nodes, by one call.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

using namespace gridiron;

namespace {

constexpr int kRounds = 6, kResponses = 32;

double median_ms(std::vector<double> seconds) {
  seconds.erase(seconds.begin());
  std::sort(seconds.begin(), seconds.end());
  return 1e3 * seconds[seconds.size() / 2];
}

void require_certified(const Answer& answer) {
  if (!answer.certificate.valid || answer.certificate.max_error_v > 1e-5)
    throw SolverError("an answer is not certified at 10 uV");
}

/// Nodes from everywhere that are joined to sources, and have no fixed potential.
std::vector<NodeId> nodes_to_drive(const System& system) {
  const Topology& t = system.topology();
  const auto is_free = [&](NodeId n) {
    return t.merge.group[n] < t.merge.unknowns && t.parts.anchored[t.parts.part[n]];
  };
  const auto count = static_cast<NodeId>(t.merge.group.size());
  std::vector<NodeId> nodes;
  for (int k = 0; k < kResponses; ++k) {
    NodeId n = 1 + static_cast<NodeId>(int64_t{count} * k / (kResponses + 1));
    while (n < count && !is_free(n)) ++n;
    if (n < count) nodes.push_back(n);
  }
  return nodes;
}

void measure(const std::shared_ptr<const Design>& design, const std::string& engine, const std::string& device) {
  SolverOptions options;
  options.engine = engine;
  Context context;
  context.device = device;
  const System system(design);
  const std::vector<NodeId> driven = nodes_to_drive(system);
  std::vector<double> first, changed, again, solve, certify, respond, edit, setup, update;
  for (int round = 0; round < kRounds; ++round) {
    Stopwatch watch;
    Solver solver(system, options, context);
    require_certified(solver.solve());
    first.push_back(watch.lap());

    Loads loads(design);
    for (std::vector<double>* const seconds : {&changed, &again}) {
      for (double& amperes : loads.vector(0)) amperes *= 1.01 + 0.001 * round;
      const Solver::Work before = solver.work();
      watch.lap();
      require_certified(solver.solve(loads).front());
      seconds->push_back(watch.lap());
      if (seconds == &changed) continue;
      solve.push_back(solver.work().solve_s - before.solve_s);
      certify.push_back(solver.work().certify_s - before.certify_s);
    }

    watch.lap();
    for (const UnitResponse& response : solver.respond(driven))
      if (!(response.error_ohm < 1e-3 * response.effective_ohm())) throw SolverError("a response is not certified");
    respond.push_back(watch.lap());

    System edited = system;
    edited.apply(ScaleResistor{design->circuit->element_name(kResistor, design->circuit->resistors.size() / 2), 0.9});
    edit.push_back(watch.lap());
    const double before = solver.work().setup_s;
    setup.push_back(before);
    solver.update(edited);
    update.push_back(solver.work().setup_s - before);
    require_certified(solver.solve());
  }
  fmt::print(
      "{:<8} first answer {:8.2f} ms; changed load {:8.2f} ms, the next {:8.2f} ms ({:.3f}; solve {:.2f}, certify "
      "{:.2f}); {} responses {:.2f} ms; setup {:8.2f} ms; update {:8.2f} ms ({:.3f}); forming the edited system {:.2f} "
      "ms\n",
      engine, median_ms(first), median_ms(changed), median_ms(again), median_ms(again) / median_ms(first),
      median_ms(solve), median_ms(certify), driven.size(), median_ms(respond), median_ms(setup), median_ms(update),
      median_ms(update) / median_ms(setup), median_ms(edit));
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string device = "cpu";
  if (words.size() > 2 && words[words.size() - 2] == "--device") {
    device = words.back();
    words.resize(words.size() - 2);
  }
  if (words.size() < 2) {
    fmt::print(stderr, "usage: bench_session DECK ENGINE... [--device cuda]\n");
    return 2;
  }
  const auto design = make_design(std::make_shared<const Circuit>(read_netlist(words[0])));
  for (size_t k = 1; k < words.size(); ++k) measure(design, words[k], device);
  return 0;
} catch (const Error& e) {
  fmt::print(stderr, "{}\n", e.what());
  return static_cast<int>(e.code());
}
