// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/any_circuit.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analysis/model/findings.hpp"
#include "analysis/model/grid.hpp"
#include "analysis/solve/any_matrix/nodal_equations.hpp"
#include "support/error_text.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Voltage sources whose current controls something are branches, not ties.
std::vector<int64_t> controlling_sources(const Circuit& circuit) {
  std::vector<int64_t> sources;
  for (const ControlledSource& source : circuit.controlled_sources)
    if (source.control_source >= 0) sources.push_back(source.control_source);
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

Grid grid_without(const std::vector<int64_t>& sources, const Circuit& circuit) {
  Grid grid = make_grid(circuit);
  Network& n = grid.network;
  size_t kept = 0;
  for (size_t t = 0; t < grid.tie_elements.size(); ++t) {
    const auto [kind, index] = grid.tie_elements[t];
    if (kind == kVoltageSource && std::ranges::binary_search(sources, index)) continue;
    grid.tie_elements[kept] = grid.tie_elements[t];
    n.tie_a[kept] = n.tie_a[t];
    n.tie_b[kept] = n.tie_b[t];
    n.tie_volts[kept++] = n.tie_volts[t];
  }
  grid.tie_elements.resize(kept);
  n.tie_a.resize(kept);
  n.tie_b.resize(kept);
  n.tie_volts.resize(kept);
  return grid;
}

/// The equations of a circuit at its operating point.
class OperatingPoint {
 public:
  explicit OperatingPoint(const Circuit& circuit)
      : circuit_(circuit),
        controlling_(controlling_sources(circuit)),
        grid_(grid_without(controlling_, circuit)),
        merge_(merge_ties(grid_.network)),
        equations_((throw_first_error(check_ties(circuit, grid_, merge_)), merge_)) {
    add_branches();
    const Network& n = grid_.network;
    for (int64_t e = 0; e < n.edges(); ++e) equations_.add_conductance(n.a[e], n.b[e], n.conductance[e]);
    for (size_t i = 0; i < circuit.controlled_sources.size(); ++i) add_control(i);
    equations_.pin_floating();
    for (const ControlledSource& source : circuit.controlled_sources) require_control(source);
  }

  NodalEquations& equations() { return equations_; }
  int64_t merged_shorts() const { return grid_.network.ties(); }

  std::vector<double> right_hand_side() const {
    std::vector<double> b = equations_.right_hand_side();
    const Sources& i = circuit_.current_sources;
    for (int64_t k = 0; k < i.size(); ++k) equations_.add_current(i.a[k], i.b[k], i.value[k], b);
    for (const auto& [source, branch] : branch_of_source_)
      equations_.add_voltage(branch, circuit_.voltage_sources.value[source], b);
    for (size_t k = 0; k < circuit_.controlled_sources.size(); ++k) {
      const ControlledSource& source = circuit_.controlled_sources[k];
      if (source.kind == kVoltageSource)
        equations_.add_voltage(branch_[k], source.constant, b);
      else
        equations_.add_current(source.a, source.b, source.constant, b);
    }
    return b;
  }

  double value(size_t k, std::span<const double> x) const {
    const ControlledSource& source = circuit_.controlled_sources[k];
    const auto volts = [&](NodeId from, NodeId to) { return equations_.voltage(from, x) - equations_.voltage(to, x); };
    if (source.kind == kVoltageSource) return volts(source.a, source.b);
    const double control = source.control_source >= 0
                               ? equations_.current(branch_of_source_.at(source.control_source), x)
                               : volts(source.control_a, source.control_b);
    return source.constant + source.gain * control;
  }

  /// What stands for an unknown, for messages.
  std::string name_of(int64_t unknown) const {
    if (unknown < equations_.potentials())
      for (NodeId node = 1; node < circuit_.node_count(); ++node)
        if (merge_.group[node] == unknown)
          return fmt::format("the voltage of node {}", shown(circuit_.node_name(node)));
    const int64_t branch = unknown - equations_.potentials();
    for (size_t k = 0; k < branch_.size(); ++k)
      if (branch_[k] == branch)
        return fmt::format("the current of '{}'", shown(circuit_.element_name(circuit_.controlled_sources[k])));
    for (const auto& [source, of_source] : branch_of_source_)
      if (of_source == branch)
        return fmt::format("the current of '{}'", shown(circuit_.element_name(kVoltageSource, source)));
    return "a voltage";
  }

 private:
  void add_branches() {
    const Sources& v = circuit_.voltage_sources;
    for (const int64_t source : controlling_)
      branch_of_source_.emplace(source, equations_.add_branch(v.a[source], v.b[source]));
    for (const ControlledSource& source : circuit_.controlled_sources)
      branch_.push_back(source.kind == kVoltageSource ? equations_.add_branch(source.a, source.b) : -1);
  }

  void add_control(size_t k) {
    const ControlledSource& source = circuit_.controlled_sources[k];
    const bool by_current = source.control_source >= 0;
    const int32_t control = by_current ? branch_of_source_.at(source.control_source) : -1;
    if (source.kind == kVoltageSource && by_current)
      equations_.add_resistance(branch_[k], control, source.gain);
    else if (source.kind == kVoltageSource)
      equations_.add_gain(branch_[k], source.control_a, source.control_b, source.gain);
    else if (by_current)
      equations_.add_copy(source.a, source.b, control, source.gain);
    else
      equations_.add_transconductance(source.a, source.b, source.control_a, source.control_b, source.gain);
  }

  /// A voltage between parts of which one floats is not determined.
  void require_control(const ControlledSource& source) {
    if (source.control_source >= 0) return;
    if (equations_.floating_part(source.control_a) == equations_.floating_part(source.control_b)) return;
    const bool is_first = equations_.floating_part(source.control_a) >= 0;
    throw grid_error("{}: the control of '{}' is not determined: node {} floats; connect it",
                     circuit_.place(source.origin), shown(circuit_.element_name(source)),
                     shown(circuit_.node_name(is_first ? source.control_a : source.control_b)));
  }

  const Circuit& circuit_;
  std::vector<int64_t> controlling_;
  Grid grid_;
  Merge merge_;
  NodalEquations equations_;
  std::vector<int32_t> branch_;  ///< per controlled source that is one of voltage
  std::unordered_map<int64_t, int32_t> branch_of_source_;
};

std::string first_place(const Circuit& circuit) {
  if (!circuit.controlled_sources.empty()) return circuit.place(circuit.controlled_sources.front().origin);
  const auto negative = std::ranges::find_if(circuit.resistors.value, [](double ohm) { return ohm < 0; });
  return circuit.place(circuit.resistors.origin[negative - circuit.resistors.value.begin()]);
}

LuSolver factorized(OperatingPoint& point, const Circuit& circuit, const SolverOptions& options, const Context& context,
                    AnyCircuitSolution& out) {
  SummedMatrix matrix = point.equations().matrix();
  out.unknowns = matrix.sums.rows;
  out.nonzeros = matrix.sums.nonzeros();
  try {
    return {std::move(matrix), point.equations().potentials(), options, context};
  } catch (const SingularMatrix& e) {
    throw grid_error(
        "{}: the circuit has no unique solution: nothing determines {}; check gains, negative resistances "
        "and loops of voltage sources there",
        first_place(circuit), point.name_of(e.unknown));
  }
}

}  // namespace

