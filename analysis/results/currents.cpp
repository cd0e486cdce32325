// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/currents.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/results/net_statistics.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The current of an added pad into the grid, A.
double current_of(const AddedPad& pad, const NodeTable& nodes) {
  return pad.conductance * (pad.volts - nodes.voltage_v[pad.node]);
}

/// The node at an end of an edge: the edge twice, plus one for the second.
NodeId node_at(const Network& network, int64_t end) { return end % 2 == 0 ? network.a[end / 2] : network.b[end / 2]; }

/// Current from each node below the root of a spanning tree of ties towards that root, accumulated from the leaves, A.
std::vector<double> currents_to_parent(const Topology& topology, std::span<const double> injection,
                                       const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  const Merge& merge = topology.merge;
  std::vector<double> flow = parallel_copy(injection);
  const auto ends = parallel_list<int64_t>(2 * network.edges(), [&](int64_t end, auto& list) {
    if (merge.parent[node_at(network, end)] >= 0) list.push_back(end);
  });
  for_each_by_node(
      std::ssize(ends), network.nodes, [&](int64_t k) { return node_at(network, ends[k]); },
      [&](int64_t k) {
        const NodeId node = node_at(network, ends[k]), other = node_at(network, ends[k] ^ 1);
        flow[node] -= network.conductance[ends[k] / 2] * (nodes.voltage_v[node] - nodes.voltage_v[other]);
      });
  for (const AddedPad& pad : topology.added_pads) flow[pad.node] += current_of(pad, nodes);
  for (auto node = merge.order.rbegin(); node != merge.order.rend(); ++node) flow[merge.parent[*node]] += flow[*node];
  return flow;
}

std::vector<int64_t> edges_to_ground(const Network& network) {
  return parallel_list<int64_t>(network.edges(), [&](int64_t e, auto& list) {
    if (network.a[e] == kGround || network.b[e] == kGround) list.push_back(e);
  });
}

/// The net that an element at a node feeds: inside of a branch, which is of no net itself, that at its other end.
int32_t fed_net(const Topology& topology, const NodeTable& nodes, NodeId n) {
  return topology.branches.has(n) ? topology.nets.net_of(topology.parts.part[n], -1, nodes.voltage_v[n]) : nodes.net[n];
}

/// Resistors between a net at 0 V and node 0, unless they are leaks, be it through the inductor of a package. Those of
/// power nets are loads.
void add_resistors_to_ground(const Topology& topology, std::span<const int64_t> to_ground, const NodeTable& nodes,
                             std::vector<PadCurrent>& pads) {
  const Network& network = topology.grid.network;
  for (const int64_t e : to_ground) {
    const NodeId n = network.a[e] == kGround ? network.b[e] : network.a[e];
    if (const int32_t net = fed_net(topology, nodes, n);
        net >= 0 && topology.nets.nets[net].is_ground() &&
        !topology.branches.is_leak(topology.parts.part[n], network.conductance[e]))
      pads.push_back({-1, e, -1, n, net, nodes.voltage_v[n], -network.conductance[e] * nodes.voltage_v[n]});
  }
}

/// A tie feeds a net when it comes from ground or from another net: sources, and shorts to ground.
std::vector<PadCurrent> find_pads(const Topology& topology, const std::vector<double>& into_a,
                                  std::span<const int64_t> to_ground, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  std::vector<PadCurrent> pads;
  for (int64_t t = 0; t < network.ties(); ++t) {
    const NodeId ends[] = {network.tie_a[t], network.tie_b[t]};
    const int32_t nets[] = {fed_net(topology, nodes, ends[0]), fed_net(topology, nodes, ends[1])};
    if (nets[0] == nets[1]) continue;
    for (const int side : {0, 1})
      if (nets[side] >= 0)
        pads.push_back(
            {t, -1, -1, ends[side], nets[side], nodes.voltage_v[ends[side]], side == 0 ? into_a[t] : -into_a[t]});
  }
  add_resistors_to_ground(topology, to_ground, nodes, pads);
  for (size_t k = 0; k < topology.added_pads.size(); ++k) {
    const AddedPad& pad = topology.added_pads[k];
    if (nodes.net[pad.node] >= 0)
      pads.push_back({-1, -1, static_cast<int64_t>(k), pad.node, nodes.net[pad.node], nodes.voltage_v[pad.node],
                      current_of(pad, nodes)});
  }
  return pads;
}

