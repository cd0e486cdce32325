// SPDX-License-Identifier: Apache-2.0
#include "engines/hypre/row_order.hpp"

#include <algorithm>
#include <array>

#include "support/parallel.hpp"

namespace gridiron::hypre {
namespace {

/// Bit `b` of axis `a` becomes bit b·axes + a.
uint32_t interleaved(const std::array<uint32_t, 3>& cell, int axes, int bits) {
  uint32_t key = 0;
  for (int bit = 0; bit < bits; ++bit)
    for (int axis = 0; axis < axes; ++axis) key |= (cell[axis] >> bit & 1) << (bit * axes + axis);
  return key;
}

}  // namespace

RowOrder morton_order(const Coordinates& places) {
  const int64_t n = places.count();
  const int bits = places.axes == 2 ? 16 : 10;
  std::array<float, 3> least{}, scale{};
  for (int axis = 0; axis < places.axes; ++axis) {
    const auto [low, high] = std::ranges::minmax_element(places.at[axis]);
    if (n == 0 || !(*high > *low)) continue;
    least[axis] = *low;
    scale[axis] = static_cast<float>((1 << bits) - 1) / (*high - *low);
  }
  // A key and the unknown in one number: sorting is stable.
  std::vector<uint64_t> keyed(n);
  parallel_each(n, [&](int64_t i) {
    std::array<uint32_t, 3> cell{};
    for (int axis = 0; axis < places.axes; ++axis)
      cell[axis] = static_cast<uint32_t>((places.at[axis][i] - least[axis]) * scale[axis]);
    keyed[i] = uint64_t{interleaved(cell, places.axes, bits)} << 32 | static_cast<uint64_t>(i);
  });
  std::ranges::sort(keyed);
  RowOrder order;
  order.unknown_at.resize(keyed.size());
  order.position_of.resize(keyed.size());
  parallel_each(n, [&](int64_t k) {
    const int32_t unknown = keyed[k] & 0xffffffffU;
    order.unknown_at[k] = unknown;
    order.position_of[unknown] = static_cast<int32_t>(k);
  });
  return order;
}

}  // namespace gridiron::hypre
