// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

/// Disjoint sets of 0 … n − 1 that many threads join at once. Each is named by the least of its members, whatever the
/// order of the joins.
class ParallelUnion {
 public:
  explicit ParallelUnion(int64_t n) {
    resize_untouched(parent_, static_cast<size_t>(n));
    parallel_each(n, [&](int64_t i) { parent_[i] = static_cast<int32_t>(i); });
  }

  int32_t find(int32_t i) {
    for (;;) {
      const int32_t up = load(i), further = load(up);
      if (up == further) return up;
      at(i).store(further, std::memory_order_relaxed);  // on the way up still, whoever else writes
      i = further;
    }
  }
  void join(int32_t a, int32_t b) {
    for (;;) {
      a = find(a), b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      int32_t root = a;
      if (at(a).compare_exchange_weak(root, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::atomic_ref<int32_t> at(int32_t i) { return std::atomic_ref(parent_[i]); }
  int32_t load(int32_t i) { return at(i).load(std::memory_order_relaxed); }

  std::vector<int32_t> parent_;
};

}  // namespace gridiron::layout
