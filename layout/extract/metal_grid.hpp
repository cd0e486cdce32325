// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
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

/// A mesh that cannot be made.
class TooManyCells : public std::exception {
 public:
  TooManyCells(int64_t cells, Dbu cell_that_fits) : cells(cells), cell_that_fits(cell_that_fits) {}
  const char* what() const noexcept override { return "too many cells"; }

  int64_t cells;       ///< about so many
  Dbu cell_that_fits;  ///< what LayerRules::cell may be instead; 0: nothing helps
};

/// `shapes` is used up. Results are the same on any number of threads. Errors: TooManyCells.
MetalGrid make_metal_grid(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules);

}  // namespace gridiron::layout
