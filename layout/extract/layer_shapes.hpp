// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "layout/extract/axes.hpp"
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
  Dbu cell = 0;              ///< above 0: the layer becomes a mesh of cells that are no longer than this or the pitch
};

}  // namespace gridiron::layout
