// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/circuit_equations.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/findings.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

std::vector<int64_t> controlling_sources(const Circuit& circuit) {
  std::vector<int64_t> sources;
  for (const ControlledSource& source : circuit.controlled_sources)
    for (const ControlledSource::Control& control : source.controls)
      if (control.source >= 0) sources.push_back(control.source);
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

template <class Stays>
void keep_ties(Grid& grid, Stays stays) {
  Network& n = grid.network;
  size_t kept = 0;
  for (size_t t = 0; t < grid.tie_elements.size(); ++t) {
    if (!stays(t)) continue;
    grid.tie_elements[kept] = grid.tie_elements[t];
    n.tie_a[kept] = n.tie_a[t];
    n.tie_b[kept] = n.tie_b[t];
    n.tie_volts[kept++] = n.tie_volts[t];
  }
  grid.tie_elements.resize(kept);
  n.tie_a.resize(kept);
  n.tie_b.resize(kept);
  n.tie_volts.resize(kept);
}

bool is_one_of(const Grid::TieElement& element, const std::vector<int64_t>& sources) {
  return element.kind == kVoltageSource && std::ranges::binary_search(sources, element.index);
}

bool does_move(const Circuit& circuit, const Grid::TieElement& element) {
  const Sources& v = circuit.voltage_sources;
  return element.kind == kVoltageSource &&
         (v.waveform[element.index] >= 0 || (circuit.tran.uic && v.value[element.index] != 0));
}

/// Adds the sources that move to those of branches. A source in parallel with others, of which ties know one way only,
/// does nothing: a loop of branches would leave its current open.
void go_over_to_step(const Circuit& circuit, Grid& grid, std::vector<int64_t>& of_branches) {
  const Elements& inductors = circuit.inductors;
  const auto at = [&](size_t t) { return grid.tie_elements[t]; };
  keep_ties(grid, [&](size_t t) { return at(t).kind != kInductor || inductors.value[at(t).index] == 0; });
  std::ranges::fill(grid.network.tie_volts, 0.0);
  std::vector<char> leads(grid.tie_elements.size(), 0);
  for (const int64_t t : merge_ties(grid.network).order_tie) leads[t] = 1;
  for (size_t t = 0; t < leads.size(); ++t)
    if (leads[t] && does_move(circuit, at(t))) of_branches.push_back(at(t).index);
  std::ranges::sort(of_branches);
  keep_ties(grid, [&](size_t t) { return leads[t] && !does_move(circuit, at(t)); });
}

Grid grid_of(const Circuit& circuit, bool is_step, std::vector<int64_t>& of_branches) {
  Grid grid = make_grid(circuit);
  keep_ties(grid, [&](size_t t) { return !is_one_of(grid.tie_elements[t], of_branches); });
  if (is_step) go_over_to_step(circuit, grid, of_branches);
  return grid;
}

std::string first_place(const Circuit& circuit) {
  if (!circuit.controlled_sources.empty()) return circuit.place(circuit.controlled_sources.front().origin);
  for (const Kind kind : {kResistor, kCapacitor, kInductor}) {
    const Elements& e = circuit.elements(kind);
    const auto negative = std::ranges::find_if(e.value, [](double value) { return value < 0; });
    if (negative != e.value.end()) return circuit.place(e.origin[negative - e.value.begin()]);
  }
  return "";
}

}  // namespace

CircuitEquations::CircuitEquations(const Circuit& circuit) : CircuitEquations(circuit, nullptr) {}

CircuitEquations::CircuitEquations(const Circuit& circuit, const StepElements& step)
    : CircuitEquations(circuit, &step) {}

CircuitEquations::CircuitEquations(const Circuit& circuit, const StepElements* step)
    : circuit_(circuit),
      is_in_full_(!step || circuit.tran.uic),
      of_branches_(controlling_sources(circuit)),
      grid_(grid_of(circuit, step != nullptr, of_branches_)),
      merge_(merge_ties(grid_.network)),
      equations_((throw_first_error(check_ties(circuit, grid_, merge_)), merge_)) {
  add_branches();
  const Network& n = grid_.network;
  for (int64_t e = 0; e < n.edges(); ++e) equations_.add_conductance(n.a[e], n.b[e], n.conductance[e]);
  for (size_t e = 0; step && e < step->conductance.size(); ++e)
    equations_.add_conductance(step->a[e], step->b[e], step->conductance[e]);
  if (step)
    for (const auto& [of, by, siemens] : step->mutual)
      equations_.add_transconductance(step->a[of], step->b[of], step->a[by], step->b[by], siemens);
  for (size_t i = 0; i < circuit.controlled_sources.size(); ++i) add_control(i);
  equations_.pin_floating();
  for (const ControlledSource& source : circuit.controlled_sources) require_control(source);
}

