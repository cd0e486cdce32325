// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/currents.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace gridiron {
namespace {

/// Into the grid, A.
double current_of(const AddedPad& pad, const NodeTable& nodes) {
  return pad.conductance * (pad.volts - nodes.voltage_v[pad.node]);
}

/// Current from each tied node towards the root of its spanning tree of ties, accumulated from the leaves, A.
std::vector<double> currents_to_parent(const Topology& topology, std::span<const double> injection,
                                       const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  const Merge& merge = topology.merge;
  std::vector<double> flow(injection.begin(), injection.end());
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    const std::int32_t a = network.a[e], b = network.b[e];
    const double current = network.conductance[e] * (nodes.voltage_v[a] - nodes.voltage_v[b]);
    flow[a] -= current;
    flow[b] += current;
  }
  for (const AddedPad& pad : topology.added_pads) flow[pad.node] += current_of(pad, nodes);
  for (auto it = merge.order.rbegin(); it != merge.order.rend(); ++it)
    if (merge.parent[*it] >= 0) flow[merge.parent[*it]] += flow[*it];
  return flow;
}

/// Resistors between a net at 0 V and node 0. Those of power nets are loads.
void add_resistors_to_ground(const Topology& topology, const NodeTable& nodes, std::vector<PadCurrent>& pads) {
  const Network& network = topology.grid.network;
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    if (network.a[e] != kGround && network.b[e] != kGround) continue;
    const NodeId n = network.a[e] == kGround ? network.b[e] : network.a[e];
    if (const std::int32_t net = nodes.net[n]; net >= 0 && topology.nets.nets[net].is_ground())
      pads.push_back({-1, e, -1, n, net, nodes.voltage_v[n], -network.conductance[e] * nodes.voltage_v[n]});
  }
}

/// A tie feeds a net when it comes from ground or from another net: sources, and shorts to ground.
std::vector<PadCurrent> find_pads(const Topology& topology, const std::vector<double>& into_a, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  std::vector<PadCurrent> pads;
  for (std::int64_t t = 0; t < network.ties(); ++t) {
    const NodeId ends[] = {network.tie_a[t], network.tie_b[t]};
    const std::int32_t nets[] = {nodes.net[ends[0]], nodes.net[ends[1]]};
    if (nets[0] == nets[1]) continue;
    for (const int side : {0, 1})
      if (nets[side] >= 0)
        pads.push_back(
            {t, -1, -1, ends[side], nets[side], nodes.voltage_v[ends[side]], side == 0 ? into_a[t] : -into_a[t]});
  }
  add_resistors_to_ground(topology, nodes, pads);
  for (std::size_t k = 0; k < topology.added_pads.size(); ++k) {
    const AddedPad& pad = topology.added_pads[k];
    if (nodes.net[pad.node] >= 0)
      pads.push_back({-1, -1, static_cast<std::int64_t>(k), pad.node, nodes.net[pad.node], nodes.voltage_v[pad.node],
                      current_of(pad, nodes)});
  }
  return pads;
}

/// The cards of edges, ascending: edges are the resistors that join two nodes, in the order of the deck.
class EdgeCards {
 public:
  explicit EdgeCards(const Elements& resistors) : resistors_(resistors) {}

  std::int64_t resistor_of(std::int64_t edge) {
    for (; edge_ < edge; ++resistor_)
      if (resistors_.a[resistor_ + 1] != resistors_.b[resistor_ + 1] && resistors_.value[resistor_ + 1] != 0) ++edge_;
    return resistor_;
  }

 private:
  const Elements& resistors_;
  std::int64_t edge_ = -1, resistor_ = -1;  ///< the last one found
};

/// Loads drive current into ground nets and nets below 0 V.
bool returns_current(const NetResult& net) { return net.is_ground || net.nominal_v < 0; }

void sort_by_size(std::vector<PadCurrent>& pads) {
  std::stable_sort(pads.begin(), pads.end(), [](const PadCurrent& a, const PadCurrent& b) {
    return std::abs(a.current_a) > std::abs(b.current_a);
  });
}

}  // namespace

