// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/device.hpp"

namespace gridiron {

/// How a tile deals [first, last) to its cells: neighbours to neighbours on a GPU, consecutive ones to each on a CPU.
template <class D, class F>
GRIDIRON_HOST_DEVICE void for_each_of_lane(int64_t first, int64_t last, int64_t lane, int64_t lanes, F f) {
  if constexpr (D::shares_host_memory) {
    const int64_t each = (last - first + lanes - 1) / lanes, end = first + (lane + 1) * each;
    for (int64_t i = first + lane * each; i < (end < last ? end : last); ++i) f(i);
  } else {
    for (int64_t i = first + lane; i < last; i += lanes) f(i);
  }
}

/// Takes together what the lanes of a tile hold, of_lane[0 … 256), into of_lane[0], in a fixed order.
template <class D, class T, class Tile>
GRIDIRON_HOST_DEVICE void join_lanes(Tile& tile, const View<D, T>& of_lane) {
  for (int64_t lanes = 64; lanes > 0; lanes /= 4)
    tile.each(lanes, [&](int64_t lane) {
      for (int64_t other = lane + lanes; other < 4 * lanes; other += lanes) of_lane[lane].take(of_lane[other]);
    });
}

/// Parts of [0, n) that are folded one by one.
inline int64_t fold_chunks(int64_t n) { return std::clamp<int64_t>(n / 2048, 1, 512); }

/// For each column j < k of a block, out[j] becomes what a T has taken for every i in [0, n): item(so_far, i, j) adds
/// to a T of nothing, T::take() joins two. The order is fixed by n and the size of `partial`, a multiple of k.
template <class D, class T, class Item>
void fold(int64_t n, int64_t k, View<D, T> partial, View<D, T> out, Item item) {
  constexpr int64_t kLanes = 256;
  if (k <= 0) return;
  const int64_t chunks = partial.size() / k, length = (n + chunks - 1) / chunks;
  D::for_each_tile(
      chunks * k, kLanes, kLanes * sizeof(T), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t j = tile.index() / chunks, first = tile.index() % chunks * length;
        const int64_t last = first + length < n ? first + length : n;
        const View<D, T> of_lane = tile.template shared<T>(kLanes);
        tile.each(kLanes, [&](int64_t lane) {
          T mine;
          for_each_of_lane<D>(first, last, lane, kLanes, [&](int64_t i) { item(mine, i, j); });
          of_lane[lane] = mine;
        });
        join_lanes<D, T>(tile, of_lane);
        tile.each(1, [&](int64_t) { partial[tile.index()] = of_lane[0]; });
      });
  D::for_each_tile(
      k, kLanes, kLanes * sizeof(T), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t j = tile.index();
        const View<D, T> of_lane = tile.template shared<T>(kLanes);
        tile.each(kLanes, [&](int64_t lane) {
          T mine;
          for (int64_t c = lane; c < chunks; c += kLanes) mine.take(partial[j * chunks + c]);
          of_lane[lane] = mine;
        });
        join_lanes<D, T>(tile, of_lane);
        tile.each(1, [&](int64_t) { out[j] = of_lane[0]; });
      });
}

/// A sum, as fold() takes it together.
struct FoldedSum {
  double value = 0;
  GRIDIRON_HOST_DEVICE void take(const FoldedSum& other) { value += other.value; }
};
/// The largest magnitude; NaN counts as infinite.
struct FoldedMax {
  double value = 0;
  GRIDIRON_HOST_DEVICE void take(const FoldedMax& other) { raise_to(value, other.value); }
};

}  // namespace gridiron
