// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_node.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/model/double_range.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// Calls f(s) for each s such that s · (voltage − nominal) is the drop: both of a ground net, whose bounce is |v|.
void for_each_sign(const NetResult& net, auto&& f) {
  if (net.is_ground || net.nominal_v > 0) f(-1.0);
  if (net.is_ground || net.nominal_v < 0) f(1.0);
}

}  // namespace

NodeBounds::NodeBounds(Solver& solver, const IrReport& report, const Budget& budget)
    : report_(report), budget_(budget), merge_(solver.system().topology().merge) {
  const Sources& sources = report.circuit->current_sources;
  const auto ends_of = [&](int64_t source, double factor) {
    return source < 0 ? Ends{kGround, kGround, 0} : Ends{sources.a[source], sources.b[source], factor};
  };
  for (const BudgetLoad& load : budget.loads())
    ends_.push_back({ends_of(load.source, load.sign), ends_of(load.twin, load.twin_factor)});
  solve_for_least(solver);
  for (std::vector<double>& ceiling : ceiling_v_) {
    ceiling.assign(merge_.group.size(), INFINITY);
    for (size_t n = 0; n < ceiling.size(); ++n)
      if (!is_free(static_cast<NodeId>(n))) ceiling[n] = 0;
  }
  lower_ceilings(solver, most_injection(merge_, solver.system().network().nodes));
  std::vector<double> ends(ends_.size(), 0.0);
  for (size_t j = 0; j < ends.size(); ++j)
    for (const Ends& e : ends_[j]) ends[j] += std::abs(e.factor) * (is_free(e.a) + is_free(e.b));
  most_error_per_ohm_ = budget.fill(ends).gain;
}

double NodeBounds::ceiling(NodeId node) const {
  double highest = -INFINITY;
  for_each_sign(net_of(node), [&](double sign) {
    highest = std::max(highest, least_drop(node, sign) + ceiling_v_[sign > 0 ? 1 : 0][node]);
  });
  return highest;
}

double NodeBounds::response_error(double tolerance_v) const {
  constexpr double kShare = 0.9;  // the rest is for rounding
  const double left = kShare * (tolerance_v - least_error_);
  return left > 0 && most_error_per_ohm_ > 0 ? left / most_error_per_ohm_ : INFINITY;
}

BudgetNode NodeBounds::fixed(NodeId node) const {
  BudgetNode result = start(node);
  result.drop_v = -INFINITY;
  for_each_sign(net_of(node), [&](double sign) { result.drop_v = std::max(result.drop_v, least_drop(node, sign)); });
  result.bound_v = least_error_;
  return result;
}

NodeBounds::Found NodeBounds::bounded(const UnitResponse& response) const {
  Found found{start(response.node), {}, response.effective_ohm(), {}};
  for_each_sign(net_of(response.node), [&](double sign) {
    Budget::Filling filling = budget_.fill(gains(response, sign));
    const double drop = least_drop(response.node, sign) + filling.gain;
    const double error = response.error_ohm * most_error_per_ohm_ + rounding(filling.gain);
    found.rise_v[sign > 0 ? 1 : 0] = filling.gain + error;
    if (!found.above_a.empty() && !(drop > found.bound.drop_v)) return;
    found.bound.drop_v = drop;
    found.bound.full_blocks = std::move(filling.full_blocks);
    found.bound.bound_v = least_error_ + error;
    found.above_a = std::move(filling.above_a);
  });
  return found;
}

BudgetNode NodeBounds::start(NodeId node) const {
  BudgetNode result;
  result.node = node;
  result.net = report_.nodes.net[node];
  result.deck_drop_v = report_.nodes.drop_v[node];
  return result;
}

double NodeBounds::least_drop(NodeId node, double sign) const {
  return sign * (least_voltage_[node] - net_of(node).nominal_v);
}

