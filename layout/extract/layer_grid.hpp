// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/extract/axes.hpp"
#include "layout/extract/wires.hpp"
#include "layout/geometry.hpp"

namespace gridiron::layout {

/// What a net has on one layer, in x and y.
struct LayerShapes {
  std::vector<Box> boxes;
  std::vector<std::vector<Point>> polygons;  ///< with edges of 45 degrees
  std::vector<Point> places;                 ///< where pins and vias need nodes of the grid; may repeat
  std::vector<Point> others;                 ///< of nodes beside the grid, each one of its own
};

/// How a layer becomes nodes and wires.
struct LayerRules {
  Axes axes;
  Dbu pitch = 0;             ///< of nodes
  bool has_fillers = false;  ///< further nodes along every piece, a pitch apart: of the top layer, for sources
};

/// The nodes and wires of one layer, in x and y.
struct LayerGrid {
  std::vector<Point> nodes;                 ///< sorted by x, then y; at one place those beside the grid come last
  std::vector<std::int32_t> node_of_place;  ///< of LayerShapes::places,
  std::vector<std::int32_t> node_of_other;  ///< and of others
  std::vector<Wire> wires;                  ///< those between the same nodes are parallel
  std::vector<Box> pieces;
  std::vector<std::int32_t> piece_node;  ///< a node on each
};

/// All layers of a net; `shapes` is used up. Results are the same on any number of threads.
std::vector<LayerGrid> make_layer_grids(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules);

}  // namespace gridiron::layout
