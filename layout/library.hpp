// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layout/geometry.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/em_rules.hpp"

namespace gridiron::layout {

/// A place in one of the texts that were read, for messages.
struct TextPlace {
  uint32_t file = 0;  ///< index into Library::texts or Chip::texts
  uint64_t offset = 0;
};

/// Positions of named things in a vector; looked up without making a string.
struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
using NameIndex = std::unordered_map<std::string, int32_t, NameHash, std::equal_to<>>;

/// −1 if there is none.
int32_t position(const NameIndex& index, std::string_view name);

enum class LayerKind : uint8_t { routing, cut, other };
enum class Direction : uint8_t { none, horizontal, vertical };

/// A cut class of LEF58_CUTCLASS: cuts of that size count for `cuts` ordinary ones.
struct CutClass {
  std::string name;
  double width_um = 0, length_um = 0;
  double cuts = 1;
};

/// DCCURRENTDENSITY or ACCURRENTDENSITY: a limit for each frequency and size, of one of none at all.
struct CurrentDensity {
  std::string statement;
  EmKind kind = EmKind::average;
  std::vector<double> frequencies_hz, sizes;  ///< sizes: µm of width, of a cut layer µm² of a cut
  std::vector<double> limits;                 ///< A per µm of width; of a cut layer by what its writer meant
  TextPlace place;
  std::string fault;  ///< why it cannot be read, with the place; empty if it can
};

/// How far wires of a width and wider ones stay from others.
struct LayerSpacing {
  double width_um = 0, spacing_um = 0;
  bool operator==(const LayerSpacing&) const = default;
};

/// LAYER. Lengths in µm, as LEF has them; what is not given is 0.
struct Layer {
  std::string name;
  LayerKind kind = LayerKind::other;
  Direction direction = Direction::none;
  double pitch_x_um = 0, pitch_y_um = 0;  ///< one PITCH gives both
  double width_um = 0;                    ///< default width of a wire, or of a cut
  double ohm_per_square = 0;              ///< RESISTANCE RPERSQ of a routing layer
  double ohm_per_cut = 0;                 ///< RESISTANCE of a cut layer
  bool has_table = false;                 ///< RESISTANCE RPERSQ PWL, a table by width, which gives no ohm_per_square
  double thickness_um = 0;
  bool backside = false;
  std::vector<LayerSpacing> spacings;  ///< SPACING, or the last column of SPACINGTABLE, by width
  std::vector<CutClass> cut_classes;
  std::vector<CurrentDensity> densities;
  TextPlace place;

  /// Of a wire of this width from others, along any length; 0 where LEF has none.
  double spacing_um(double of_width_um) const;
};

/// Rectangles or a polygon on a layer; lengths in µm about the origin of what they belong to.
struct ShapeUm {
  int32_t layer;
  std::vector<double> xy;  ///< RECT: x0 y0 x1 y1 with x0 < x1; POLYGON: its corners, x and y in turn
  bool is_polygon = false;
};

/// VIA of LEF: shapes on a lower layer, a cut layer and an upper one. Lengths in µm about its centre.
struct FixedVia {
  std::string name;
  std::vector<ShapeUm> shapes;
  int32_t rule = -1;  ///< index into Library::rules, if it is described by one
  double ohm = 0;     ///< RESISTANCE, 0 if not given
  TextPlace place;
};

/// VIARULE … GENERATE: the layers of vias that DEF describes by this rule. (Others only tell a router what to do.)
struct ViaRule {
  std::string name;
  std::vector<int32_t> layers;
  double ohm_per_cut = 0;
  TextPlace place;
};

enum class Use : uint8_t { signal, power, ground, other };
/// Of the word behind USE.
Use use_of(std::string_view word);

struct MacroPin {
  std::string name;
  Use use = Use::signal;
  std::vector<ShapeUm> shapes;  ///< of all its ports, in order
};

/// MACRO. Only pins of USE POWER and GROUND keep shapes of their own; all shapes are moved by ORIGIN, so that the macro
/// covers 0 … width, 0 … height.
struct Macro {
  std::string name, klass;  ///< CLASS, e.g. "CORE", "BLOCK"
  double origin_x_um = 0, origin_y_um = 0;
  double width_um = 0, height_um = 0;
  std::vector<MacroPin> pins;
  std::vector<ShapeUm> signal_shapes;  ///< of all other pins
  std::vector<ShapeUm> obstructions;   ///< OBS: rectangles and polygons on layers that the library has
  TextPlace place;
};

/// SITE: what rows of a floorplan are made of; PAD: of a ring of pads.
struct Site {
  std::string name;
  double width_um = 0, height_um = 0;
  bool is_pad = false;
  TextPlace place;
};

/// Technology and cells of one or more LEF files.
struct Library {
  double dbu_per_um = 0;      ///< UNITS DATABASE MICRONS, 0 if not given
  double grid_um = 0;         ///< MANUFACTURINGGRID
  std::vector<Layer> layers;  ///< in order, from the lowest
  std::vector<FixedVia> vias;
  std::vector<ViaRule> rules;
  std::vector<Macro> macros;
  std::vector<std::shared_ptr<const SourceText>> texts;

  /// −1 if there is none.
  int32_t layer(std::string_view name) const;
  int32_t via(std::string_view name) const;
  int32_t rule(std::string_view name) const;
  int32_t macro(std::string_view name) const;
  /// "file:line:column"
  std::string describe(TextPlace place) const;

  /// Positions in the vectors above, by name; kept by the reader.
  NameIndex layer_index, via_index, rule_index, macro_index, site_index;
  std::vector<Site> sites;  ///< of those that have one name the first
};

/// Reads LEF files one after the other into one library (technology first, then cells; a file may have both). A layer,
/// via or rule may be given again as long as it says the same, a macro may not. Errors: InputError with
/// file:line:column.
Library read_lef(const std::vector<std::string>& paths);

/// The library that results where `path` is read behind the files of `library`. Errors: as read_lef().
Library with_lef(const Library& library, const std::string& path);

}  // namespace gridiron::layout
