// SPDX-License-Identifier: Apache-2.0
// What a generated layout has beside nets: its die, components and pins, and what components draw.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/generate/design.hpp"

namespace gridiron::generator {
namespace {

/// Between bumps of a net, by the number of layers: thin metal on top needs more of them.
constexpr int64_t kBumpPitch[] = {0, 0, 60'000, 100'000, 280'000, 280'000, 280'000};

/// Every strap that can be missing is there where this divides its number.
constexpr int64_t kSurelyPresent = 6;

/// The strap of a net that is nearest to a coordinate.
int64_t nearest_strap(const LayoutFloorplan& floorplan, int layer, int net, int64_t at) {
  const int64_t step = layer == 1 ? kSurelyPresent : 1;
  const int64_t pitch = step * kOpenroadStraps[layer].pitch;
  const int64_t last = (floorplan.straps(layer, net) - 1) / step;
  const int64_t number = (at - first_strap(layer, net) + pitch / 2) / pitch;
  return LayoutFloorplan::strap(layer, net, step * std::clamp<int64_t>(number, 0, last));
}

/// The pin of a power net: a piece of strap under each bump, twice as long as nodes for sources are apart.
void write_bumps(DeckWriter& def, const LayoutFloorplan& floorplan, int net) {
  const int top = floorplan.layers() - 1;
  const Straps& straps = kOpenroadStraps[top];
  const int64_t pitch = kBumpPitch[floorplan.layers()];
  const int64_t half_length = 10 * kMetalRules[straps.number - 1].pitch, half_width = kStrapWidths[top] / 2;
  const int64_t length = straps.horizontal ? floorplan.width() : floorplan.height(),
                breadth = straps.horizontal ? floorplan.height() : floorplan.width();
  const int64_t columns = std::max<int64_t>(1, length / pitch), rows = std::max<int64_t>(1, breadth / pitch);
  def << "    - " << kNetNames[net] << " + NET " << kNetNames[net] << " + SPECIAL + DIRECTION INOUT + USE "
      << (net == 0 ? "POWER" : "GROUND");
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t across = nearest_strap(floorplan, top, net, (2 * row + 1) * breadth / (2 * rows));
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t along = (2 * column + 1) * length / (2 * columns);
      Point low{-std::min(half_length, along), -half_width}, high{std::min(half_length, length - along), half_width};
      Point at{along, across};
      if (!straps.horizontal)
        for (Point* p : {&low, &high, &at}) std::swap(p->x, p->y);
      def << "\n      + PORT\n        + LAYER metal" << int64_t{straps.number} << " ( " << low.x << ' ' << low.y
          << " ) ( " << high.x << ' ' << high.y << " )\n        + FIXED " << at << " N";
    }
  }
  def << " ;\n";
}

/// In fW, of a cell of mean width in a region of 100 % power that draws as little as any. The drop is mostly local, in
/// the rails and straps of the region with the highest current per strap, so that it is a few percent of the supply
/// (measured on solved layouts).
int64_t least_power(const LayoutFloorplan& floorplan) {
  constexpr double kHighest = 5e13;
  const auto highest = static_cast<double>(floorplan.regions().highest_current(floorplan.width(), floorplan.height()));
  return std::llround(kHighest / highest);
}

}  // namespace