LuSolver CircuitEquations::factorized(const SolverOptions& options, const Context& context) const {
  try {
    return {equations_.matrix(), equations_.potentials(), options, context};
  } catch (const SingularMatrix& e) {
    throw grid_error(
        "{}: the circuit has no unique solution: nothing determines {}; check gains, negative values and loops of "
        "voltage sources there",
        first_place(circuit_), name_of(e.unknown));
  }
}

std::vector<double> CircuitEquations::right_hand_side(std::span<const double> load, std::span<const double> volts,
                                                      bool has_constants) const {
  std::vector<double> b = equations_.right_hand_side();
  const Sources& i = circuit_.current_sources;
  for (int64_t k = 0; k < i.size(); ++k) equations_.add_current(i.a[k], i.b[k], load[k], b);
  if (!volts.empty())
    for (const auto& [source, branch] : branch_of_source_) equations_.add_voltage(branch, volts[source], b);
  for (size_t k = 0; has_constants && is_in_full_ && k < circuit_.controlled_sources.size(); ++k) {
    const ControlledSource& source = circuit_.controlled_sources[k];
    if (source.kind == kVoltageSource)
      equations_.add_voltage(branch_[k], source.constant, b);
    else
      equations_.add_current(source.a, source.b, source.constant, b);
  }
  return b;
}

double CircuitEquations::value(size_t k, std::span<const double> x) const {
  const ControlledSource& source = circuit_.controlled_sources[k];
  const auto volts = [&](NodeId from, NodeId to) { return equations_.voltage(from, x) - equations_.voltage(to, x); };
  if (source.kind == kVoltageSource) return volts(source.a, source.b);
  double value = is_in_full_ ? source.constant : 0.0;
  for (const auto& [gain, a, b, of] : source.controls)
    value += gain * (of >= 0 ? equations_.current(branch_of_source_.at(of), x) : volts(a, b));
  return value;
}

/// What stands for an unknown, for messages.
std::string CircuitEquations::name_of(int64_t unknown) const {
  if (unknown < equations_.potentials())
    for (NodeId node = 1; node < circuit_.node_count(); ++node)
      if (merge_.group[node] == unknown) return fmt::format("the voltage of node {}", shown(circuit_.node_name(node)));
  const int64_t branch = unknown - equations_.potentials();
  for (size_t k = 0; k < branch_.size(); ++k)
    if (branch_[k] == branch)
      return fmt::format("the current of '{}'", shown(circuit_.element_name(circuit_.controlled_sources[k])));
  for (const auto& [source, of_source] : branch_of_source_)
    if (of_source == branch)
      return fmt::format("the current of '{}'", shown(circuit_.element_name(kVoltageSource, source)));
  return "a voltage";
}

void CircuitEquations::add_branches() {
  const Sources& v = circuit_.voltage_sources;
  for (const int64_t source : of_branches_)
    branch_of_source_.emplace(source, equations_.add_branch(v.a[source], v.b[source]));
  for (const ControlledSource& source : circuit_.controlled_sources)
    branch_.push_back(source.kind == kVoltageSource ? equations_.add_branch(source.a, source.b) : -1);
}

void CircuitEquations::add_control(size_t k) {
  const ControlledSource& source = circuit_.controlled_sources[k];
  for (const auto& [gain, a, b, of] : source.controls)
    if (source.kind == kVoltageSource && of >= 0)
      equations_.add_resistance(branch_[k], branch_of_source_.at(of), gain);
    else if (source.kind == kVoltageSource)
      equations_.add_gain(branch_[k], a, b, gain);
    else if (of >= 0)
      equations_.add_copy(source.a, source.b, branch_of_source_.at(of), gain);
    else
      equations_.add_transconductance(source.a, source.b, a, b, gain);
}

/// A voltage between parts of which one floats is not determined.
void CircuitEquations::require_control(const ControlledSource& source) {
  for (const auto& [gain, a, b, of] : source.controls) {
    if (of >= 0 || equations_.floating_part(a) == equations_.floating_part(b)) continue;
    throw grid_error("{}: the control of '{}' is not determined: node {} floats; connect it",
                     circuit_.place(source.origin), shown(circuit_.element_name(source)),
                     shown(circuit_.node_name(equations_.floating_part(a) >= 0 ? a : b)));
  }
}

}  // namespace gridiron
