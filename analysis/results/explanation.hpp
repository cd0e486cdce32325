// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/results/indices.hpp"
#include "netlist/circuit.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// One conductor on the way from a node to a pad.
struct PathStep {
  NodeId from = kGround, to = kGround;  ///< `to` is nearer to the pad
  int64_t resistor = -1;                ///< index into Circuit::resistors; −1: a short
  double ohm = 0;
  double drop_v = 0;     ///< by how much `from` drops more than `to`; negative where it drops less
  double current_a = 0;  ///< from the pad towards the node

  void visit(auto& v) const {
    v("resistor", Known{ElementIndex{kResistor, resistor}, resistor >= 0})("from", NodeIndex{from});
    v("to", NodeIndex{to})({"resistance_ohm", "ohm"}, ohm)("drop_v", drop_v)("current_a", current_a);
  }
};

/// The path of least resistance from a node to a pad.
struct Path {
  NodeId pad = kGround;  ///< where it ends; kGround: no path leads to a pad
  double ohm = 0;
  std::vector<PathStep> steps;  ///< from the node on
  void visit(auto& v) const {
    v("pad", Known{NodeIndex{pad}, pad != kGround})({"resistance_ohm", "ohm"}, ohm)("steps", steps);
  }
};

/// What a segment does for the drop of a node.
struct SegmentEffect {
  int64_t resistor = -1;
  double sensitivity_v = 0;  ///< ∂drop/∂ln g: V per relative change of its conductance g; negative: widening helps
  void visit(auto& v) const { v({"", "resistor"}, resistor)("sensitivity_v", sensitivity_v); }
};

/// What a load does to the drop of a node.
struct LoadEffect {
  int64_t source = -1;  ///< index into Circuit::current_sources
  double ohm = 0;       ///< ∂drop/∂current
  double current_a = 0;
  double drop_v = 0;  ///< its part of the drop
  void visit(auto& v) const {
    v("source", ElementIndex{kCurrentSource, source})("current_a", current_a)({"resistance_ohm", "ohm"}, ohm);
    v("drop_v", drop_v);
  }
};

/// Why a node drops as it does, and what would help.
struct Explanation {
  NodeId node = kGround;
  int32_t net = -1;    ///< index into IrReport::nets
  int32_t vector = 0;  ///< the load vector under which this is so
  double drop_v = 0;
  double effective_ohm = 0;  ///< resistance between the node and its sources
  Path path;
  std::vector<SegmentEffect> segments;  ///< those whose widening gains most, most first
  std::vector<LoadEffect> loads;        ///< those with the largest parts of the drop, largest first
  int64_t other_loads = 0;              ///< how many more there are
  double other_loads_v = 0;             ///< their part of the drop
  double unequal_sources_v = 0;  ///< the rest: of sources away from the nominal voltage, and resistors to other nets
  /// At a moment of a simulation: the parts of what capacitors take or give then, and of voltages across inductors
  /// together with what sources moved by since the start.
  std::optional<double> capacitors_v = {}, inductors_v = {};
  double widened_by = 0;        ///< 0.2: conductances of `segments` times 1.2
  double predicted_gain_v = 0;  ///< by which the drop falls then, to first order
  double gain_v = 0;            ///< the same from another solve
  double gain_bound_v = 0;      ///< certified error of gain_v; infinite without certificate

  void visit(auto& v) const {
    v("node", NodeIndex{node})("net", NetIndex{net})("vector", vector)("drop_v", drop_v);
    v({"effective_resistance_ohm", "effective_ohm"}, effective_ohm)("path", path)("segments", segments)("loads", loads);
    v({"other_loads/count", "other_loads"}, other_loads)({"other_loads/drop_v", "other_loads_v"}, other_loads_v);
    v("unequal_sources_v", unequal_sources_v)("capacitors_v", Present{capacitors_v, capacitors_v.has_value()});
    v("inductors_v", Present{inductors_v, inductors_v.has_value()})({"widening/by", "widened_by"}, widened_by);
    v({"widening/predicted_gain_v", "predicted_gain_v"}, predicted_gain_v)({"widening/gain_v", "gain_v"}, gain_v);
    v({"widening/gain_bound_v", "gain_bound_v"}, gain_bound_v);
  }
};

