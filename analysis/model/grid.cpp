// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/grid.hpp"

#include <algorithm>
#include <atomic>

#include "device/disjoint_sets.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// An end of a card: its element twice, plus one for the second.
NodeId end_of(const Sources& sources, int64_t end) { return end % 2 == 0 ? sources.a[end / 2] : sources.b[end / 2]; }

}  // namespace

Grid make_grid(const Circuit& circuit) {
  Grid grid;
  Network& net = grid.network;
  net.nodes = circuit.nodes.size();
  net.fixed = {kGround};
  net.fixed_volts = {0.0};

  const Elements& r = circuit.resistors;
  parallel_choose(
      r.size(), [&](int64_t i) { return r.a[i] != r.b[i] && r.value[i] != 0; },
      [&](int64_t edges) {
        make_room_in_parallel(net.a, edges);
        make_room_in_parallel(net.b, edges);
        make_room_in_parallel(net.conductance, edges);
      },
      [&](int64_t i, int64_t edge) {
        net.a[edge] = r.a[i];
        net.b[edge] = r.b[i];
        net.conductance[edge] = 1.0 / r.value[i];
      });
  grid.tie_elements = parallel_list<Grid::TieElement>(r.size(), [&](int64_t i, auto& ties) {
    if (r.a[i] != r.b[i] && r.value[i] == 0) ties.push_back({kResistor, i});
  });
  for (const Kind kind : {kInductor, kVoltageSource})
    for (int64_t i = 0; i < circuit.elements(kind).size(); ++i) grid.tie_elements.push_back({kind, i});
  const auto ties = std::ssize(grid.tie_elements);
  make_room_in_parallel(net.tie_a, ties);
  make_room_in_parallel(net.tie_b, ties);
  make_room_in_parallel(net.tie_volts, ties);
  parallel_each(ties, [&](int64_t t) {
    const auto [kind, i] = grid.tie_elements[t];
    const Elements& e = circuit.elements(kind);
    net.tie_a[t] = e.a[i];
    net.tie_b[t] = e.b[i];
    net.tie_volts[t] = kind == kVoltageSource ? e.value[i] : 0.0;
  });
  return grid;
}

std::vector<double> node_injection(const Circuit& circuit, std::span<const double> amperes) {
  const Sources& loads = circuit.current_sources;
  std::vector<double> injection;
  assign_in_parallel(injection, circuit.nodes.size());
  for_each_by_node(
      2 * loads.size(), circuit.nodes.size(), [&](int64_t end) { return end_of(loads, end); },
      [&](int64_t end) { injection[end_of(loads, end)] += end % 2 == 0 ? -amperes[end / 2] : amperes[end / 2]; });
  return injection;
}

ControlledTies controlled_ties(const Circuit& circuit) {
  ControlledTies ties;
  for (const ControlledSource& source : circuit.controlled_sources)
    if (source.kind == kVoltageSource) ties.emplace_back(source.a, source.b);
  return ties;
}

namespace {

/// Parts between which there are sources are one system, and have a potential if one of them has.
void connect_systems(const Network& network, const ControlledTies& controlled, Parts& parts) {
  DisjointSets supplies(parts.count());
  const auto connect = [&](NodeId a, NodeId b) {
    const int32_t p = parts.part[a], q = parts.part[b];
    if (p >= 0 && q >= 0) supplies.unite(p, q);
  };
  for (int64_t t = 0; t < network.ties(); ++t) connect(network.tie_a[t], network.tie_b[t]);
  for (const auto& [a, b] : controlled) connect(a, b);
  std::vector<uint8_t> anchored(parts.count(), 0);
  for (int32_t p = 0; p < parts.count(); ++p) anchored[supplies.find(p)] |= parts.anchored[p];
  parts.system.assign(parts.count(), -1);
  for (int32_t p = 0; p < parts.count(); ++p) {
    const int32_t root = supplies.find(p);
    parts.anchored[p] = anchored[root];
    parts.system[p] = root == p ? parts.systems++ : parts.system[root];
  }
}

}  // namespace

Parts find_parts(const Network& network, const ControlledTies& controlled) {
  DisjointSets sets(network.nodes);
  std::vector<uint8_t> touches_ground;
  assign_in_parallel(touches_ground, network.nodes);
  const auto connect = [&](int32_t a, int32_t b) {
    if (a == kGround || b == kGround)
      std::atomic_ref(touches_ground[a == kGround ? b : a]).store(1, std::memory_order_relaxed);
    else
      sets.unite(a, b);
  };
  parallel_each(network.edges(), [&](int64_t e) { connect(network.a[e], network.b[e]); });
  parallel_each(network.ties(), [&](int64_t t) {
    if (network.tie_volts[t] == 0 || network.tie_a[t] == kGround || network.tie_b[t] == kGround)
      connect(network.tie_a[t], network.tie_b[t]);
  });
  for (const auto& [a, b] : controlled)
    if ((a == kGround) != (b == kGround)) connect(a, b);

  // Roots are the lowest nodes of their sets, so that the numbering follows the deck.
  Parts parts;
  assign_in_parallel(parts.part, network.nodes, int32_t{-1});
  parallel_choose(
      network.nodes, [&](int64_t n) { return n != kGround && sets.is_root(static_cast<int32_t>(n)); },
      [&](int64_t count) {
        assign_in_parallel(parts.anchored, count);
        make_room_in_parallel(parts.first_node, count);
        assign_in_parallel(parts.nodes, count);
      },
      [&](int64_t root, int64_t part) {
        parts.part[root] = static_cast<int32_t>(part);
        parts.first_node[part] = static_cast<NodeId>(root);
      });
  parallel_ranges(network.nodes, [&](int64_t begin, int64_t end) {
    // Neighbouring nodes mostly share their part: runs are counted, not nodes.
    int32_t run_part = -1;
    int64_t run = 0;
    const auto end_run = [&] {
      if (run > 0) std::atomic_ref(parts.nodes[run_part]).fetch_add(run, std::memory_order_relaxed);
      run = 0;
    };
    for (int64_t n = std::max<int64_t>(begin, 1); n < end; ++n) {
      const int32_t root = sets.find(static_cast<int32_t>(n)), part = parts.part[root];
      if (root != n) parts.part[n] = part;
      if (part != run_part) {
        end_run();
        run_part = part;
      }
      ++run;
      if (touches_ground[n]) std::atomic_ref(parts.anchored[part]).store(1, std::memory_order_relaxed);
    }
    end_run();
  });
  connect_systems(network, controlled, parts);
  return parts;
}

}  // namespace gridiron
