// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/circuit.hpp"

namespace gridiron {

/// The information in a node's name, by the naming conventions in use:
///   IBM          nK_X_Y, _X_nK_X_Y behind a pad    K identifies a layer of one net (see LayerCard)
///   ICCAD-2023   NET_LAYER_X_Y; numbers before a layer that is one belong to it: of a_2_0_X_Y the layer is 2_0
///   OpenROAD     Node_LAYER_X_Y, also ITermNode, BPinNode, SourceNode; the layer may hold underscores
///   SRAM-PG      NET:NUMBER or NET#NUMBER (extracted decks): net, no location
/// Anything else is a plain name, as are those of nodes inside of instances, x1.m1_X_Y: what stands before a dot is a
/// path, and a place inside of an instance is none on the chip.
struct NodeName {
  enum class Style { plain, ibm, iccad, openroad, extracted } style = Style::plain;
  std::string_view net;    ///< empty if not in the name (plain, OpenROAD; for IBM the number's digits)
  std::string_view layer;  ///< empty when the name does not tell
  bool is_pad = false;     ///< _X_, _Y_: behind the pad resistor
  int64_t x = 0, y = 0;    ///< database units; only for ibm, iccad, openroad

  static bool has_place(Style style) {
    return style == Style::ibm || style == Style::iccad || style == Style::openroad;
  }
  bool has_place() const { return has_place(style); }
};
NodeName parse_node_name(std::string_view name);

/// How many nodes with places have names of each style.
struct NameStyles {
  int64_t ibm = 0, openroad = 0;
  int64_t iccad = 0;  ///< with a layer such as m4; others only look alike

  void count(NodeName::Style style, bool is_metal) {
    ibm += style == NodeName::Style::ibm;
    openroad += style == NodeName::Style::openroad;
    iccad += style == NodeName::Style::iccad && is_metal;
  }
  void add(const NameStyles& other) { ibm += other.ibm, openroad += other.openroad, iccad += other.iccad; }
};

/// What the names of nodes and the layer cards of a deck say together.
class NodeLabels {
 public:
  explicit NodeLabels(const Circuit& circuit);
  struct Label {
    std::string_view net, layer;  ///< empty: unknown
  };
  /// Its texts last as long as `name`, the circuit and `room`. A node behind a pad resistor is on no layer, and one
  /// inside of an instance, x1.VDD:7, tells no net.
  Label of(const NodeName& name, std::string& room) const;

 private:
  std::map<int, const LayerCard*> cards_;
  bool has_instances_;
};

/// Net, layer and location of every node, column by column (index = NodeId).
struct NodePlaces {
  std::vector<std::string> nets, layers;  ///< spelled as first encountered; layers sorted lowest metal first, by
                                          ///< the technology of a layout, else by the numbers in their names
  std::vector<int32_t> net, layer;        ///< indices into those, −1 unknown
  std::vector<double> x_um, y_um;         ///< NaN unknown
  double dbu_per_um = 0;                  ///< the value in use; 0 if no node has coordinates
  bool dbu_is_guess = false;              ///< neither an option nor the deck tells, and no convention of its names does
  int32_t matched = -1;                   ///< nodes whose names a pattern matches; −1: there is none
  int64_t placed = 0;                     ///< nodes with coordinates
};

/// `dbu_per_um`: database units per µm; default: the deck's `* dbu:` card, otherwise 2000 (ICCAD; a guess for OpenROAD)
/// or 1000 (a guess for IBM and for a pattern). A node behind a pad resistor is on no layer.
///
/// `pattern`, a regular expression (NodePattern), stands for all conventions where it is not empty. Without one, layers
/// whose wires contradict them are none (drop_contradicted_layers()). Errors: InputError that the field node_pattern
/// begins, also if it matches no node.
NodePlaces place_nodes(const Circuit& circuit, std::optional<double> dbu_per_um = std::nullopt,
                       const std::string& pattern = "");

}  // namespace gridiron
