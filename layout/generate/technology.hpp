// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/openroad_floorplan.hpp"

// The technology and cells of generated layouts. They belong to no real process: sizes are round numbers of about those
// of a 45 nm process. Lengths are in database units.

namespace gridiron::generator {

inline constexpr int64_t kUnitsPerUm = 2000;
inline constexpr int64_t kSite = 400, kRowHeight = 2400;
inline constexpr int64_t kRailWidth = 400;  ///< on metal1
inline constexpr int kMetalCount = 10;

/// A routing layer; odd ones are horizontal.
struct MetalRule {
  int64_t width, pitch;
  int64_t milliohms_per_square;
};
/// The cuts between a metal and the next one.
struct CutRule {
  int64_t size, spacing, enclosure;
  int64_t milliohms;
};
/// metal1 … metal10, via1 … via9.
inline constexpr std::array<MetalRule, kMetalCount> kMetalRules = {{
    {160, 400, 400},
    {160, 400, 260},
    {160, 400, 260},
    {300, 600, 220},
    {300, 600, 220},
    {300, 600, 220},
    {800, 1600, 80},
    {800, 1600, 80},
    {1600, 3200, 30},
    {1600, 3200, 30},
}};
inline constexpr std::array<CutRule, kMetalCount - 1> kCutRules = {{
    {150, 170, 50, 4500},
    {150, 170, 50, 4500},
    {150, 170, 50, 4500},
    {300, 320, 60, 2800},
    {300, 320, 60, 2800},
    {300, 320, 60, 2800},
    {800, 900, 100, 900},
    {800, 900, 100, 900},
    {1600, 1800, 200, 450},
}};

/// A macro of CLASS CORE. Names of pins are null from the first that it lacks.
struct Cell {
  std::string_view name;
  int64_t sites;
  int64_t percent;  ///< of the cells that draw power
  std::array<std::string_view, 3> inputs = {};
  std::string_view output = {};

  int64_t width() const { return sites * kSite; }
};
inline constexpr std::array kCells = {
    Cell{"INVX1", 3, 22, {"A"}, "Z"},      Cell{"NAND2X1", 4, 34, {"A", "B"}, "Z"},
    Cell{"BUFX2", 5, 12, {"A"}, "Z"},      Cell{"AOI21X1", 6, 14, {"A", "B", "C"}, "Z"},
    Cell{"XOR2X1", 9, 8, {"A", "B"}, "Z"}, Cell{"DFFX1", 18, 10, {"D", "CK"}, "Q"},
};
inline constexpr Cell kTapCell{"TAPX1", 2, 0};
/// From the widest.
inline constexpr std::array kFillers = {Cell{"FILLX8", 8, 0}, Cell{"FILLX4", 4, 0}, Cell{"FILLX2", 2, 0},
                                        Cell{"FILLX1", 1, 0}};
/// Mean width of what is drawn from kCells, sites.
inline constexpr double kMeanSites = 5.98;

/// A memory, whose pins VDD and VSS are straps of metal4 where those of the floorplan would be.
inline constexpr std::string_view kMacroName = "RAM64X32";
inline constexpr int64_t kMacroStraps = 4;  ///< of either net
inline constexpr int64_t kMacroWidth = kMacroStraps * kOpenroadStraps[1].pitch, kMacroRows = 67;
inline constexpr int64_t kMacroHeight = kMacroRows * kRowHeight;

/// Widths of the straps of the floorplan, by its layers.
inline constexpr std::array<int64_t, 6> kStrapWidths = {kRailWidth, 960, 3200, 4000, 4800, 12000};

/// x or y of the first strap of a net, 0: VDD, 1: VSS, which is half a pitch further.
constexpr int64_t first_strap(int layer, int net) {
  const Straps& straps = kOpenroadStraps[layer];
  return straps.offset + net * straps.pitch / 2;
}
inline constexpr std::array<std::string_view, 2> kNetNames = {"VDD", "VSS"};

/// A via that covers an area with as many cuts as fit.
struct ViaShape {
  int64_t columns, rows, x_enclosure, y_enclosure;
};
ViaShape via_shape(const CutRule& cut, int64_t width, int64_t height);

/// Writes the LEF file.
void write_technology(DeckWriter& lef);

}  // namespace gridiron::generator