void write_die(DeckWriter& def, const LayoutFloorplan& floorplan) {
  constexpr int64_t kMargin = LayoutFloorplan::kMargin;
  def << "VERSION 5.8 ;\nDIVIDERCHAR \"/\" ;\nBUSBITCHARS \"[]\" ;\nDESIGN generated ;\nUNITS DISTANCE MICRONS "
      << kUnitsPerUm << " ;\nDIEAREA ( 0 0 ) ( " << floorplan.width() + 2 * kMargin << ' '
      << floorplan.height() + 2 * kMargin << " ) ;\n";
  for (int64_t row = 0; row < floorplan.rows(); ++row) {
    const Span span = floorplan.row(row);
    def << "ROW ROW_" << row << " core " << span.begin + kMargin << ' ' << row * kRowHeight + kMargin
        << (row % 2 == 0 ? " FS DO " : " N DO ") << (span.end - span.begin) / kSite << " BY 1 STEP " << kSite
        << " 0 ;\n";
  }
  for (int m = 0; m < kMetalCount; ++m) {
    const int64_t pitch = kMetalRules[m].pitch;
    for (const auto& [axis, extent] : {std::pair{'X', floorplan.width()}, std::pair{'Y', floorplan.height()}})
      def << "TRACKS " << axis << ' ' << pitch / 2 << " DO " << (extent + 2 * kMargin - pitch / 2) / pitch + 1
          << " STEP " << pitch << " LAYER metal" << int64_t{m + 1} << " ;\n";
  }
}

void write_components(DeckWriter& def, const LayoutFloorplan& floorplan) {
  def << "COMPONENTS " << floorplan.components() << " ;\n";
  for (size_t m = 0; m < floorplan.macros().size(); ++m)
    def << "    - " << kMacroNamePrefix << static_cast<int64_t>(m) << ' ' << kMacroName << " + FIXED "
        << Point{floorplan.macros()[m], 0} << " N ;\n";
  floorplan.for_each_row([&](int64_t row, const std::vector<PlacedCell>& cells) {
    const std::string_view orientation = row % 2 == 0 ? " FS ;\n" : " N ;\n";
    for (const PlacedCell& placed : cells)
      def << "    - " << placed << ' ' << placed.cell->name << (placed.draws_power() ? "" : " + SOURCE DIST")
          << " + PLACED " << placed.place << orientation;
  });
  def << "END COMPONENTS\n";
}

void write_pins(DeckWriter& def, const LayoutFloorplan& floorplan) {
  def << "PINS " << floorplan.used_rows() + 2 << " ;\n";
  for (int64_t row = 0; row < floorplan.used_rows(); ++row)
    def << "    - in[" << row << "] + NET in[" << row
        << "] + DIRECTION INPUT + USE SIGNAL + LAYER metal3 ( -80 -80 ) ( 80 80 ) + PLACED ( 80 "
        << LayoutFloorplan::kMargin + row * kRowHeight + kRowHeight / 2 << " ) N ;\n";
  for (int net = 0; net < 2; ++net) write_bumps(def, floorplan, net);
  def << "END PINS\n";
}

void write_powers(DeckWriter& csv, const LayoutFloorplan& floorplan) {
  constexpr int64_t kMacroCells = 2000;  ///< draws as much as so many cells
  constexpr int64_t kMeanSitesTimes100 = 598;
  const int64_t least = least_power(floorplan);
  csv << "instance,power_w\n";
  for (size_t m = 0; m < floorplan.macros().size(); ++m)
    csv << kMacroNamePrefix << static_cast<int64_t>(m) << ',' << Decimal{kMacroCells * least, -15} << '\n';
  floorplan.for_each_row([&](int64_t, const std::vector<PlacedCell>& cells) {
    int64_t region_end = -1, power_percent = 0;
    for (const PlacedCell& placed : cells) {
      if (!placed.draws_power()) continue;
      if (placed.place.x >= region_end) {
        power_percent = floorplan.regions().at(placed.place).power_percent;
        region_end = (placed.place.x / kRegionSize + 1) * kRegionSize;
      }
      // The largest of cells of one kind draws 20 times the smallest.
      const int64_t rarity = 50 + floorplan.random().below(951, {kWatts, placed.number});
      const int64_t watts = least * power_percent / 100 * placed.cell->sites * 100 / kMeanSitesTimes100 * 1000 / rarity;
      csv << placed << ',' << Decimal{watts, -15} << '\n';
    }
  });
}

}  // namespace gridiron::generator
