// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/held_nodes.hpp"

#include "netlist/circuit.hpp"

namespace gridiron {

void HeldNodes::find_edges(const Topology& step) {
  const Network& network = step.grid.network;
  const Merge& merge = step.merge;
  std::vector<char> is_held(network.nodes, 0);
  for (size_t k = 0; k < merge.order.size(); ++k) {
    const int32_t n = merge.order[k];
    const Grid::TieElement element = step.grid.tie_elements[merge.order_tie[k]];
    is_held[n] = element.kind == kVoltageSource || is_held[merge.parent[n]];
  }
  for (int64_t k = 0; k < network.edges(); ++k)
    if (is_held[network.a[k]] || is_held[network.b[k]]) edges_.push_back(k);
}

void HeldNodes::move(const Topology& step, std::span<const double> volts) {
  if (volts.empty() && next_.empty()) return;
  const Merge& merge = step.merge;
  if (next_.empty()) {
    next_.assign(merge.group.size(), 0.0);
    find_edges(step);
  }
  for (size_t k = 0; k < merge.order.size(); ++k) {
    const int32_t n = merge.order[k];
    const int64_t tie = merge.order_tie[k];
    const Grid::TieElement element = step.grid.tie_elements[tie];
    const double more = element.kind == kVoltageSource && !volts.empty() ? volts[element.index] : 0.0;
    next_[n] = next_[merge.parent[n]] + (step.grid.network.tie_a[tie] == n ? more : -more);
  }
}

void HeldNodes::add_driven(const Topology& step, Block<double> injection) const {
  if (next_.empty()) return;
  const Network& network = step.grid.network;
  const int64_t merged = injection.rows;
  for (const int64_t k : edges_) {
    const double driven = network.conductance[k] * (next_[network.a[k]] - next_[network.b[k]]);
    const int32_t a = step.merge.group[network.a[k]], b = step.merge.group[network.b[k]];
    if (driven == 0 || a == b) continue;
    for (int64_t j = 0; j < injection.columns; ++j) {
      if (a < merged) injection.data[j * merged + a] -= driven;
      if (b < merged) injection.data[j * merged + b] += driven;
    }
  }
}

}  // namespace gridiron
