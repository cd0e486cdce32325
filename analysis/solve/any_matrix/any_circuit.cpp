// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/any_circuit.hpp"

#include <utility>

#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

LuSolver set_up(const CircuitEquations& equations, const SolverOptions& options, const Context& context) {
  context.progress("set up");
  return equations.factorized(options, context);
}

}  // namespace

AnyCircuit::AnyCircuit(const Circuit& circuit, const SolverOptions& options, const Context& context)
    : circuit_(circuit),
      options_(options),
      context_(context),
      equations_(circuit),
      solver_(set_up(equations_, options, context)),
      setup_s_(watch_.lap()) {}

AnyCircuitSolution AnyCircuit::solve(std::span<const double> load) {
  AnyCircuitSolution out;
  watch_.lap();
  context_.progress("solve");
  LuSolver::Solution solution = solver_.solve(equations_.right_hand_side(load, circuit_.voltage_sources.value));
  out.setup_s = setup_s_;
  out.solve_s = watch_.lap();
  out.unknowns = equations_.equations().unknowns();
  out.nonzeros = solver_.nonzeros();
  out.merged_shorts = equations_.merged_shorts();
  out.engine = solver_.run();
  for (NodeId node = 0; node < circuit_.node_count(); ++node)
    out.voltage_v.push_back(equations_.voltage(node, solution.x));
  for (size_t k = 0; k < circuit_.controlled_sources.size(); ++k) out.source.push_back(equations_.value(k, solution.x));
  Certificate& certificate = out.certificate;
  certificate.is_estimated = true;
  certificate.max_error_v = solution.error;
  certificate.max_residual_a = solution.max_residual;
  certificate.tolerance_v = options_.rtol ? 0.0 : options_.tolerance_v;
  out.stats = std::move(solution.stats);
  out.stats.converged =
      options_.rtol ? out.stats.relative_residual <= *options_.rtol : solution.error <= options_.tolerance_v;
  return out;
}

AnyCircuitSolution solve_any_circuit(const Circuit& circuit, const SolverOptions& options, const Context& context) {
  return AnyCircuit(circuit, options, context).solve(circuit.current_sources.value);
}

Answer answer_of(AnyCircuitSolution solution, const Circuit& circuit, std::span<const double> load,
                 const Parts& parts) {
  Answer answer;
  answer.voltage_v = std::move(solution.voltage_v);
  for (size_t node = 1; node < answer.voltage_v.size(); ++node)
    if (!parts.anchored[parts.part[node]]) answer.voltage_v[node] = 0;
  answer.load_a.assign(load.begin(), load.end());
  for (size_t k = 0; k < solution.source.size(); ++k)
    if (circuit.controlled_sources[k].kind == kCurrentSource) answer.load_a.push_back(solution.source[k]);
  answer.stats = std::move(solution.stats);
  answer.certificate = solution.certificate;
  return answer;
}

std::shared_ptr<const Circuit> with_independent_sources(const Circuit& circuit, const std::vector<double>& source) {
  auto out = std::make_shared<Circuit>(circuit);
  for (size_t k = 0; k < source.size(); ++k) {
    const ControlledSource& s = circuit.controlled_sources[k];
    out->add_element(s.kind, s.a, s.b, source[k], s.origin, s.path);
  }
  out->controlled_sources.clear();
  return out;
}

}  // namespace gridiron