/// What a part of a supply net is, on the way from its sources to its loads.
enum class NetPart : uint8_t {
  package,    ///< resistors between nodes on no layer, or sources, on the near side of the pads
  pads,       ///< resistors from there to the grid
  layer,      ///< of a layer
  vias,       ///< between two layers
  unlayered,  ///< the others at nodes whose layer is unknown
  sources,    ///< sources away from the nominal voltage, and resistors to other nets
};
inline const char* name_of(NetPart part) {
  constexpr const char* kNames[] = {"package", "pads", "layer", "vias", "unlayered", "sources"};
  return kNames[static_cast<int>(part)];
}

/// How much of the drop of a node falls in a part of its net.
struct DropShare {
  NetPart part = NetPart::unlayered;
  LayerPair layers;      ///< of layer, vias and unlayered
  int64_t segments = 0;  ///< resistors
  double drop_v = 0;     ///< negative where its current lowers the drop
  double bound_v = 0;    ///< certified error of drop_v; infinite without certificate
  void visit(auto& v) const {
    v("part", name_of(part))("layer", layers)("segments", segments)("drop_v", drop_v)("bound_v", bound_v);
  }
};

/// Where the drop of a node falls. The shares add up to it.
struct DropShares {
  NodeId node = kGround;
  int32_t net = -1;    ///< index into IrReport::nets
  int32_t vector = 0;  ///< the load vector under which this is so
  double drop_v = 0;
  double bound_v = 0;             ///< certified error of drop_v; infinite without certificate
  std::vector<DropShare> shares;  ///< largest first
  void visit(auto& v) const {
    v("node", NodeIndex{node})("net", NetIndex{net})("vector", vector)("drop_v", drop_v)("bound_v", bound_v);
    v("shares", shares);
  }
};

/// What one more pad at a node does to the drops of its net.
struct PadGain {
  NodeId node = kGround;
  double gain_v = 0;            ///< by which the worst drop of the net falls
  double worst_drop_v = 0;      ///< of the net with the pad
  double bound_v = 0;           ///< certified error of worst_drop_v; infinite without certificate
  NodeId worst_node = kGround;  ///< which has that drop
  double node_gain_v = 0;       ///< by which the drop falls where it is worst without the pad

  void visit(auto& v) const {
    v("node", NodeIndex{node})("gain_v", gain_v)("worst_drop_v", worst_drop_v)("bound_v", bound_v);
    v("worst_node", NodeIndex{worst_node})("node_gain_v", node_gain_v);
  }
};

/// Where one more pad lowers the worst drop of a net most.
struct PadGains {
  NodeId node = kGround;  ///< with the worst drop of the net
  int32_t net = -1;       ///< index into IrReport::nets
  int32_t vector = 0;     ///< the load vector under which this is so
  double drop_v = 0;
  double bound_v = 0;                ///< certified error of drop_v; infinite without certificate
  double pad_ohm = 0;                ///< of the pad
  int64_t median_of = 0;             ///< pads of the net of which pad_ohm is the median; 0: it was given
  std::vector<LayerIndex> layers;    ///< where it may be; empty: on any
  int64_t candidates = 0;            ///< nodes where it may be
  int64_t tried = 0;                 ///< of these, how many were solved for
  bool is_best = false;              ///< no other candidate gains more, but for 0.1 % of the drop
  double distance_um = 0;            ///< by which places are apart at least
  std::vector<PadGain> places = {};  ///< that with the largest gain first

  void visit(auto& v) const {
    v("node", NodeIndex{node})("net", NetIndex{net})("vector", vector)("drop_v", drop_v)("bound_v", bound_v);
    v({"pad_resistance_ohm", "pad_ohm"}, pad_ohm)("median_of", median_of)("layers", layers)("candidates", candidates);
    v("tried", tried)("is_best", is_best)("distance_um", distance_um)("places", places);
  }
};

}  // namespace gridiron
