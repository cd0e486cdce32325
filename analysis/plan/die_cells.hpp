// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Square cells over the places of some nodes, so many along each side, of which a choice takes the best node each. A
/// node without a place is a cell of its own.
class DieCells {
 public:
  explicit DieCells(const NodeTable& nodes, int per_side) : nodes_(nodes), per_side_(per_side) {}

  void cover(NodeId n) {
    if (!nodes_.has_place(n)) return;
    x0_ = std::min(x0_, nodes_.x_um[n]), x1_ = std::max(x1_, nodes_.x_um[n]);
    y0_ = std::min(y0_, nodes_.y_um[n]), y1_ = std::max(y1_, nodes_.y_um[n]);
  }

  /// Of a node that was covered.
  int64_t of(NodeId n) const {
    if (!nodes_.has_place(n)) return int64_t{-1} - n;
    return int64_t{step(nodes_.x_um[n], x0_, x1_)} * per_side_ + step(nodes_.y_um[n], y0_, y1_);
  }

 private:
  int step(double at, double from, double to) const {
    return to > from ? std::min(per_side_ - 1, static_cast<int>(per_side_ * (at - from) / (to - from))) : 0;
  }

  const NodeTable& nodes_;
  int per_side_;
  double x0_ = HUGE_VAL, x1_ = -HUGE_VAL, y0_ = HUGE_VAL, y1_ = -HUGE_VAL;
};

}  // namespace gridiron
