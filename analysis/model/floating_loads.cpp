// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/floating_loads.hpp"

#include <cmath>
#include <map>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// What is left of currents that cancel, as a share of the magnitudes of those that are rounded: whole numbers are not.
constexpr double kRoundingOfLoads = 1e-12;

bool floats(const Parts& parts, NodeId node) { return node != kGround && !parts.anchored[parts.part[node]]; }

}  // namespace

std::vector<int64_t> sources_at_floating(const Circuit& circuit, const Parts& parts) {
  const Sources& sources = circuit.current_sources;
  return parallel_list<int64_t>(sources.size(), [&](int64_t i, auto& list) {
    if (sources.a[i] != sources.b[i] && (floats(parts, sources.a[i]) || floats(parts, sources.b[i]))) list.push_back(i);
  });
}

std::vector<FloatingLoad> floating_loads(const Circuit& circuit, const Parts& parts, std::span<const int64_t> sources,
                                         std::span<const double> amperes) {
  struct Sum {
    int64_t source;
    double net = 0, rest = 0;  ///< a compensated sum (Neumaier)
    double rounded = 0;
  };
  std::map<NodeId, Sum> sums;
  const auto inject = [&](int64_t source, NodeId node, double current) {
    if (current == 0 || !floats(parts, node)) return;
    Sum& sum = sums.try_emplace(node, Sum{source}).first->second;
    const double before = sum.net;
    sum.net += current;
    sum.rest += std::abs(before) >= std::abs(current) ? (before - sum.net) + current : (current - sum.net) + before;
    if (current != std::trunc(current)) sum.rounded += std::abs(current);
  };
  for (const int64_t i : sources) {
    inject(i, circuit.current_sources.a[i], -amperes[i]);
    inject(i, circuit.current_sources.b[i], amperes[i]);
  }
  std::vector<FloatingLoad> loads;
  loads.reserve(sums.size());
  for (const auto& [node, sum] : sums) {
    const double amperes_left = sum.net + sum.rest;
    loads.push_back({node, sum.source, amperes_left, std::abs(amperes_left) <= kRoundingOfLoads * sum.rounded});
  }
  return loads;
}

}  // namespace gridiron
