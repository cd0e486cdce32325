// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/extract/axes.hpp"
#include "layout/extract/intervals.hpp"
#include "layout/geometry.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// The pieces of a network on one layer, with what they cover across its wires.
class LayerMetal {
 public:
  LayerMetal(const Network& network, int32_t layer, Axes axes);

  int64_t size() const { return std::ssize(boxes_); }
  const Box& box(int64_t piece) const { return boxes_[piece]; }
  /// Null of a rectangle.
  const std::vector<Point>* corners(int64_t piece) const;
  const Intervals& rows() const { return rows_; }

 private:
  std::span<const Box> boxes_;
  std::span<const Trapezoid> trapezoids_;
  int64_t first_;  ///< of the network's pieces
  Intervals rows_;
};

/// Whether convex shapes overlap, or meet at more than a point.
bool conduct(const std::vector<Point>& a, const std::vector<Point>& b);

/// What pieces of two nets on one layer have in common where they conduct, each pair for itself.
std::vector<Box> contacts(const LayerMetal& a, const LayerMetal& b, Axes axes);

/// The bounding boxes of groups of boxes that hang together, corners included, in order of x and then y.
std::vector<Box> joined(std::vector<Box> boxes);

}  // namespace gridiron::layout
