// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "regularize/network.hpp"

namespace gridiron::test {

/// Builds a network by hand, one element per line.
struct NetworkBuilder {
  Network network;

  explicit NetworkBuilder(int32_t nodes) {
    network.nodes = nodes;
    network.injection.assign(nodes, 0.0);
  }
  NetworkBuilder& edge(int32_t a, int32_t b, double siemens) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(siemens);
    return *this;
  }
  NetworkBuilder& tie(int32_t a, int32_t b, double volts) {
    network.tie_a.push_back(a);
    network.tie_b.push_back(b);
    network.tie_volts.push_back(volts);
    return *this;
  }
  NetworkBuilder& fix(int32_t node, double volts) {
    network.fixed.push_back(node);
    network.fixed_volts.push_back(volts);
    return *this;
  }
  NetworkBuilder& inject(int32_t node, double amperes) {
    network.injection[node] += amperes;
    return *this;
  }
};

/// A small connected network with everything: tree branches, meshes, parallel edges, ties with offsets (without loops),
/// edges shorted by a tie, pads at different potentials, loads anywhere. Conductances spread over 10^±decades.
inline Network random_network(unsigned seed, double decades) {
  std::mt19937 random(seed);
  const auto below = [&](int32_t n) { return static_cast<int32_t>(random() % static_cast<unsigned>(n)); };
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const auto siemens = [&] { return std::pow(10.0, decades * (2 * uniform() - 1)); };

  const int32_t nodes = 2 + below(40);
  NetworkBuilder net(nodes);
  for (int32_t node = 1; node < nodes; ++node) net.edge(node, below(node), siemens());
  for (int32_t k = below(nodes); k > 0; --k) {
    const int32_t a = below(nodes), b = below(nodes);
    for (int32_t parallel = 1 + below(5) / 3; a != b && parallel > 0; --parallel) net.edge(a, b, siemens());
  }
  for (int32_t node = 0; node < nodes; ++node) {
    if (below(3) == 0) net.inject(node, uniform() - 0.7);
  }

  std::vector<int32_t> part(nodes);
  std::iota(part.begin(), part.end(), 0);
  std::vector<bool> part_fixed(nodes, false);
  for (int32_t k = below(1 + nodes / 3); k > 0; --k) {
    const int32_t a = below(nodes), b = below(nodes), from = part[a], to = part[b];
    if (from == to) continue;
    for (auto& p : part) p = p == from ? to : p;
    net.tie(a, b, below(2) ? uniform() - 0.5 : 0.0);
  }
  for (int32_t k = 1 + below(3); k > 0; --k) {
    const int32_t node = below(nodes);
    if (part_fixed[part[node]]) continue;
    part_fixed[part[node]] = true;
    net.fix(node, 2 * uniform());
  }
  return net.network;
}

}  // namespace gridiron::test
