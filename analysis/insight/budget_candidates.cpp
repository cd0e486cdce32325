// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_candidates.hpp"

#include <algorithm>
#include <utility>

namespace gridiron {

BudgetCandidates::BudgetCandidates(const System& system, const IrReport& report, const NodeBounds& bounds)
    : topology_(system.topology()), of_net_(report.nets.size()), fixed_(report.nets.size()) {
  const Merge& merge = topology_.merge;
  const std::vector<uint8_t> is_exposed = exposed(report);
  std::vector<uint8_t> has_offsets(is_exposed.size(), 0), is_taken(is_exposed.size(), 0);
  for (size_t n = 1; n < merge.group.size(); ++n)
    if (merge.group[n] < merge.unknowns && merge.offset[n] != 0) has_offsets[merge.group[n]] = 1;
  for (size_t n = 1; n < report.nodes.net.size(); ++n) {
    const int32_t net = report.nodes.net[n], group = merge.group[n];
    if (net < 0) continue;
    const NodeId node = n;
    if (bounds.is_fixed(node)) {
      BudgetNode held = bounds.fixed(node);
      if (!fixed_[net] || held.drop_v > fixed_[net]->drop_v) fixed_[net] = std::move(held);
      continue;
    }
    const bool is_alone = joins_nets(topology_.parts.part[n]) || has_offsets[group];
    if (is_alone || (is_exposed[group] && !std::exchange(is_taken[group], 1))) of_net_[net].push_back(node);
  }
}

std::vector<NodeId> BudgetCandidates::of_net(int32_t net, const NodeBounds& bounds) const {
  std::vector<NodeId> nodes = of_net_[net];
  sort_by_ceiling(nodes, bounds);
  return nodes;
}

std::vector<uint8_t> BudgetCandidates::exposed(const IrReport& report) const {
  const Merge& merge = topology_.merge;
  std::vector<uint8_t> is_exposed(merge.unknowns, 0);
  const auto expose = [&](NodeId node) {
    if (node != kGround && merge.group[node] < merge.unknowns) is_exposed[merge.group[node]] = 1;
  };
  const Sources& sources = report.circuit->current_sources;
  for (const std::vector<NodeId>* ends : {&sources.a, &sources.b})
    for (const NodeId node : *ends) expose(node);
  for (const AddedPad& pad : topology_.added_pads) expose(pad.node);
  const Network& network = topology_.grid.network;
  for (int64_t e = 0; e < network.edges(); ++e) {
    if (network.a[e] != kGround && network.b[e] != kGround) continue;
    const NodeId node = network.a[e] == kGround ? network.b[e] : network.a[e];
    const int32_t net = report.nodes.net[node];
    if (net >= 0 && !report.nets[net].is_ground) expose(node);
  }
  return is_exposed;
}

void sort_by_ceiling(std::vector<NodeId>& nodes, const NodeBounds& bounds) {
  std::vector<std::pair<double, NodeId>> order;
  for (const NodeId node : nodes) order.emplace_back(-bounds.ceiling(node), node);
  std::ranges::sort(order);
  for (size_t k = 0; k < nodes.size(); ++k) nodes[k] = order[k].second;
}

}  // namespace gridiron