/// The cards of edges, ascending: edges are the resistors that join two nodes, in the order of the deck.
class EdgeCards {
 public:
  explicit EdgeCards(const Elements& resistors) : resistors_(resistors) {}

  int64_t resistor_of(int64_t edge) {
    for (; edge_ < edge; ++resistor_)
      if (resistors_.a[resistor_ + 1] != resistors_.b[resistor_ + 1] && resistors_.value[resistor_ + 1] != 0) ++edge_;
    return resistor_;
  }

 private:
  const Elements& resistors_;
  int64_t edge_ = -1, resistor_ = -1;  ///< the last one found
};

/// Loads drive current into ground nets and nets below 0 V.
bool returns_current(const NetResult& net) { return net.is_ground || net.nominal_v < 0; }

template <class Pad>
void sort_by_size(std::vector<Pad>& pads) {
  std::ranges::stable_sort(pads, std::greater<>(), [](const Pad& pad) { return std::abs(pad.current_a); });
}

}  // namespace

Currents find_currents(const Topology& topology, std::span<const double> injection, const NodeTable& nodes,
                       bool do_sources_follow) {
  const Network& network = topology.grid.network;
  const Merge& merge = topology.merge;
  const std::vector<double> flow = currents_to_parent(topology, injection, nodes);

  // Per tie the current it feeds into its node a. Ties outside the spanning trees are in parallel with others, which
  // carry their share.
  std::vector<double> into_a(network.ties(), 0.0);
  const auto is_solved = [&](int64_t n) { return n != kGround && nodes.state[n] == NodeState::solved; };
  const auto loads =
      parallel_sum<long double>(network.nodes, [&](int64_t n) { return is_solved(n) ? -injection[n] : 0.0; });
  long double from_ground = 0;
  for (size_t k = 0; k < merge.order.size(); ++k) {
    const NodeId n = merge.order[k];
    if (!is_solved(n)) continue;
    const int64_t tie = merge.order_tie[k];
    into_a[tie] = network.tie_a[tie] == n ? -flow[n] : flow[n];
    if (merge.parent[n] == kGround) from_ground -= flow[n];
  }
  const std::vector<int64_t> to_ground = edges_to_ground(network);
  for (const int64_t e : to_ground) {
    const NodeId n = network.a[e] == kGround ? network.b[e] : network.a[e];
    if (nodes.state[n] == NodeState::solved) from_ground -= network.conductance[e] * nodes.voltage_v[n];
  }
  long double sources_w = 0;
  const auto held = [&](int64_t t) {
    return do_sources_follow ? nodes.voltage_v[network.tie_a[t]] - nodes.voltage_v[network.tie_b[t]]
                             : network.tie_volts[t];
  };
  for (int64_t t = 0; t < network.ties(); ++t) sources_w += held(t) * into_a[t];
  for (const AddedPad& pad : topology.added_pads) {
    from_ground += current_of(pad, nodes);
    sources_w += pad.volts * current_of(pad, nodes);
  }
  return {find_pads(topology, into_a, to_ground, nodes), static_cast<double>(from_ground - loads),
          static_cast<double>(sources_w)};
}

