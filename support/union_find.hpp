// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace gridiron {

/// Disjoint sets of 0 … n − 1. Each is named by the least of its members.
class UnionFind {
 public:
  explicit UnionFind(int64_t n) : parent_(static_cast<size_t>(n)) { std::iota(parent_.begin(), parent_.end(), 0); }

  int32_t find(int32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(int32_t a, int32_t b) {
    a = find(a), b = find(b);
    if (a > b) std::swap(a, b);
    parent_[b] = a;
  }

 private:
  std::vector<int32_t> parent_;
};

}  // namespace gridiron
