// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/table_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/plot.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

constexpr TableKind kTableKinds[] = {
    {"gh", "conductance along x", "S", &GridTables::gh}, {"gv", "conductance along y", "S", &GridTables::gv},
    {"via", "via conductance", "S", &GridTables::via},   {"gz", "pad conductance", "S", &GridTables::gz},
    {"iz", "injected current", "A", &GridTables::iz},
};

constexpr double kFlattestTable = 10;
constexpr double kDecades = 6;  ///< smaller values, relative to the largest, look alike

/// Smallest and largest magnitude of the nonzero values, made distinct.
struct Range {
  double low = 1, high = 10;
};

Range range_of(std::span<const double> values) {
  Range range{INFINITY, 0};
  for (const double value : values)
    if (const double size = std::abs(value); size > 0 && std::isfinite(size)) {
      range.low = std::min(range.low, size);
      range.high = std::max(range.high, size);
    }
  if (range.high == 0) return {};
  range.low = std::max(range.low, range.high * std::pow(10.0, -kDecades));
  if (range.high < 1.2 * range.low) return {range.low / 1.5, range.high * 1.5};
  return range;
}

/// Positions of cells along an axis of the picture. A flat grid gets margins, so that the picture is not too thin to
/// see.
struct PixelsOfAxis {
  int pixels;
  double margin, pitch;  ///< pixels

  PixelsOfAxis(int32_t cells, double pitch_um, double longer_um) {
    const double extent = kLongSideOfPlot * (cells * pitch_um / longer_um),
                 shown = std::max(extent, kLongSideOfPlot / kFlattestTable);
    pixels = static_cast<int>(std::ceil(shown - 1e-9));
    margin = (shown - extent) / 2;
    pitch = extent / cells;
  }
  int first(int32_t cell) const { return std::min(static_cast<int>(margin + cell * pitch), pixels - 1); }
  /// A cell narrower than a pixel still takes one, possibly shared.
  int last(int32_t cell) const { return std::max(first(cell), first(cell + 1) - 1); }
};

std::string facts_of(std::span<const double> values, const TableKind& kind) {
  double in = 0, out = 0;
  int64_t entries = 0;
  for (const double value : values) {
    (value > 0 ? in : out) += std::abs(value);
    entries += value != 0;
  }
  if (kind.values == &GridTables::iz)
    return fmt::format("{} in, {} out, in {}", with_unit(in, "A", "µ"), with_unit(out, "A", "µ"),
                       count_of(entries, "cell"));
  return fmt::format("sum {} over {} entries", with_unit(in, kind.unit, "µ"), grouped(entries));
}

}  // namespace

std::span<const TableKind> table_kinds() { return kTableKinds; }

std::span<const double> layer_of(const RegularNet& net, const TableKind& kind, int32_t layer) {
  const size_t plane = static_cast<size_t>(net.tables.nx) * net.tables.ny;
  return std::span(net.tables.*kind.values).subspan(plane * static_cast<size_t>(layer), plane);
}

std::string table_picture(const RegularNet& net, const TableKind& kind, int32_t layer) {
  const GridTables& tables = net.tables;
  const std::span<const double> values = layer_of(net, kind, layer);
  const Range range = range_of(tables.*kind.values);
  const double longer = std::max(tables.used_nx * tables.pitch_x_um, tables.used_ny * tables.pitch_y_um);
  const double per_pixel = longer / kLongSideOfPlot;
  const PixelsOfAxis columns(tables.used_nx, tables.pitch_x_um, longer),
      rows(tables.used_ny, tables.pitch_y_um, longer);
  const int width = columns.pixels, height = rows.pixels;

  std::vector<uint8_t> pixels(static_cast<size_t>(width) * height, Canvas::kPlotBackground);
  const double per_factor = kHeatColours / std::log(range.high / range.low);
  for (int32_t y = 0; y < tables.used_ny; ++y)
    for (int32_t x = 0; x < tables.used_nx; ++x) {
      const double size = std::abs(values[int64_t{y} * tables.nx + x]);
      if (!(size > 0)) continue;
      const double step = std::clamp(std::log(size / range.low) * per_factor, 0.0, kHeatColours - 1.0);
      const uint8_t colour = Canvas::heat(static_cast<int>(step));
      for (int row = rows.first(y); row <= rows.last(y); ++row)
        for (int column = columns.first(x); column <= columns.last(x); ++column) {
          uint8_t& pixel = pixels[static_cast<size_t>(height - 1 - row) * static_cast<size_t>(width) + column];
          pixel = std::max(pixel, colour);
        }
    }

  std::string layers = printable(net.layers[layer]);
  if (kind.values == &GridTables::via) layers += "-" + printable(net.layers[static_cast<size_t>(layer) + 1]);
  Plot plot{.title = fmt::format("{} · {} · {} ({})", printable(net.name), layers, kind.meaning, kind.name),
            .remark = fmt::format("{} × {} cells", tables.used_nx, tables.used_ny),
            .facts = facts_of(values, kind),
            .x_label = "x, µm",
            .y_label = "y, µm",
            .left = tables.x0_um - columns.margin * per_pixel,
            .top = tables.y0_um + (height - rows.margin) * per_pixel,
            .per_pixel = per_pixel,
            .width = width,
            .height = height,
            .pixels = pixels,
            .low = range.low,
            .high = range.high,
            .is_logarithmic = true,
            .unit = kind.values == &GridTables::iz ? "|A|" : std::string(kind.unit),
            .ring = {}};
  return plot_png(plot);
}

}  // namespace gridiron
