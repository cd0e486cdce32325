// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/geometry.hpp"

namespace gridiron::layout {

/// A place as one number, ordered by x and then y.
using PlaceKey = uint64_t;

inline PlaceKey key_of(Point p) {
  constexpr uint32_t kSign = 1U << 31;
  return PlaceKey{static_cast<uint32_t>(p.x) ^ kSign} << 32 | (static_cast<uint32_t>(p.y) ^ kSign);
}
inline Point place_of(PlaceKey key) {
  constexpr uint32_t kSign = 1U << 31;
  return {static_cast<Dbu>(static_cast<uint32_t>(key >> 32) ^ kSign),
          static_cast<Dbu>(static_cast<uint32_t>(key) ^ kSign)};
}

struct KeyedPlace {
  PlaceKey key;
  int32_t index;
};

/// Sorts by key, on all threads; those with the same key stay in their order.
void sort_places(std::vector<KeyedPlace>& places);

/// The same on this thread. `scratch` is as large; what it held is lost.
void sort_places(std::span<KeyedPlace> places, std::span<KeyedPlace> scratch);

}  // namespace gridiron::layout
