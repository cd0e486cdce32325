// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Union-find whose roots are the lowest members of their sets, whatever the order of the unions. Threads may unite and
/// find at the same time: a root is linked to a lower member by compare-and-swap, so parents are always lower, and
/// paths are halved on the way (R. J. Anderson, H. Woll, STOC 1991).
class DisjointSets {
 public:
  /// {0}, {1}, … {n − 1}.
  explicit DisjointSets(std::int32_t n) {
    assign_in_parallel(parent_, n);
    parallel_each(n, [&](std::int64_t i) { parent_[i] = static_cast<std::int32_t>(i); });
  }

  std::int32_t find(std::int32_t i) {
    for (std::int32_t above = parent(i); above != i;) {
      std::int32_t next = parent(above);
      if (next == above) return above;
      std::atomic_ref(parent_[i]).store(next, std::memory_order_relaxed);
      i = next;
      above = parent(i);
    }
    return i;
  }

  void unite(std::int32_t i, std::int32_t j) {
    while (true) {
      i = find(i);
      j = find(j);
      if (i == j) return;
      if (i < j) std::swap(i, j);
      std::int32_t root = i;
      if (std::atomic_ref(parent_[i]).compare_exchange_strong(root, j, std::memory_order_relaxed)) return;
    }
  }

  bool is_root(std::int32_t i) { return parent(i) == i; }

 private:
  std::int32_t parent(std::int32_t i) { return std::atomic_ref(parent_[i]).load(std::memory_order_relaxed); }

  std::vector<std::int32_t> parent_;
};

}  // namespace gridiron