PowerBalance find_power(const Circuit& circuit, const Topology& topology, const NodeTable& nodes,
                        std::span<const double> amperes, double sources_w) {
  const Network& network = topology.grid.network;
  const std::vector<double>& volts = nodes.voltage_v;
  const auto is_known = [&](NodeId n) { return nodes.state[n] != NodeState::floating; };
  const auto loads_w = parallel_sum<long double>(std::ssize(amperes), [&](int64_t i) {
    const NodeId a = circuit.current_sources.a[i], b = circuit.current_sources.b[i];
    return is_known(a) && is_known(b) ? amperes[i] * (volts[a] - volts[b]) : 0.0;
  });
  auto dissipated_w = parallel_sum<long double>(network.edges(), [&](int64_t e) {
    if (!is_known(network.a[e]) || !is_known(network.b[e])) return 0.0;
    const double drop = volts[network.a[e]] - volts[network.b[e]];
    return network.conductance[e] * drop * drop;
  });
  for (const AddedPad& pad : topology.added_pads) {
    const double drop = pad.volts - volts[pad.node];
    dissipated_w += pad.conductance * drop * drop;
  }
  return {sources_w, static_cast<double>(loads_w), static_cast<double>(dissipated_w)};
}

std::vector<PadResult> named_pads(const Circuit& circuit, const Topology& topology, std::span<const PadCurrent> pads,
                                  bool with_places) {
  EdgeCards edge_cards(circuit.resistors);
  std::vector<Grid::TieElement> elements;
  for (const PadCurrent& pad : pads)
    elements.push_back(pad.added >= 0 ? Grid::TieElement{kResistor, -1}
                       : pad.tie >= 0 ? topology.grid.tie_elements[pad.tie]
                                      : Grid::TieElement{kResistor, edge_cards.resistor_of(pad.edge)});
  std::vector<PadResult> named(pads.size());
  const auto name = [&](int64_t i) {
    PadResult& result = named[i];
    result.node = pads[i].node;
    result.net = pads[i].net;
    result.voltage_v = pads[i].voltage_v;
    result.current_a = pads[i].current_a;
    if (pads[i].added >= 0) {
      result.name = topology.added_pads[pads[i].added].name;
      return;
    }
    const auto [kind, index] = elements[i];
    result.name = circuit.element_name(kind, index);
    if (with_places) result.place = circuit.place(circuit.elements(kind).origin[index]);
  };
  constexpr int64_t kFewPads = 1 << 8;
  parallel_each(std::ssize(pads), name, kFewPads);
  return named;
}

std::vector<PadResult> ranked(std::vector<PadResult> pads) {
  std::map<int32_t, double> of_net;
  for (const PadResult& pad : pads) of_net[pad.net] += pad.current_a;
  for (PadResult& pad : pads)
    if (const double all = of_net[pad.net]; all != 0) pad.share = pad.current_a / all;
  sort_by_size(pads);
  return pads;
}

std::vector<NetStatistics> current_statistics(const NodeTable& nodes, std::span<const double> injection,
                                              std::vector<PadCurrent> pads, const std::vector<NetResult>& nets) {
  auto statistics = joined_ranges<std::vector<NetStatistics>>(
      std::ssize(injection),
      [&](int64_t begin, int64_t end) {
        std::vector<NetStatistics> some(nets.size());
        for (int64_t n = std::max<int64_t>(begin, 1); n < end; ++n) {
          if (nodes.net[n] < 0 || injection[n] == 0) continue;
          NetStatistics& of_net = some[nodes.net[n]];
          const double drawn = returns_current(nets[nodes.net[n]]) ? injection[n] : -injection[n];
          of_net.loads.add(drawn, n);
          if (drawn < 0) of_net.reversed.add(-drawn, n);
        }
        return some;
      },
      [&](std::vector<NetStatistics>& all, const std::vector<NetStatistics>& some) {
        all.resize(nets.size());
        for (size_t k = 0; k < some.size(); ++k) all[k].take(some[k]);
      },
      std::max<int64_t>(1 << 14, 8 * std::ssize(nets)));
  statistics.resize(nets.size());
  sort_by_size(pads);
  for (const PadCurrent& pad : pads)
    statistics[pad.net].pads.add(returns_current(nets[pad.net]) ? -pad.current_a : pad.current_a, pad.node);
  return statistics;
}

}  // namespace gridiron
