// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/nodes_on_pieces.hpp"

namespace gridiron::layout {

/// Metal between two nodes of a layer.
struct Wire {
  int32_t a, b;       ///< nodes, a < b
  Dbu length, width;  ///< along the current and across it
};

/// Joins every node of a piece to its nearest later one there, by x and then y; of several the first. Two pieces may so
/// have wires between the same nodes. `became` tells of each node which one it is now. What it takes to find them, but
/// not the wires, is in `memory`.
std::vector<Wire> make_wires(const Pieces& pieces, const NodesOnPieces& nodes, std::span<const Point> places,
                             std::span<const int32_t> became, Axes axes, std::pmr::memory_resource* memory);

}  // namespace gridiron::layout
