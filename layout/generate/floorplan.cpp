// SPDX-License-Identifier: Apache-2.0
#include "layout/generate/floorplan.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron::generator {
namespace {

/// The smallest die has a strap of either net on every layer.
constexpr int64_t kLeastSide = 20 * kRowHeight;
constexpr int64_t kLeastWithMacros = 20'000;
constexpr int64_t kTapPitch = 80'000, kFirstTap = 20'000;
constexpr int64_t kFilledPercent = 30;   ///< gaps with fillers
constexpr double kFillersPerGap = 1.76;  ///< on average, of these
constexpr double kMeanOccupied = 0.7;    ///< of Regions

const Cell& cell_of(int64_t percent) {
  for (const Cell& cell : kCells) {
    if (percent < cell.percent) return cell;
    percent -= cell.percent;
  }
  return kCells.back();
}

const Cell& widest_filler(int64_t room) {
  return *std::ranges::find_if(kFillers, [&](const Cell& cell) { return cell.width() <= room; });
}

/// Of a square core, if regions are average; a whole number of sites.
int64_t planned_width(int64_t components, int64_t macros) {
  const double place = kMeanSites * kSite * kRowHeight;
  const double per_place = kMeanOccupied + (1 - kMeanOccupied) * kFilledPercent / 100.0 * kFillersPerGap;
  const double area = static_cast<double>(components) * place / per_place +
                      static_cast<double>(macros) * static_cast<double>(kMacroWidth) * kMacroHeight;
  return std::max(kLeastSide, static_cast<int64_t>(std::sqrt(area)) / kSite * kSite);
}

}  // namespace

LayoutFloorplan::LayoutFloorplan(const layout::LayoutGeneratorOptions& options)
    : components_(options.components), layers_(options.layers), random_(options.seed), regions_(random_) {
  const bool has_macros = components_ >= kLeastWithMacros && layers_ > 2;
  width_ = planned_width(components_, has_macros ? 2 : 0);
  if (has_macros) {
    const int64_t pitch = kOpenroadStraps[1].pitch;  // so that the pins are where straps would be
    macros_ = {0, (width_ - kMacroWidth) / pitch * pitch};
  }
  for_each_row([&](int64_t, const std::vector<PlacedCell>& cells) {
    ++used_rows_;
    drivers_ += std::ranges::count_if(cells, &PlacedCell::draws_power);
  });
  rows_ = std::max(used_rows_, kLeastSide / kRowHeight);
  // A strap that began on the last few µm might meet no rail of its net.
  const int64_t last_region = height() / kRegionSize * kRegionSize;
  const bool is_low = height() - last_region < 2 * kOpenroadStraps[0].pitch;
  highest_y_ = is_low ? last_region - 1 : height();
}

/// Cells and gaps as wide as cells, by the occupancy of the region, with tap cells at their own pitch.
void LayoutFloorplan::fill_row(int64_t row, int64_t number, std::vector<PlacedCell>& cells) const {
  cells.clear();
  const Span span = this->row(row);
  const int64_t y = row * kRowHeight;
  int64_t next_tap = span.begin + kFirstTap + row % 2 * (kTapPitch / 2);
  int64_t region_end = -1, occupied_percent = 0;
  const auto place = [&](const Cell& cell, int64_t x) {
    cells.push_back({number++, &cell, {x, y}});
    return number < components_;
  };
  int64_t x = span.begin;
  for (int64_t slot = 0;; ++slot) {
    if (x >= region_end) {
      occupied_percent = regions_.at({x, y}).occupied_percent;
      region_end = (x / kRegionSize + 1) * kRegionSize;
    }
    const Cell& cell = cell_of(random_.below(100, {kKind, row, slot}));
    if (x + cell.width() > next_tap && next_tap + kTapCell.width() <= span.end) {
      if (!place(kTapCell, next_tap)) return;
      x = next_tap + kTapCell.width();
      next_tap += kTapPitch;
      continue;
    }
    if (x + cell.width() > span.end) return;
    if (slot == 0 || random_.below(100, {kOccupied, row, slot}) < occupied_percent) {
      if (!place(cell, x)) return;
    } else if (random_.below(100, {kFilled, row, slot}) < kFilledPercent) {
      for (int64_t at = x, end = x + cell.width(); at < end; at = cells.back().place.x + cells.back().cell->width())
        if (!place(widest_filler(end - at), at)) return;
    }
    x += cell.width();
  }
}

}  // namespace gridiron::generator
