// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/intervals.hpp"

namespace gridiron::layout {

void Intervals::join(std::vector<PlaceKey> extents) {
  std::sort(extents.begin(), extents.end());
  for (const PlaceKey key : extents) {
    const Point extent = place_of(key);
    if (low_.empty() || extent.x > high_.back()) {
      low_.push_back(extent.x);
      high_.push_back(extent.y);
    }
    high_.back() = std::max(high_.back(), extent.y);
  }
}

}  // namespace gridiron::layout
