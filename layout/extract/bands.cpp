// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/bands.hpp"

#include <algorithm>
#include <unordered_set>

#include "layout/extract/sort_places.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// The extents in v of boxes, each once. There are few: those of the rails and pins in a row, or of the straps.
std::vector<PlaceKey> extents_of(const std::vector<Box>& boxes) {
  using Extents = std::vector<PlaceKey>;
  Extents all = joined_ranges<Extents>(
      std::ssize(boxes),
      [&](int64_t begin, int64_t end) {
        std::unordered_set<PlaceKey> seen;
        PlaceKey last = 0;
        Extents some;
        for (int64_t i = begin; i < end; ++i) {
          const PlaceKey extent = key_of({boxes[i].y0, boxes[i].y1});
          if (extent != last && seen.insert(extent).second) some.push_back(extent);
          last = extent;
        }
        return some;
      },
      [](Extents& joined, const Extents& some) { joined.insert(joined.end(), some.begin(), some.end()); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

Bands::Bands(const std::vector<Box>& boxes) {
  for (const PlaceKey key : extents_of(boxes)) {
    const Point extent = place_of(key);
    if (low_.empty() || extent.x > high_.back()) {
      low_.push_back(extent.x);
      high_.push_back(extent.y);
    }
    high_.back() = std::max(high_.back(), extent.y);
  }
  const ItemsByNode<int32_t> by_band(std::ssize(boxes), size(), [&](int64_t i) { return at(boxes[i].y0); });
  first_.assign(by_band.start.begin(), by_band.start.end());
  resize_untouched(boxes_, boxes.size());
  parallel_each(std::ssize(boxes), [&](int64_t i) { boxes_[i] = boxes[by_band.item[i]]; });
}

int64_t Bands::at(Dbu v) const {
  const auto after = std::upper_bound(low_.begin(), low_.end(), v);
  if (after == low_.begin()) return -1;
  const int64_t band = after - low_.begin() - 1;
  return v <= high_[band] ? band : -1;
}

}  // namespace gridiron::layout
