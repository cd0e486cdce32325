// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/intervals.hpp"

#include <bit>
#include <numeric>

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
  if (!low_.empty()) make_table();
}

/// Of a few cells per interval.
void Intervals::make_table() {
  const uint32_t extent = static_cast<uint32_t>(high_.back()) - static_cast<uint32_t>(low_.front());
  shift_ = std::max(0, static_cast<int>(std::bit_width(extent)) - static_cast<int>(std::bit_width(low_.size())) - 1);
  first_.assign((size_t{extent} >> shift_) + 2, 0);
  for (const Dbu low : low_) ++first_[cell_of(low) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

}  // namespace gridiron::layout