AnyCircuitSolution solve_any_circuit(const Circuit& circuit, const SolverOptions& options, const Context& context) {
  Stopwatch watch;
  AnyCircuitSolution out;
  context.progress("set up");
  OperatingPoint point(circuit);
  LuSolver solver = factorized(point, circuit, options, context, out);
  out.setup_s = watch.lap();
  context.progress("solve");
  LuSolver::Solution solution = solver.solve(point.right_hand_side());
  out.solve_s = watch.lap();
  out.merged_shorts = point.merged_shorts();
  out.engine = solver.run();
  for (NodeId node = 0; node < circuit.node_count(); ++node)
    out.voltage_v.push_back(point.equations().voltage(node, solution.x));
  for (size_t k = 0; k < circuit.controlled_sources.size(); ++k) out.source.push_back(point.value(k, solution.x));
  Certificate& certificate = out.certificate;
  certificate.is_estimated = true;
  certificate.max_error_v = solution.error;
  certificate.max_residual_a = solution.max_residual;
  certificate.tolerance_v = options.rtol ? 0.0 : options.tolerance_v;
  out.stats = std::move(solution.stats);
  out.stats.converged =
      options.rtol ? out.stats.relative_residual <= *options.rtol : solution.error <= options.tolerance_v;
  return out;
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
