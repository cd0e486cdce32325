// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "layout/chip.hpp"
#include "layout/extract/box_tree.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// What new straps keep their distance from: metal of all special nets, with pins of components and of the block, and
/// obstructions of macros. Signal wires and pins of the block for signals are not known.
class StrapMetal {
 public:
  /// On a layer of `factor` above 1 wires count as they are at that factor of their widths; by layer.
  StrapMetal(const Library& library, const Chip& chip, const std::vector<double>& factor);
  /// Today's metal of some layers, by layer, with pins of components for signals.
  StrapMetal(const Library& library, const Chip& chip, const std::vector<bool>& layers);

  static constexpr int32_t kObstruction = -1, kSignalPin = -2;
  struct Shape {
    Box box;
    int32_t net;  ///< index into Chip::nets, kObstruction or kSignalPin
  };
  const std::vector<Shape>& shapes(int32_t layer) const { return layers_[layer].shapes; }
  const BoxTree& tree(int32_t layer) const { return *layers_[layer].tree; }
  /// Between a wire of this width and what is there.
  Dbu spacing(int32_t layer, Dbu width) const;
  Dbu largest_spacing(int32_t layer) const { return layers_[layer].largest_spacing; }
  /// Whether a box of a net keeps its distance from all others, and from obstructions unless these do not matter.
  bool is_clear(int32_t layer, const Box& box, int32_t net, bool heeds_obstructions) const;

 private:
  struct OfLayer {
    std::vector<Shape> shapes;
    std::optional<BoxTree> tree;
    Dbu largest_spacing = 0;
  };
  void add_nets(const std::vector<double>& factor);
  /// Of all placed components, as shapes of `net`.
  void add_shapes(std::vector<ShapeUm> Macro::*shapes, int32_t net);
  void plant_trees();

  const Library& library_;
  const Chip& chip_;
  std::vector<OfLayer> layers_;
};

/// How far apart two boxes are along the axis along which they are farther apart; 0 or below: they touch.
Dbu distance(const Box& a, const Box& b);
inline Dbu least_side(const Box& box) { return box.width() < box.height() ? box.width() : box.height(); }
inline Box widened(const Box& box, Dbu by) { return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by}; }
inline Box moved(const Box& box, Point by) { return {box.x0 + by.x, box.y0 + by.y, box.x1 + by.x, box.y1 + by.y}; }

}  // namespace gridiron::layout
