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
/// accumulate. node_of(k) is the node of an item, negative: none; it is called up to three times for each.
template <class StartOf, class NodeOf, class ValueOf>
void sum_carefully(std::span<double> sums, StartOf&& start_of, int64_t items, NodeOf&& node_of, ValueOf&& value_of) {
  const auto sum_up = [&](int64_t first, int64_t last, auto&& for_each_item) {
    for (int64_t i = first; i < last; ++i) sums[i] = start_of(i);
    std::vector<double> rest(last - first, 0.0);
    for_each_item([&](int64_t k, int64_t i) {
      const double x = value_of(k), before = sums[i], s = before + x;
      rest[i - first] += std::abs(before) >= std::abs(x) ? (before - s) + x : (x - s) + before;
      sums[i] = s;
    });
    for (int64_t i = first; i < last; ++i) sums[i] += rest[i - first];
  };
  constexpr int64_t kFew = 1 << 14;
  const auto nodes = std::ssize(sums);
  if (nodes + items <= kFew || !has_several_threads())
    return sum_up(0, nodes, [&](auto&& add) {
      for (int64_t k = 0; k < items; ++k)
        if (const int64_t i = node_of(k); i >= 0) add(k, i);
    });
  for_each_owner(items, nodes, node_of, [&](const auto& owned) {
    sum_up(owned.first_node, owned.last_node, [&](auto&& add) {
      for (const int64_t k : owned.items) add(k, node_of(k));
    });
  });
}

}  // namespace gridiron
