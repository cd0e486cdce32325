// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/axes.hpp"
#include "layout/geometry.hpp"

namespace gridiron::layout {

/// Metal of one layer and net after union and cuts, in u and v, sorted by u and then v of their low corners: rectangles
/// as high as the metal is, which touch only at their ends; where shapes have edges of 45 degrees, trapezoids too.
struct Pieces {
  std::pmr::vector<Box> box;         ///< of a trapezoid: its bounding box
  std::pmr::vector<int32_t> by_end;  ///< indices, sorted by u and then v of where pieces end
  /// Corners of each piece, not closed; empty for a rectangle. The whole array is empty if all are rectangles.
  std::vector<std::vector<Point>> corners;

  /// None, whose arrays will be in this memory.
  explicit Pieces(std::pmr::memory_resource* memory) : box(memory), by_end(memory) {}

  int64_t size() const { return static_cast<int64_t>(box.size()); }
  bool has_trapezoids() const { return !corners.empty(); }
  bool is_trapezoid(int64_t piece) const { return has_trapezoids() && !corners[piece].empty(); }
  /// Whether a place is in a piece or on its edge.
  bool holds(int64_t piece, Point p) const;
  /// Across a current along u or along v. Of a trapezoid: the mean, its area by its extent along the current.
  Dbu width_along_u(int64_t piece) const;
  Dbu width_along_v(int64_t piece) const;
};

/// Union of boxes, cut at right angles to u. The pieces and what it takes to find them are in `memory`.
Pieces cut(std::span<const Box> boxes, std::pmr::memory_resource* memory = std::pmr::get_default_resource());
/// The same of boxes and polygons with edges of 0, 45 and 90 degrees (others are taken by their bounding box).
Pieces cut(std::span<const Box> boxes, std::span<const std::vector<Point>> polygons,
           std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Piece a ends at u, where piece b begins, and both have v from low to high; at a corner low = high.
struct Contact {
  int32_t a, b;
  Dbu u, low, high;
};
std::pmr::vector<Contact> end_contacts(const Pieces& pieces,
                                       std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Where pieces of one polygon meet: the middle of every end that two of them share. Pieces that touch at a corner
/// only, without being connected by others, belong to different polygons.
std::pmr::vector<Point> meeting_places(const Pieces& pieces, std::pmr::memory_resource* memory);

}  // namespace gridiron::layout
