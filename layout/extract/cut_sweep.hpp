// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/pieces.hpp"
#include "layout/geometry.hpp"

namespace gridiron::layout {

/// Union of boxes and its cuts at right angles to u by a line that moves along u. It holds the boxes that it crosses in
/// a list: fast where there are few at a time, as in the rails and straps of a layer.
class CutSweep {
 public:
  /// Boxes without extent are left out.
  CutSweep(std::span<const Box> boxes, std::pmr::memory_resource* memory);

  /// False if the line crosses too many boxes of different extents at once; `out` is then of no use.
  bool run(Pieces& out);

 private:
  /// Of boxes across the line.
  struct Extent {
    Dbu low, high;
    int32_t boxes;
  };
  struct Open {
    Dbu low, high, begin;
  };

  void begin(const Box& box);
  void end(const Box& box);
  void close_and_open(Dbu u, std::pmr::vector<Box>& closed);

  static constexpr size_t kMost = 64;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Box> begins_, ends_;  ///< the same boxes, by where they begin and end
  std::pmr::vector<Extent> crossed_;     ///< sorted
  std::pmr::vector<Open> open_, next_;   ///< the union of these, sorted
  bool has_changed_ = false;
};

}  // namespace gridiron::layout
