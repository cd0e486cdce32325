// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// A place on the chip to look at, for layout viewers.
struct Marker {
  enum class Kind {
    over_limit,
    hot_spot,
    over_em_limit,
    over_em_rule,  ///< of electromigration
    over_stress,   ///< of a metal tree, by its limit or else the critical stress
    void_nucleation,
    failing_segment,  ///< by a void that grows
    overvoltage,
    unconnected_load,
    unconnected_shape,
    open_shape,     ///< of a layout, as the following two: not connected to the highest layer of its net
    open_terminal,  ///< of an instance
    open_pin,       ///< of the block
    touching_nets,  ///< of a layout: metal of two nets
  };
  Kind kind = Kind::over_limit;
  std::string net, layer;  ///< empty where unknown
  std::string node;        ///< that it is about; of a wire one end, of a layout "u1/VDD", the pin, or empty
  double left_um = 0, bottom_um = 0, right_um = 0, top_um = 0;
  /// Drop or volts beyond the nominal voltage, V; current of a segment or an unconnected load, A; share of a rule;
  /// stress, Pa; time of a nucleation or failure, s.
  double value = 0;
  double limit = 0;            ///< what the value exceeds, where there is a limit
  std::string other_net = {};  ///< that touches `net`
};

/// Markers of one kind at most, and of one limit; of drops and currents the worst are kept.
inline constexpr size_t kMostMarkers = 10'000;

/// Of how many things some markers are those that are shown: there are more than kMostMarkers, or some have no place.
struct ShownMarkers {
  Marker::Kind kind = Marker::Kind::over_limit;
  std::string net, layer;  ///< empty: of all
  int64_t shown = 0, of = 0;
};

struct Markers {
  std::vector<Marker> list = {};
  std::vector<ShownMarkers> cut = {};  ///< where there are more than the list has
  std::string cell = {};               ///< the top cell of a layout; empty where nothing tells
};

/// What of a run has a place: nodes whose drop exceeds a limit on the worst drop, or for nets without such a limit the
/// hot spots; segments whose current exceeds a limit, or a rule; where metal trees exceed a stress, where voids
/// nucleate, and segments that fail by them; nodes beyond their nominal voltage; shorts of a layout, and what is open
/// there, or else wires and loads that float.
Markers markers_of(const IrReport& report);

/// "markers show the worst 10000 of 12345 nodes of net vdd above its limit"; empty if they show all.
std::string left_out_markers(const IrReport& report);

/// What is shorted, and what is open or else floats, of a netlist that was only checked.
Markers markers_of(const Design& design);

}  // namespace gridiron
