// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "layout/extract/layer_shapes.hpp"
#include "layout/extract/wires.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// The nodes and wires of shapes that no other shape of their layer touches, in u and v.
struct BandGrid {
  std::vector<Point> nodes;
  std::vector<int32_t> node_of_place;
  std::vector<Wire> wires;
  std::vector<Box> pieces;
  std::vector<int32_t> piece_node;
  std::vector<Trapezoid> trapezoids;  ///< by piece, which is one of `pieces`
};

/// What it takes to find them, but not they, is in `memory`.
BandGrid make_band_grid(std::span<const Box> boxes, std::span<const std::vector<Point>> polygons,
                        std::span<const Point> places, const LayerRules& rules, std::pmr::memory_resource* memory);

}  // namespace gridiron::layout
