// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ir/design.hpp"
#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// A place on the chip to look at, for layout viewers.
struct Marker {
  enum class Kind { over_limit, hot_spot, over_em_limit, overvoltage, unconnected_load, unconnected_shape };
  Kind kind = Kind::over_limit;
  std::string net, layer;  ///< empty where unknown
  std::string node;        ///< that it is about; of a wire one end
  double left_um = 0, bottom_um = 0, right_um = 0, top_um = 0;
  double value = 0;  ///< drop or volts beyond the nominal voltage, V; current of a segment or an unconnected load, A
  double limit = 0;  ///< what the value exceeds, where there is a limit
};

/// Markers of one kind at most; of drops the worst are kept.
inline constexpr std::size_t kMostMarkers = 10'000;

/// What of a run has a place: nodes whose drop exceeds a limit on the worst drop, or for nets without such a limit the
/// hot spots; segments whose current exceeds a limit; nodes beyond their nominal voltage; wires and loads that float.
std::vector<Marker> markers_of(const IrReport& report);

/// Of a netlist that was only checked: what floats.
std::vector<Marker> markers_of(const Design& design);

}  // namespace gridiron
