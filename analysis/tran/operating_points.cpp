// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/operating_points.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/double_range.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/summarise.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

OperatingPoints::OperatingPoints(const System& system, std::vector<Answer> answers, const std::string& net)
    : answers_(std::move(answers)), report_(summarise(system, answers_.front(), {.net = net, .has_insights = false})) {
  for (const Answer& answer : answers_) {
    if (!answer.is_finite()) throw SolverError(beyond_doubles(*system.design()->circuit));
    std::vector<PadCurrent> pads = find_pads(system, answer);
    if (pads_.empty()) pads_ = std::move(pads);
  }
  if (net.empty()) return;
  const std::vector<Net>& nets = system.topology().nets.nets;
  for (PadCurrent& pad : pads_) pad.net = same_name(nets[pad.net].name, net) ? 0 : -1;
}

std::vector<PadCurrent> OperatingPoints::find_pads(const System& system, const Answer& answer) {
  const Topology& topology = system.topology();
  const Circuit& circuit = *system.design()->circuit;
  NodeTable nodes = node_table(system, answer.voltage_v);
  Currents currents = find_currents(topology, node_injection(circuit, answer.load_a), nodes);
  PadState& state = at_rest_.emplace_back();
  for (PadCurrent& pad : currents.pads) {
    if (topology.nets.inverted[topology.parts.part[pad.node]]) pad.current_a = 0.0 - pad.current_a;
    state.pad.push_back(pad.current_a);
  }
  const Sources& loads = circuit.current_sources;
  for (int64_t i = 0; i < loads.size(); ++i)
    state.drawn += answer.load_a[i] * ((loads.b[i] == kGround) - (loads.a[i] == kGround));
  state.supplied = state.drawn + currents.imbalance_a;
  return std::move(currents.pads);
}

Certificate OperatingPoints::certificate() const {
  Certificate worst = answers_.front().certificate;
  for (const Answer& answer : answers_) {
    worst.valid = worst.valid && answer.certificate.valid;
    worst.max_error_v = std::max(worst.max_error_v, answer.certificate.max_error_v);
  }
  return worst;
}

void OperatingPoints::find_nodes(std::span<const int32_t> group, int64_t merged) {
  if (!node_of_group_.empty()) return;
  node_of_group_.assign(merged, kGround);
  for (size_t n = 0; n < group.size(); ++n)
    if (group[n] < merged) node_of_group_[group[n]] = static_cast<NodeId>(n);
}

std::vector<double> OperatingPoints::shifts_v(std::span<const int32_t> group, int64_t merged) {
  find_nodes(group, merged);
  std::vector<double> shifts(merged * (scenarios() - 1));
  for (int64_t j = 1; j < scenarios(); ++j)
    parallel_each(merged, [&](int64_t g) {
      const NodeId n = node_of_group_[g];
      shifts[(j - 1) * merged + g] = answers_[j].voltage_v[n] - answers_[0].voltage_v[n];
    });
  return shifts;
}

std::vector<double> OperatingPoints::pad_shifts_a() const {
  std::vector<double> shifts;
  for (size_t j = 1; j < answers_.size(); ++j)
    for (size_t k = 0; k < pads_.size(); ++k) shifts.push_back(at_rest_[j].pad[k] - at_rest_[0].pad[k]);
  return shifts;
}

Potentials OperatingPoints::from_first(int64_t j, const Potentials& deviation) {
  if (j == 0) return deviation;
  find_nodes(deviation.group, std::ssize(deviation.merged));
  shifted_.resize(deviation.merged.size());
  const std::vector<double>&own = answers_[j].voltage_v, &first = answers_[0].voltage_v;
  parallel_each(std::ssize(shifted_), [&](int64_t g) {
    shifted_[g] = deviation.merged[g] + (own[node_of_group_[g]] - first[node_of_group_[g]]);
  });
  return {shifted_, deviation.group, deviation.held};
}

PadState& OperatingPoints::from_first(int64_t j, PadState& state) const {
  if (j == 0) return state;
  const PadState &own = at_rest_[j], &first = at_rest_[0];
  for (size_t k = 0; k < state.pad.size(); ++k) state.pad[k] += own.pad[k] - first.pad[k];
  state.supplied += own.supplied - first.supplied;
  state.drawn += own.drawn - first.drawn;
  return state;
}

}  // namespace gridiron
