// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/conductors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "analysis/results/currents.hpp"
#include "analysis/results/segments.hpp"

namespace gridiron {

Conductors::Conductors(const Circuit& circuit, const Topology& topology, const NodeTable& nodes,
                       std::span<const double> injection)
    : topology_(topology), nodes_(nodes) {
  const Network& network = topology.grid.network;
  start_.assign(nodes.state.size() + 1, 0);
  const auto joins = [&](NodeId a, NodeId b) {
    return a != b && nodes.net[a] >= 0 && nodes.net[a] == nodes.net[b] && nodes.state[a] == NodeState::solved &&
           nodes.state[b] == NodeState::solved;
  };
  const auto for_each = [&](auto&& f) {
    for (int64_t e = 0; e < network.edges(); ++e)
      if (joins(network.a[e], network.b[e])) f(network.a[e], network.b[e], e);
    for (int64_t t = 0; t < network.ties(); ++t)
      if (joins(network.tie_a[t], network.tie_b[t])) f(network.tie_a[t], network.tie_b[t], int64_t{-1});
  };
  for_each([&](NodeId a, NodeId b, int64_t) {
    ++start_[a + 1];
    ++start_[b + 1];
  });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  conductor_.resize(start_.back());
  std::vector<int64_t> next(start_.begin(), start_.end() - 1);
  for_each([&](NodeId a, NodeId b, int64_t edge) {
    conductor_[next[a]++] = {b, edge};
    conductor_[next[b]++] = {a, edge};
  });

  resistor_of_.resize(network.edges());
  for_each_edge(circuit, [&](int64_t resistor, int64_t edge) { resistor_of_[edge] = resistor; });
  for (const PadCurrent& pad : find_currents(topology, injection, nodes).pads) {
    const double ohm = pad.edge >= 0    ? 1 / network.conductance[pad.edge]
                       : pad.added >= 0 ? 1 / topology.added_pads[pad.added].conductance
                                        : 0;
    const auto [it, is_new] = pads_.emplace(pad.node, ohm);
    if (!is_new) it->second = std::min(it->second, ohm);
  }
}

Path Conductors::path_to_pad(NodeId from, double sign) const {
  const Network& network = topology_.grid.network;
  struct Reached {
    double ohm;
    NodeId node;
    bool is_pad;  ///< through the resistance of the pad
    bool operator>(const Reached& other) const { return std::pair(ohm, node) > std::pair(other.ohm, other.node); }
  };
  constexpr double kFar = INFINITY;
  std::vector<double> ohm(nodes_.state.size(), kFar);
  std::vector<Conductor> back(nodes_.state.size(), {-1, -1});
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  ohm[from] = 0;
  queue.push({0, from, false});
  Path path;
  while (!queue.empty()) {
    const Reached at = queue.top();
    queue.pop();
    if (at.is_pad) {
      path.pad = at.node;
      path.ohm = at.ohm;
      break;
    }
    if (at.ohm > ohm[at.node]) continue;
    if (const auto pad = pads_.find(at.node); pad != pads_.end()) queue.push({at.ohm + pad->second, at.node, true});
    for (int64_t k = start_[at.node]; k < start_[at.node + 1]; ++k) {
      const auto [to, edge] = conductor_[k];
      const double through = at.ohm + (edge < 0 ? 0 : 1 / network.conductance[edge]);
      if (!(through < ohm[to])) continue;
      ohm[to] = through;
      back[to] = {at.node, edge};
      queue.push({through, to, false});
    }
  }
  if (path.pad == kGround) return path;
  const double turn = topology_.nets.inverted[topology_.parts.part[from]] ? -1 : 1;
  for (NodeId node = path.pad; node != from; node = back[node].to) {
    const auto [before, edge] = back[node];
    PathStep step;
    step.from = before;
    step.to = node;
    step.drop_v = sign * (nodes_.voltage_v[before] - nodes_.voltage_v[node]);
    if (edge >= 0) {
      step.resistor = resistor_of_[edge];
      step.ohm = 1 / network.conductance[edge];
      step.current_a = turn * network.conductance[edge] * (nodes_.voltage_v[node] - nodes_.voltage_v[before]);
    }
    path.steps.push_back(step);
  }
  std::ranges::reverse(path.steps);
  return path;
}

}  // namespace gridiron
