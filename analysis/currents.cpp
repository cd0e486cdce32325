// SPDX-License-Identifier: Apache-2.0
#include "analysis/currents.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

/// Current that leaves each tied node towards the root of its tree of ties, from the leaves inwards, A.
std::vector<double> currents_to_parent(const Network& network, const Merge& merge, const NodeTable& nodes) {
  std::vector<double> flow(network.injection);
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    const std::int32_t a = network.a[e], b = network.b[e];
    const double current = network.conductance[e] * (nodes.voltage_v[a] - nodes.voltage_v[b]);
    flow[a] -= current;
    flow[b] += current;
  }
  for (auto it = merge.order.rbegin(); it != merge.order.rend(); ++it)
    if (merge.parent[*it] >= 0) flow[merge.parent[*it]] += flow[*it];
  return flow;
}

/// A tie feeds a net when it comes from ground or from another net: sources, and shorts to ground.
void find_pads(const Circuit& circuit, const Grid& grid, const std::vector<double>& into_a, IrResult& result) {
  const Network& network = grid.network;
  for (std::int64_t t = 0; t < network.ties(); ++t) {
    const NodeId ends[] = {network.tie_a[t], network.tie_b[t]};
    const std::int32_t nets[] = {result.nodes.net[ends[0]], result.nodes.net[ends[1]]};
    if (nets[0] == nets[1]) continue;
    const Grid::TieElement& element = grid.tie_elements[t];
    for (const int side : {0, 1}) {
      if (nets[side] < 0) continue;
      PadResult pad;
      pad.name = circuit.element_name(element.kind, element.index);
      pad.place = circuit.place(circuit.elements(element.kind).origin[element.index]);
      pad.node = ends[side];
      pad.net = nets[side];
      pad.voltage_v = result.nodes.voltage_v[pad.node];
      pad.current_a = side == 0 ? into_a[t] : -into_a[t];
      result.pads.push_back(std::move(pad));
    }
  }
  std::stable_sort(result.pads.begin(), result.pads.end(), [](const PadResult& a, const PadResult& b) {
    return std::abs(a.current_a) > std::abs(b.current_a);
  });
}

}  // namespace

void find_currents(const Circuit& circuit, const Grid& grid, const Merge& merge, IrResult& result) {
  const Network& network = grid.network;
  const NodeTable& nodes = result.nodes;
  const std::vector<double> flow = currents_to_parent(network, merge, nodes);

  // Per tie the current it feeds into its node a. Ties outside the trees stand parallel to others, which carry their
  // share.
  std::vector<double> into_a(network.ties(), 0.0);
  long double from_ground = 0, loads = 0;
  for (NodeId n = 1; n < network.nodes; ++n) {
    if (nodes.state[n] != NodeState::solved) continue;
    loads -= network.injection[n];
    if (merge.parent[n] < 0) continue;
    const std::int64_t tie = merge.parent_tie[n];
    into_a[tie] = network.tie_a[tie] == n ? -flow[n] : flow[n];
    if (merge.parent[n] == kGround) from_ground -= flow[n];
  }
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    if (network.a[e] != kGround && network.b[e] != kGround) continue;
    const NodeId n = network.a[e] == kGround ? network.b[e] : network.a[e];
    if (nodes.state[n] == NodeState::solved) from_ground -= network.conductance[e] * nodes.voltage_v[n];
  }
  result.certificate.current_imbalance_a = static_cast<double>(from_ground - loads);

  find_pads(circuit, grid, into_a, result);
  for (NodeId n = 1; n < network.nodes; ++n) {
    if (nodes.net[n] < 0 || network.injection[n] == 0) continue;
    NetResult& net = result.nets[nodes.net[n]];
    ++net.loads;
    net.load_current_a += net.is_ground ? network.injection[n] : -network.injection[n];
  }
  for (const PadResult& pad : result.pads) {
    NetResult& net = result.nets[pad.net];
    ++net.pads;
    net.pad_current_a += net.is_ground ? -pad.current_a : pad.current_a;
  }
}

}  // namespace gridiron
