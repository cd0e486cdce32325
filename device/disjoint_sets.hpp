// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "device/host_device.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Union-find whose roots are the lowest members of their sets, whatever the order of the unions. Threads, or those of
/// a kernel, may unite and find at the same time: a root is linked to a lower member by compare-and-swap, so parents
/// are always lower, and paths are halved on the way (R. J. Anderson, H. Woll, STOC 1991). Elements begin as their own
/// parents, or as children of lower members of their sets.
class ParentLinks {
 public:
  GRIDIRON_HOST_DEVICE explicit ParentLinks(int32_t* parent) : parent_(parent) {}

  GRIDIRON_HOST_DEVICE int32_t find(int32_t i) const {
    for (int32_t above = parent(i); above != i;) {
      const int32_t next = parent(above);
      if (next == above) return above;
      set_parent(i, next);
      i = next;
      above = parent(i);
    }
    return i;
  }

  /// Returns the root of both.
  GRIDIRON_HOST_DEVICE int32_t unite(int32_t i, int32_t j) const {
    while (true) {
      i = find(i);
      j = find(j);
      if (i == j) return i;
      const int32_t higher = i < j ? j : i, lower = i < j ? i : j;
      if (link(higher, lower)) return lower;
    }
  }

  /// Makes i a child of its root, which saves others the way; not beside unite().
  GRIDIRON_HOST_DEVICE void flatten(int32_t i) const { set_parent(i, find(i)); }

  GRIDIRON_HOST_DEVICE int32_t parent(int32_t i) const {
#if defined(__CUDA_ARCH__)
    return *static_cast<volatile const int32_t*>(parent_ + i);
#else
    return std::atomic_ref(parent_[i]).load(std::memory_order_relaxed);
#endif
  }

 private:
  GRIDIRON_HOST_DEVICE void set_parent(int32_t i, int32_t above) const {
#if defined(__CUDA_ARCH__)
    *static_cast<volatile int32_t*>(parent_ + i) = above;
#else
    std::atomic_ref(parent_[i]).store(above, std::memory_order_relaxed);
#endif
  }
  /// False if i is no root any more.
  GRIDIRON_HOST_DEVICE bool link(int32_t i, int32_t above) const {
#if defined(__CUDA_ARCH__)
    return atomicCAS(parent_ + i, i, above) == i;
#else
    int32_t root = i;
    return std::atomic_ref(parent_[i]).compare_exchange_strong(root, above, std::memory_order_relaxed);
#endif
  }

  int32_t* parent_;
};

/// ParentLinks with their memory.
class DisjointSets {
 public:
  /// {0}, {1}, … {n − 1}.
  explicit DisjointSets(int32_t n) {
    assign_in_parallel(parent_, n);
    parallel_each(n, [&](int64_t i) { parent_[i] = static_cast<int32_t>(i); });
  }

  int32_t find(int32_t i) { return links().find(i); }
  void unite(int32_t i, int32_t j) { links().unite(i, j); }
  bool is_root(int32_t i) { return links().parent(i) == i; }

 private:
  ParentLinks links() { return ParentLinks(parent_.data()); }

  std::vector<int32_t> parent_;
};

}  // namespace gridiron
