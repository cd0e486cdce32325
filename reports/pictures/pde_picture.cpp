// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/pde_report.hpp"
#include "reports/pictures/canvas.hpp"
#include "reports/pictures/plot.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

constexpr int kLeastPictureSide = 8;

/// Every pixel shows the nearest value.
std::vector<uint8_t> coloured(const Slice& slice, const Plot& plot) {
  const auto nearest = [](double steps, int64_t count) {
    return std::clamp<int64_t>(std::llround(steps), 0, count - 1);
  };
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(plot.width) * plot.height);
  for (int y = 0; y < plot.height; ++y)
    for (int x = 0; x < plot.width; ++x) {
      const double value = slice.at(
          nearest((plot.left + (x + 0.5) * plot.per_pixel - slice.origin[0]) / slice.spacing[0], slice.columns),
          nearest((plot.top - (y + 0.5) * plot.per_pixel - slice.origin[1]) / slice.spacing[1], slice.rows));
      const double share = (value - plot.low) / (plot.high - plot.low);
      pixels.push_back(std::isfinite(share)
                           ? Canvas::heat(std::clamp(static_cast<int>(share * kHeatColours), 0, kHeatColours - 1))
                           : Canvas::kPlotBackground);
    }
  return pixels;
}

/// Least and largest value, made distinct; a failed engine may have left values that are not finite.
std::pair<double, double> range_of(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  if (low > high) return {0, 1};
  return {low, high > low ? high : low + 1};
}

std::string quality_of(const PdeResult& result) {
  if (result.error) return fmt::format("largest error {:.3e}", Shown{result.error->linf});
  if (result.flow && result.flow->error)
    return fmt::format("velocity error {:.3e}", Shown{result.flow->error->velocity_l2});
  if (result.flow) return fmt::format("largest |B u| {:.1e}", Shown{result.flow->divergence_max});
  if (result.mesh) return fmt::format("{} folded cells", result.mesh->folded);
  if (result.vortex) return fmt::format("stray rotation {:.2g} %", Shown{100 * result.vortex->stray_rotation});
  if (result.balance) return fmt::format("imbalance {:.2e} of the inflow", Shown{result.balance->imbalance});
  return "";
}

/// The power of ten that keeps the labels of the colour bar short.
int bar_exponent(const std::vector<double>& values) {
  const auto [low, high] = range_of(values);
  const double largest = std::max(std::abs(low), std::abs(high));
  return largest > 1e-2 && largest < 1e4 ? 0 : static_cast<int>(std::floor(std::log10(largest)));
}

/// A map of one of the result's slices.
std::string map_of(const PdeResult& result, Slice slice, const std::string& shown, std::string unit) {
  if (const int exponent = bar_exponent(slice.value); exponent != 0) {
    for (double& value : slice.value) value /= std::pow(10.0, exponent);
    unit = fmt::format("{} / 1e{}", unit, exponent);
  }
  const auto [low, high] = range_of(slice.value);
  // The box extends as far beyond the last value as the first is from the origin.
  const double width = static_cast<double>(slice.columns - 1) * slice.spacing[0] + 2 * slice.origin[0];
  const double height = static_cast<double>(slice.rows - 1) * slice.spacing[1] + 2 * slice.origin[1];

  const double per_pixel = std::max(width, height) / kLongSideOfPlot;
  const auto pixels_of = [&](double side) {
    return std::max(kLeastPictureSide, static_cast<int>(std::ceil(side / per_pixel - 1e-9)));
  };
  const bool is_3d = result.problem->dimensions == 3;
  const int normal = 3 - slice.axes[0] - slice.axes[1];

  Plot plot{.title = fmt::format("{} · {}{}", result.problem->name, shown,
                                 is_3d ? fmt::format(" at {} = {:.4g}", "xyz"[normal], slice.depth) : ""),
            .remark = shape_text(result.shape, result.problem->dimensions),
            .facts = fmt::format("{}, {}", quality_of(result), result.engine.name),
            .x_label = std::string(1, "xyz"[slice.axes[0]]),
            .y_label = std::string(1, "xyz"[slice.axes[1]]),
            .top = height,
            .per_pixel = per_pixel,
            .width = pixels_of(width),
            .height = pixels_of(height),
            .pixels = {},
            .low = low,
            .high = high,
            .unit = unit,
            .ring = {},
            .lines = {}};
  if (shown == result.shown || shown == "solution")
    for (const Line& line : result.lines_in_slice) {
      plot.lines.emplace_back();
      for (const Point& p : line.points) plot.lines.back().push_back({p[slice.axes[0]], p[slice.axes[1]]});
    }
  const std::vector<uint8_t> pixels = coloured(slice, plot);
  plot.pixels = pixels;
  return plot_png(plot);
}

}  // namespace

std::string pde_picture(const PdeResult& result) {
  return map_of(result, result.slice, result.shown == "u" ? "solution" : result.shown, result.shown);
}

std::string pde_error_picture(const PdeResult& result) { return map_of(result, *result.error_slice, "error", "|e|"); }

std::string pde_further_picture(const PdeResult& result, const ShownSlice& further) {
  return map_of(result, further.slice, further.name, further.unit);
}

}  // namespace gridiron
