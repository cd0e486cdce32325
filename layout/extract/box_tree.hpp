// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "layout/extract/axes.hpp"
#include "layout/geometry.hpp"

namespace gridiron::layout {

/// Boxes or places for look-ups by place: a balanced tree of bounding boxes.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);

  bool empty() const { return boxes_.empty(); }
  /// The indices of those that meet a box, edges included, ascending.
  std::vector<int32_t> meeting(const Box& box) const;
  /// f(index) for each of them in any order, until it returns true. Returns whether it did.
  template <class F>
  bool any_meeting(const Box& box, F&& f) const;
  /// Index of the one nearest to a place, of several the first; there must be one.
  int32_t nearest(Point place) const;

 private:
  struct Branch {
    Box box;
    int32_t first, last;  ///< of order_
    int32_t left = -1;    ///< the branches left and left + 1; −1: none
  };

  static constexpr size_t kDeepest = 40;  ///< branches have half of what is above them, of no more than 2^31

  void add_halves(size_t branch);
  /// Finds its box and puts those of its left half in front.
  void arrange(Branch& branch);

  std::vector<Box> boxes_;
  std::vector<int32_t> order_;
  std::vector<Branch> branches_;
};

template <class F>
bool BoxTree::any_meeting(const Box& box, F&& f) const {
  std::array<int32_t, kDeepest> open;
  size_t n = 0;
  if (!branches_.empty()) open[n++] = 0;
  while (n > 0) {
    const Branch& branch = branches_[open[--n]];
    if (!meets(branch.box, box)) continue;
    if (branch.left >= 0) {
      open[n++] = branch.left;
      open[n++] = branch.left + 1;
      continue;
    }
    for (int32_t i = branch.first; i < branch.last; ++i)
      if (meets(boxes_[order_[i]], box) && f(order_[i])) return true;
  }
  return false;
}

}  // namespace gridiron::layout
