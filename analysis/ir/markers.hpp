// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ir/design.hpp"
#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// A place on the chip to look at, for layout viewers.
struct Marker {
  enum class Kind { over_limit, worst_place, overvoltage, unconnected_load, unconnected_shape };
  Kind kind = Kind::over_limit;
  std::string net, layer;  ///< empty where unknown
  std::string node;        ///< that it is about; of a wire one end
  double left_um = 0, bottom_um = 0, right_um = 0, top_um = 0;
  double value = 0;    ///< drop, or volts beyond the nominal voltage; current of an unconnected load, A
  double limit_v = 0;  ///< over_limit: what the drop exceeds
};

/// Markers of one kind at most; of drops the worst are kept.
inline constexpr std::size_t kMostMarkers = 10'000;

/// What of a run has a place: nodes whose drop exceeds a limit on the worst drop, or for nets without such a limit the
/// worst places, `worst_places` at most, none within 3 % of the chip of another; nodes beyond their nominal voltage;
/// wires and loads that float.
std::vector<Marker> markers_of(const IrReport& report, std::size_t worst_places = 20);

/// Of a netlist that was only checked: what floats.
std::vector<Marker> markers_of(const Design& design);

}  // namespace gridiron
