// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/nodes_on_pieces.hpp"

namespace gridiron::layout {

/// Joins nodes of one piece that are closer than half a node pitch in x and in y. In the order of x and y, nodes that
/// several pieces have take up those around them and stay themselves; then those on the centre lines of the piece do,
/// then the others. Returns for every node the one that it became, in `memory`.
std::pmr::vector<int32_t> merge_nodes(const Pieces& pieces, const NodesOnPieces& nodes, std::span<const Point> places,
                                      Dbu pitch, std::pmr::memory_resource* memory);

}  // namespace gridiron::layout
