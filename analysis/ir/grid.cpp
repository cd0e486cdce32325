// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/grid.hpp"

#include <numeric>

namespace gridiron {
namespace {

/// Union-find by lowest index: roots are the lowest nodes of their sets, so that numbering follows the deck.
class DisjointSets {
 public:
  explicit DisjointSets(std::int32_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::int32_t find(std::int32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }

  void unite(std::int32_t i, std::int32_t j) {
    i = find(i);
    j = find(j);
    if (i < j) parent_[j] = i;
    if (j < i) parent_[i] = j;
  }

 private:
  std::vector<std::int32_t> parent_;
};

}  // namespace

Grid make_grid(const Circuit& circuit) {
  Grid grid;
  Network& net = grid.network;
  net.nodes = circuit.nodes.size();
  net.fixed = {kGround};
  net.fixed_volts = {0.0};

  const auto tie = [&](Kind kind, std::int64_t i, double volts) {
    const Elements& e = circuit.elements(kind);
    net.tie_a.push_back(e.a[i]);
    net.tie_b.push_back(e.b[i]);
    net.tie_volts.push_back(volts);
    grid.tie_elements.push_back({kind, i});
  };
  const Elements& r = circuit.resistors;
  net.a.reserve(r.size());
  net.b.reserve(r.size());
  net.conductance.reserve(r.size());
  for (std::int64_t i = 0; i < r.size(); ++i) {
    if (r.a[i] == r.b[i]) continue;
    if (r.value[i] == 0) {
      tie(kResistor, i, 0.0);
      continue;
    }
    net.a.push_back(r.a[i]);
    net.b.push_back(r.b[i]);
    net.conductance.push_back(1.0 / r.value[i]);
  }
  for (std::int64_t i = 0; i < circuit.inductors.size(); ++i) tie(kInductor, i, 0.0);
  for (std::int64_t i = 0; i < circuit.voltage_sources.size(); ++i)
    tie(kVoltageSource, i, circuit.voltage_sources.value[i]);
  net.injection = node_injection(circuit, circuit.current_sources.value);
  return grid;
}

std::vector<double> node_injection(const Circuit& circuit, std::span<const double> amperes) {
  const Sources& loads = circuit.current_sources;
  std::vector<double> injection(circuit.nodes.size(), 0.0);
  for (std::int64_t i = 0; i < loads.size(); ++i) {
    injection[loads.a[i]] -= amperes[i];
    injection[loads.b[i]] += amperes[i];
  }
  return injection;
}

Parts find_parts(const Network& network) {
  DisjointSets sets(network.nodes);
  std::vector<std::uint8_t> touches_ground(network.nodes, 0);
  const auto connect = [&](std::int32_t a, std::int32_t b) {
    if (a == kGround || b == kGround)
      touches_ground[a == kGround ? b : a] = 1;
    else
      sets.unite(a, b);
  };
  for (std::int64_t e = 0; e < network.edges(); ++e) connect(network.a[e], network.b[e]);
  for (std::int64_t t = 0; t < network.ties(); ++t)
    if (network.tie_volts[t] == 0 || network.tie_a[t] == kGround || network.tie_b[t] == kGround)
      connect(network.tie_a[t], network.tie_b[t]);

  Parts parts;
  parts.part.assign(network.nodes, -1);
  for (std::int32_t n = 1; n < network.nodes; ++n) {
    const std::int32_t root = sets.find(n);
    if (root == n) {
      parts.part[n] = parts.count();
      parts.anchored.push_back(0);
      parts.first_node.push_back(n);
      parts.nodes.push_back(0);
    }
    parts.part[n] = parts.part[root];
    parts.anchored[parts.part[n]] |= touches_ground[n];
    ++parts.nodes[parts.part[n]];
  }

  // Sources between parts propagate the anchor.
  DisjointSets supplies(parts.count());
  for (std::int64_t t = 0; t < network.ties(); ++t) {
    const std::int32_t p = parts.part[network.tie_a[t]], q = parts.part[network.tie_b[t]];
    if (p >= 0 && q >= 0) supplies.unite(p, q);
  }
  std::vector<std::uint8_t> anchored(parts.count(), 0);
  for (std::int32_t p = 0; p < parts.count(); ++p) anchored[supplies.find(p)] |= parts.anchored[p];
  parts.system.assign(parts.count(), -1);
  for (std::int32_t p = 0; p < parts.count(); ++p) {
    const std::int32_t root = supplies.find(p);
    parts.anchored[p] = anchored[root];
    parts.system[p] = root == p ? parts.systems++ : parts.system[root];
  }
  return parts;
}

}  // namespace gridiron
