// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layout/chip.hpp"
#include "layout/cut_sizes.hpp"
#include "layout/extract/layer_shapes.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// What is made for each orientation that occurs.
template <class T>
using InOrientations = std::array<std::optional<T>, 8>;

/// A place of LayerShapes::places or others, where a node is wanted.
struct PlaceRef {
  int32_t layer, index;
};

/// Terminals of instances, in the order of components, and then of pins of their macros.
struct Terminals {
  std::vector<int32_t> component, pin_name;
  std::vector<PlaceRef> base;         ///< the mean of the centres of its shapes, beside the grid
  std::vector<int64_t> first_pin{0};  ///< of each terminal in `pin`, and the end
  std::vector<PlaceRef> pin;          ///< the centre of each of its shapes
};

/// The cuts of a via between two nodes.
struct ViaLink {
  PlaceRef bottom, top;
  int32_t cut;     ///< index into NetParts::cut_sizes
  float cuts;      ///< for so many; part of one where a mesh divides it
  double via_ohm;  ///< RESISTANCE of the VIA or VIARULE in LEF, shared by its links; 0: not given
};

/// A shape of a pin of the block.
struct BlockPinShape {
  int32_t pin;  ///< index into Chip::pins
  LayerBox shape;
  PlaceRef node;   ///< at its centre,
  PlaceRef other;  ///< and there beside the grid
};

/// All that a net has: shapes by layer, terminals, vias, pins of the block.
struct NetParts {
  std::vector<LayerShapes> layers;  ///< by Library::layers
  Terminals terminals;
  std::vector<ViaLink> vias;
  std::vector<CutSize> cut_sizes;
  std::vector<BlockPinShape> block_pins;
  std::vector<std::string> pin_names;
};

/// Ten times the pitch of a layer, but at most 10 µm; 0 of layers that are not routing layers.
std::vector<Dbu> node_pitches(const Library& library, double dbu_per_um);

/// Only special wires count, and only components that are placed. `cell` is LayerRules::cell: above 0, every cut of a
/// via is a link of its own, and a cut larger than a cell several. Errors: InputError (a connection that does not
/// exist).
NetParts collect_net_parts(const Library& library, const Chip& chip, const SpecialNet& net, Dbu cell = 0);

/// Steps of the former.
void add_wires(const Library& library, const SpecialNet& net, NetParts& parts);
void add_vias(const Library& library, const Chip& chip, const SpecialNet& net, Dbu cell, NetParts& parts);
void add_terminals(const Library& library, const Chip& chip, const SpecialNet& net, NetParts& parts);
void add_block_pins(const Library& library, const Chip& chip, const SpecialNet& net, NetParts& parts);

/// A polygon as rectangles, if it has right angles only; else empty.
std::vector<Box> rectangles_of(const std::vector<Point>& corners);
/// The same, or else the bounding boxes of its trapezoids.
std::vector<Box> pieces_of_polygon(const std::vector<Point>& corners);
/// A place that is added to a list of them, and its reference.
PlaceRef add_place(int32_t layer, Point place, std::vector<Point>& list);
/// Appends what ranges of a list have added by layers to what there is, in their order, on all threads. Returns for
/// each range and layer how many places, and others, there are before it.
struct PlacesBefore {
  std::vector<int64_t> places, others;  ///< by layer
  PlaceRef place(PlaceRef own) const { return {own.layer, own.index + static_cast<int32_t>(places[own.layer])}; }
  PlaceRef other(PlaceRef own) const { return {own.layer, own.index + static_cast<int32_t>(others[own.layer])}; }
};
std::vector<PlacesBefore> append(std::vector<std::vector<LayerShapes>> ranges, std::vector<LayerShapes>& all);
/// Adds a polygon to the shapes of its layer.
void add_polygon(LayerShapes& layer, const std::vector<Point>& corners);

}  // namespace gridiron::layout
