// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Fills sums[i], for every node i, with start_of(i) and value_of(k) of all its items k in [0, items), ascending,
/// summed with compensation (Neumaier, ZAMM 54, 1974): the rounding errors of thousands of pads at one node must not
/// accumulate. `node_of` as in for_each_owner().
template <class StartOf, class NodeOf, class ValueOf>
void sum_carefully(std::span<double> sums, StartOf&& start_of, std::int64_t items, NodeOf&& node_of,
                   ValueOf&& value_of) {
  for_each_owner(items, std::ssize(sums), node_of, [&](const auto& share) {
    for (std::int64_t i = share.first_node; i < share.last_node; ++i) sums[i] = start_of(i);
    if (share.items.empty()) return;
    std::vector<double> rest(share.last_node - share.first_node, 0.0);
    for (const std::int64_t k : share.items) {
      const std::int64_t i = node_of(k);
      const double x = value_of(k), before = sums[i], s = before + x;
      rest[i - share.first_node] += std::abs(before) >= std::abs(x) ? (before - s) + x : (x - s) + before;
      sums[i] = s;
    }
    for (std::int64_t i = share.first_node; i < share.last_node; ++i) sums[i] += rest[i - share.first_node];
  });
}

}  // namespace gridiron
