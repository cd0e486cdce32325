// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/geometry.hpp"

namespace gridiron::layout {

/// Boxes or places for look-ups by place: a balanced tree of bounding boxes.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);

  bool empty() const { return boxes_.empty(); }
  /// The indices of those that meet a box, edges included, ascending.
  std::vector<int32_t> meeting(const Box& box) const;
  /// Index of the one nearest to a place, of several the first; there must be one.
  int32_t nearest(Point place) const;

 private:
  struct Branch {
    Box box;
    int32_t first, last;  ///< of order_
    int32_t left = -1;    ///< the branches left and left + 1; −1: none
  };

  void split(int32_t branch);

  std::vector<Box> boxes_;
  std::vector<int32_t> order_;
  std::vector<Branch> branches_;
};

}  // namespace gridiron::layout
