// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/operating_points.hpp"

#include <algorithm>
#include <utility>

#include "analysis/ir/summarise.hpp"
#include "analysis/ir/system.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {

OperatingPoints::OperatingPoints(const System& system, std::vector<Answer> answers)
    : answers_(std::move(answers)), report_(summarise(system, answers_.front())) {
  for (const Answer& answer : answers_) {
    if (!answer.is_finite()) throw SolverError(kNotFinite);
    std::vector<PadCurrent> pads = find_pads(system, answer);
    if (pads_.empty()) pads_ = std::move(pads);
  }
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
  for (std::int64_t i = 0; i < loads.size(); ++i)
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

Potentials OperatingPoints::from_first(std::int64_t j, const Potentials& deviation) {
  if (j == 0) return deviation;
  if (node_of_group_.empty()) {
    node_of_group_.assign(deviation.merged.size(), kGround);
    for (std::size_t n = 0; n < deviation.size(); ++n)
      if (const auto group = static_cast<std::size_t>(deviation.group[n]); group < node_of_group_.size())
        node_of_group_[group] = static_cast<NodeId>(n);
  }
  shifted_.resize(deviation.merged.size());
  const std::vector<double>&own = answers_[j].voltage_v, &first = answers_[0].voltage_v;
  parallel_ranges(std::ssize(shifted_), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t g = begin; g < end; ++g)
      shifted_[g] = deviation.merged[g] + (own[node_of_group_[g]] - first[node_of_group_[g]]);
  });
  return {shifted_, deviation.group, deviation.held};
}

PadState& OperatingPoints::from_first(std::int64_t j, PadState& state) const {
  if (j == 0) return state;
  const PadState &own = at_rest_[j], &first = at_rest_[0];
  for (std::size_t k = 0; k < state.pad.size(); ++k) state.pad[k] += own.pad[k] - first.pad[k];
  state.supplied += own.supplied - first.supplied;
  state.drawn += own.drawn - first.drawn;
  return state;
}

}  // namespace gridiron