Currents find_currents(const Topology& topology, std::span<const double> injection, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  const Merge& merge = topology.merge;
  const std::vector<double> flow = currents_to_parent(topology, injection, nodes);

  // Per tie the current it feeds into its node a. Ties outside the spanning trees are in parallel with others, which
  // carry their share.
  std::vector<double> into_a(network.ties(), 0.0);
  long double from_ground = 0, loads = 0;
  for (NodeId n = 1; n < network.nodes; ++n) {
    if (nodes.state[n] != NodeState::solved) continue;
    loads -= injection[n];
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
  long double sources_w = 0;
  for (std::int64_t t = 0; t < network.ties(); ++t) sources_w += network.tie_volts[t] * into_a[t];
  for (const AddedPad& pad : topology.added_pads) {
    from_ground += current_of(pad, nodes);
    sources_w += pad.volts * current_of(pad, nodes);
  }
  return {find_pads(topology, into_a, nodes), static_cast<double>(from_ground - loads), static_cast<double>(sources_w)};
}

PowerBalance find_power(const Circuit& circuit, const Topology& topology, const NodeTable& nodes,
                        std::span<const double> amperes, double sources_w) {
  const Network& network = topology.grid.network;
  const std::vector<double>& volts = nodes.voltage_v;
  const auto is_known = [&](NodeId n) { return nodes.state[n] != NodeState::floating; };
  long double loads_w = 0, dissipated_w = 0;
  for (std::size_t i = 0; i < amperes.size(); ++i) {
    const NodeId a = circuit.current_sources.a[i], b = circuit.current_sources.b[i];
    if (is_known(a) && is_known(b)) loads_w += amperes[i] * (volts[a] - volts[b]);
  }
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    if (!is_known(network.a[e]) || !is_known(network.b[e])) continue;
    const double drop = volts[network.a[e]] - volts[network.b[e]];
    dissipated_w += network.conductance[e] * drop * drop;
  }
  for (const AddedPad& pad : topology.added_pads) {
    const double drop = pad.volts - volts[pad.node];
    dissipated_w += pad.conductance * drop * drop;
  }
  return {sources_w, static_cast<double>(loads_w), static_cast<double>(dissipated_w)};
}

std::vector<PadResult> named_pads(const Circuit& circuit, const Topology& topology, std::vector<PadCurrent> pads) {
  EdgeCards edge_cards(circuit.resistors);
  std::map<std::int32_t, double> of_net;
  for (const PadCurrent& pad : pads) of_net[pad.net] += pad.current_a;
  std::vector<PadResult> named;
  for (const PadCurrent& pad : pads) {
    PadResult& result = named.emplace_back();
    result.node = pad.node;
    result.net = pad.net;
    result.voltage_v = pad.voltage_v;
    result.current_a = pad.current_a;
    if (of_net[pad.net] != 0) result.share = pad.current_a / of_net[pad.net];
    if (pad.added >= 0) {
      result.name = topology.added_pads[pad.added].name;
      continue;
    }
    const Grid::TieElement element = pad.tie >= 0 ? topology.grid.tie_elements[pad.tie]
                                                  : Grid::TieElement{kResistor, edge_cards.resistor_of(pad.edge)};
    result.name = circuit.element_name(element.kind, element.index);
    result.place = circuit.place(circuit.elements(element.kind).origin[element.index]);
  }
  std::stable_sort(named.begin(), named.end(), [](const PadResult& a, const PadResult& b) {
    return std::abs(a.current_a) > std::abs(b.current_a);
  });
  return named;
}

void add_currents(const NodeTable& nodes, std::span<const double> injection, std::vector<PadCurrent> pads,
                  std::vector<NetResult>& nets) {
  sort_by_size(pads);
  std::vector<double> most_reversed(nets.size(), 0.0);
  for (std::size_t n = 1; n < injection.size(); ++n) {
    if (nodes.net[n] < 0 || injection[n] == 0) continue;
    NetResult& net = nets[nodes.net[n]];
    const double drawn = returns_current(net) ? injection[n] : -injection[n];
    ++net.loads;
    net.load_current_a += drawn;
    if (drawn >= 0) continue;
    ++net.reversed_loads;
    net.reversed_current_a -= drawn;
    if (double& most = most_reversed[nodes.net[n]]; drawn < most) {
      most = drawn;
      net.reversed_node = static_cast<NodeId>(n);
    }
  }
  for (const PadCurrent& pad : pads) {
    NetResult& net = nets[pad.net];
    ++net.pads;
    net.pad_current_a += returns_current(net) ? -pad.current_a : pad.current_a;
  }
}

}  // namespace gridiron
