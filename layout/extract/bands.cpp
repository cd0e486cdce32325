// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/bands.hpp"

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

Bands::Bands(const std::vector<Box>& boxes)
    : bands_(std::ssize(boxes), [&](int64_t i) {
        return Point{boxes[i].y0, boxes[i].y1};
      }) {
  const ItemsByNode<int32_t> by_band(std::ssize(boxes), size(), [&](int64_t i) { return at(boxes[i].y0); });
  first_.assign(by_band.start.begin(), by_band.start.end());
  resize_untouched(boxes_, boxes.size());
  parallel_each(std::ssize(boxes), [&](int64_t i) { boxes_[i] = boxes[by_band.item[i]]; });
}

}  // namespace gridiron::layout
