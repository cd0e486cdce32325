// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/tables/em_rules.hpp"

namespace gridiron {

/// What the layout that a circuit was extracted from tells beyond its nodes and elements, in words that know no layout
/// format: all of it where the layout was read (Circuit::made_names), what its comments hold of an extracted deck.
/// Lengths in µm.
struct Placement {
  /// A net that was extracted.
  struct Net {
    std::string name;
    bool is_ground = false;
    /// V: what percentages and watts of its loads refer to, which of a ground net is the voltage of the power net;
    /// 0 if nothing tells.
    double supply_v = 0;
    int64_t first_sink = 0, last_sink = 0;  ///< [first, last) of Circuit::current_sources are terminals on this net
  };
  /// A layer of metal.
  struct Layer {
    std::string name;
    double thickness_um = 0;  ///< 0: not known
  };
  /// A size of cuts.
  struct Cut {
    int32_t layer = 0;      ///< index into cut_layers
    std::string cut_class;  ///< empty: of none
    double um2 = 0;         ///< its area; 0: of several
    double counts_for = 1;  ///< so many ordinary ones
  };
  struct Box {
    double left_um = 0, bottom_um = 0, right_um = 0, top_um = 0;
  };
  /// What is not connected to the highest layer of its net.
  struct Open {
    enum class Kind : uint8_t { shape, terminal, pin };
    Kind kind = Kind::shape;
    int32_t net = 0, layer = 0;  ///< indices into nets and layers
    Box box;                     ///< of a terminal a point
    std::string_view instance;   ///< of a terminal
    std::string_view terminal;   ///< of a terminal, or a pin of the block
  };
  /// Where metal of two nets touches.
  struct Short {
    std::string net, other;  ///< by name: nets that are not extracted may be among them
    int32_t layer = 0;       ///< index into layers
    Box box;                 ///< flat where edges meet
  };
  /// A wire that was cut narrower than wires of its layer are, because of edges of shapes that are near each other.
  struct Sliver {
    int64_t resistor = 0;
    int32_t width = 0;  ///< its share of the metal across its current, in database units; 0: not known
  };
  /// A large cell, as a memory is.
  struct Macro {
    std::string_view name, cell;
    Box box;
  };

  /// Where a node is, whatever it is called, as comments of an extracted deck tell.
  struct NodePlace {
    int32_t node;
    int32_t layer;      ///< index into layers, −1: not told
    double x_um, y_um;  ///< NaN: not told
  };
  /// A node that is a pin of an instance, in the words of such a comment.
  struct Pin {
    int32_t node;
    std::string_view instance, pin;
  };

  std::string design = {};           ///< the name of the top cell; empty where nothing tells
  std::vector<Net> nets = {};        ///< in the order of Circuit::net_cards
  std::vector<Layer> layers = {};    ///< of the technology, lowest first
  std::vector<int32_t> width = {};   ///< per resistor, of a wire across its current, in database units; 0 for others
  std::vector<Sliver> slivers = {};  ///< by resistor
  std::vector<float> cuts = {};      ///< per resistor, of a via; 0 for others
  std::vector<uint16_t> cut = {};    ///< per resistor, of a via: index into cut_sizes
  std::vector<std::string> cut_layers = {};  ///< of the technology, lowest first
  std::vector<Cut> cut_sizes = {};
  std::vector<EmRule> em_rules = {};  ///< of the technology
  std::vector<Open> opens = {};       ///< by net and kind, shapes first, and these by layer
  std::vector<Short> shorts = {};     ///< pair by pair, then by layer
  std::vector<Macro> macros = {};
  std::vector<std::shared_ptr<const void>> texts = {};  ///< what views of names above point into
  double dbu_per_um = 1;                                ///< database units of widths
  std::vector<NodePlace> node_places = {};              ///< of an extracted deck, by node
  std::vector<int32_t> placed_in_um = {};               ///< nodes whose places database units do not count for, sorted
  std::vector<Pin> pins = {};                           ///< of an extracted deck, by node

  double width_um(int64_t resistor) const { return width[resistor] / dbu_per_um; }
  /// Of the metal that a wire's current flows in, which of a sliver is more than the wire; 0: not known.
  double metal_width_um(int64_t resistor) const {
    const auto sliver = std::ranges::lower_bound(slivers, resistor, {}, &Sliver::resistor);
    const bool is_sliver = sliver != slivers.end() && sliver->resistor == resistor;
    return is_sliver ? sliver->width / dbu_per_um : width_um(resistor);
  }
};

}  // namespace gridiron
