// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/extract/layer_shapes.hpp"
#include "layout/extract/wires.hpp"
#include "layout/geometry.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// The nodes and wires of all layers of a net, in x and y.
struct MetalGrid {
  /// By layer, x and y; at one place those beside the grid come last.
  std::vector<int32_t> node_layer;
  std::vector<Point> node_place;
  std::vector<std::vector<int32_t>> node_of_place;  ///< by layer, of LayerShapes::places,
  std::vector<std::vector<int32_t>> node_of_other;  ///< and of others
  std::vector<Wire> wires;                          ///< those between the same nodes are parallel
  /// By layer, each with a node on it.
  std::vector<int32_t> piece_layer;
  std::vector<Box> piece_box;
  std::vector<int32_t> piece_node;
  std::vector<Trapezoid> trapezoids;  ///< by piece
};

/// `shapes` is used up. Results are the same on any number of threads.
MetalGrid make_metal_grid(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules);

}  // namespace gridiron::layout
