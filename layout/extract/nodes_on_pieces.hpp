// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/axes.hpp"
#include "layout/extract/pieces.hpp"

namespace gridiron::layout {

/// Which nodes lie on which pieces, edges included.
class NodesOnPieces {
 public:
  /// Places are in u and v, sorted by x and then y (Axes::before), each only once.
  NodesOnPieces(const Pieces& pieces, std::span<const Point> places, Axes axes,
                std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  /// Of a piece, ascending, and so by x, then y.
  std::span<const int32_t> of(int64_t piece) const {
    return {node_.data() + first_[piece], static_cast<size_t>(first_[piece + 1] - first_[piece])};
  }
  /// Whether several pieces have the node.
  bool is_shared(int32_t node) const { return pieces_of_node_[node] > 1; }

 private:
  void put_on_one(const Box& box, std::span<const Point> places);

  std::pmr::vector<int64_t> first_;
  std::pmr::vector<int32_t> node_;
  std::pmr::vector<uint8_t> pieces_of_node_;  ///< at most 2 of rectangles; saturated
};

}  // namespace gridiron::layout