/// ∂drop/∂x of every load, Ω.
std::vector<double> NodeBounds::gains(const UnitResponse& response, double sign) const {
  std::vector<double> gain(ends_.size(), 0.0);
  for (size_t j = 0; j < ends_.size(); ++j)
    for (const Ends& e : ends_[j]) gain[j] += sign * e.factor * (response.ohm[e.b] - response.ohm[e.a]);
  return gain;
}

/// The rounding of a sum of a term per load, all above 0.
double NodeBounds::rounding(double sum) const {
  return static_cast<double>(ends_.size() + 8) * std::numeric_limits<double>::epsilon() * sum;
}

void NodeBounds::solve_for_least(Solver& solver) {
  const auto loads_of = [&](const std::vector<double>& amperes) {
    Loads loads(report_.design);
    std::ranges::copy(amperes, loads.vector(0).begin());
    return loads;
  };
  std::vector<double> room(ends_.size());
  for (size_t j = 0; j < room.size(); ++j) room[j] = budget_.room_a(j);
  solver.system().check(loads_of(budget_.source_amperes(room)));
  const Loads loads = loads_of(budget_.source_amperes());
  Answer answer = std::move(solver.solve(loads).front());
  if (!answer.is_finite()) throw SolverError(kNotFinite);
  least_voltage_ = std::move(answer.voltage_v);
  least_error_ = answer.certificate.bound_v();
}

/// Two columns: what lowers voltages most, currents out of nodes alone, and what raises them most, those into nodes.
std::vector<double> NodeBounds::most_injection(const Merge& merge, int64_t rows) const {
  std::vector<double> injection(2 * rows, 0.0);
  for (size_t j = 0; j < ends_.size(); ++j) {
    const double room = budget_.room_a(j);
    for (const Ends& e : ends_[j]) {
      const NodeId out = e.factor > 0 ? e.a : e.b, in = e.factor > 0 ? e.b : e.a;
      if (is_free(out)) injection[merge.group[out]] -= std::abs(e.factor) * room;
      if (is_free(in)) injection[rows + merge.group[in]] += std::abs(e.factor) * room;
    }
  }
  return injection;
}

void NodeBounds::lower_ceilings(Solver& solver, std::vector<double> injection) {
  const int64_t rows = solver.system().network().nodes;
  const Merge& merge = solver.system().topology().merge;
  std::vector<double> volts(injection.size(), 0.0);
  for (const Accuracy& accuracy : solver.solve({injection.data(), rows, 2}, {volts.data(), rows, 2}))
    ceiling_error_ = std::max(ceiling_error_, accuracy.certificate.bound_v());
  for (const int column : {0, 1}) {
    const double sign = column == 0 ? -1 : 1;
    std::vector<double>& ceiling = ceiling_v_[column];
    for (size_t n = 1; n < ceiling.size(); ++n)
      if (is_free(static_cast<NodeId>(n)))
        ceiling[n] = std::min(ceiling[n], sign * volts[column * rows + merge.group[n]]);
  }
}

void NodeBounds::tighten(const Solver& solver, std::span<const Found> known) {
  constexpr double kShare = 1e-4;  ///< of the resistance between a node and its sources, to the potential that holds it
  const Circuit& circuit = *report_.circuit;
  std::vector<Edit> pads;
  for (const Found& node : known)
    pads.push_back(AddPad{std::string(circuit.node_name(node.bound.node)), net_of(node.bound.node).nominal_v,
                          kShare * node.effective_ohm});
  System held = solver.system();
  held.apply(pads);
  const int64_t rows = held.network().nodes;
  const Merge& merge = held.topology().merge;
  std::vector<double> injection = most_injection(merge, rows);
  for (const Found& node : known)
    for (const int column : {0, 1}) {
      const NodeId n = node.bound.node;
      const double volts = node.rise_v[column].value_or(ceiling_v_[column][n] + ceiling_error_);
      injection[column * rows + merge.group[n]] += (column == 0 ? -volts : volts) / (kShare * node.effective_ohm);
    }
  Solver of_held(std::move(held), solver.options(), solver.context());
  lower_ceilings(of_held, std::move(injection));
}

}  // namespace gridiron
