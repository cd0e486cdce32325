// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layout/component_index.hpp"
#include "layout/geometry.hpp"
#include "layout/library.hpp"
#include "netlist/ledger.hpp"
#include "netlist/source_text.hpp"

namespace gridiron::layout {

/// A shape on a layer in database units.
struct LayerBox {
  int32_t layer;  ///< index into Library::layers
  Box box;
};

/// Corners on a layer, in order, not closed: a POLYGON, or what a 45° wire covers.
struct LayerPolygon {
  int32_t layer;
  std::vector<Point> corners;
};

/// A via as DEF's VIAS describe it, or one of the library in database units: its boxes about its centre. A via that has
/// no cuts, or one metal layer only, leaves those layers −1.
struct Via {
  std::string name;
  int32_t bottom = -1, cut = -1, top = -1;  ///< layers
  std::vector<Box> bottom_boxes, cuts, top_boxes;
  std::vector<LayerPolygon> polygons;  ///< of the bottom or top layer
  int32_t rule = -1;                   ///< index into Library::rules, if it is described by one that LEF has
  double ohm = 0;                      ///< of the whole via, where LEF gives it
};

/// Components, column by column.
struct Components {
  std::vector<std::string_view> name;  ///< without escapes of DEF's own, a view of the text or of Chip::names
  std::vector<int32_t> macro;          ///< index into Library::macros
  std::vector<Point> place;            ///< of the low corner of the turned macro
  std::vector<Orientation> orientation;
  std::vector<uint8_t> placed;   ///< 0: UNPLACED, or without a place
  std::vector<uint64_t> offset;  ///< in the text, for messages
  int64_t size() const { return static_cast<int64_t>(name.size()); }
};

/// A pin of the block, with its shapes in database units at their final places.
struct BlockPin {
  std::string name, net;
  Use use = Use::signal;
  bool special = false;
  std::vector<LayerBox> boxes;
  std::vector<LayerPolygon> polygons;
  TextPlace place;
};

/// `( instance pin )` of a special net; instance "*" means every component that has such a pin, "PIN" the block's.
struct Connection {
  std::string instance, pin;
};

/// A via at a place.
struct PlacedVia {
  int32_t via;  ///< index into Chip::vias
  Point place;
  Orientation orientation = Orientation::N;
};

/// One net of SPECIALNETS, with all its shapes and vias (arrays expanded) in the order of the text.
struct SpecialNet {
  std::string name;
  Use use = Use::other;
  std::vector<Connection> connections;
  std::vector<LayerBox> boxes;         ///< wires and RECT
  std::vector<LayerBox> straps;        ///< of `boxes`: straight wires of SHAPE STRIPE, FOLLOWPIN and RING
  std::vector<LayerPolygon> polygons;  ///< POLYGON and 45° wires
  std::vector<PlacedVia> vias;         ///< turned about their centres
  double volts = 0;                    ///< + VOLTAGE (DEF's mV), 0 if not given
  TextPlace place;
  std::vector<uint64_t> width_at;  ///< only in find_wire_places(): of `boxes`, see there
  uint64_t end_at = 0;             ///< the same
  bool has_shapes() const { return !boxes.empty() || !polygons.empty() || !vias.empty(); }
};

/// What one DEF file says that a power grid needs.
struct Chip {
  std::string name;
  char divider = '/';           ///< DIVIDERCHAR, between levels of hierarchy in a name
  std::string bus_bits = "[]";  ///< BUSBITCHARS
  double dbu_per_um = 0;
  Box die;
  std::vector<Point> die_corners;  ///< where DIEAREA is a polygon
  std::vector<Via> vias;           ///< DEF's, then those of the library that are used
  Components components;
  std::vector<BlockPin> pins;  ///< of USE POWER and GROUND, and those of special nets
  std::vector<SpecialNet> nets;
  std::vector<std::shared_ptr<const SourceText>> texts;
  /// What names of components point to where the text has escapes in them.
  std::vector<std::shared_ptr<const std::deque<std::string>>> names;
  NameIndex net_index;             ///< kept by the reader
  ComponentIndex component_index;  ///< the same
  Box core;                        ///< of all rows but those of pads; the die if there are none
  std::string unknown_site;        ///< of the first row whose site no LEF file has: the core lacks it; else empty,
  TextPlace unknown_site_place;    ///< and where that row is
  Ledger::File ledger;             ///< what became of the statements of DEF

  /// Index into nets, −1 if there is none.
  int32_t net(std::string_view name) const { return position(net_index, name); }
  /// Index into components, −1 if there is none.
  int32_t component(std::string_view name) const { return component_index.find(components.name, name); }
  /// "file:line:column"
  std::string describe(TextPlace place) const;
};

/// Reads a DEF file of the library's cells. Errors: InputError with file:line:column.
Chip read_def(const std::string& path, const Library& library);

}  // namespace gridiron::layout
