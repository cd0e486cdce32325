// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/bands.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

Bands::Bands(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  // Equal boxes are the same, so that it does not matter which of them comes first.
  parallel_sort(boxes_, [](const Box& a, const Box& b) {
    return std::tie(a.y0, a.x0, a.y1, a.x1) < std::tie(b.y0, b.x0, b.y1, b.x1);
  });
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Box& box = boxes_[i];
    if (i == 0 || box.y0 > high_.back()) {
      first_.push_back(static_cast<std::int64_t>(i));
      low_.push_back(box.y0);
      high_.push_back(box.y1);
    }
    high_.back() = std::max(high_.back(), box.y1);
  }
  first_.push_back(static_cast<std::int64_t>(boxes_.size()));
}

std::int64_t Bands::at(Dbu v) const {
  const auto after = std::upper_bound(low_.begin(), low_.end(), v);
  if (after == low_.begin()) return -1;
  const std::int64_t band = after - low_.begin() - 1;
  return v <= high_[band] ? band : -1;
}

}  // namespace gridiron::layout
