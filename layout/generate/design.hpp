// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layout/generate/floorplan.hpp"
#include "netlist/generator/deck_writer.hpp"

namespace gridiron::generator {

// The sections of the DEF file, in their order there.

void write_die(DeckWriter& def, const LayoutFloorplan& floorplan);
void write_vias(DeckWriter& def, const LayoutFloorplan& floorplan);
void write_components(DeckWriter& def, const LayoutFloorplan& floorplan);
void write_pins(DeckWriter& def, const LayoutFloorplan& floorplan);
void write_power_nets(DeckWriter& def, const LayoutFloorplan& floorplan);
/// `routed`: the fraction of nets with wires.
void write_signal_nets(DeckWriter& def, const LayoutFloorplan& floorplan, double routed);

/// CSV of what components draw.
void write_powers(DeckWriter& csv, const LayoutFloorplan& floorplan);

/// `( x y )` in the die of a place in the core.
inline DeckWriter& operator<<(DeckWriter& def, Point in_core) {
  constexpr int64_t kMargin = LayoutFloorplan::kMargin;
  return def << "( " << in_core.x + kMargin << ' ' << in_core.y + kMargin << " )";
}
/// The name of a component in a row.
inline DeckWriter& operator<<(DeckWriter& def, const PlacedCell& placed) {
  if (placed.draws_power()) return def << '_' << placed.number << '_';
  return def << (placed.cell == &kTapCell ? "TAP_" : "FILLER_") << placed.number;
}
inline constexpr std::string_view kMacroNamePrefix = "ram";

/// Of the via between metal `lower` (from 1) and the next one, where these straps of the floorplan cross.
struct ViaName {
  int lower;
  int64_t width, height;
};
inline DeckWriter& operator<<(DeckWriter& def, ViaName via) {
  return def << "via" << int64_t{via.lower} << '_' << via.width << 'x' << via.height;
}

/// Calls f(via) for the vias that join a layer of the floorplan to the next one, from the highest.
template <class F>
void for_each_via_between(int layer, F&& f) {
  const Straps& below = kOpenroadStraps[layer];
  const int64_t width = kStrapWidths[below.horizontal ? layer + 1 : layer],
                height = kStrapWidths[below.horizontal ? layer : layer + 1];
  for (int m = kOpenroadStraps[layer + 1].number - 1; m >= below.number; --m) f(ViaName{m, width, height});
}

}  // namespace gridiron::generator
