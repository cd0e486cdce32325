// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/change_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/pictures/colormap.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/plot.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostMaps = 20;

/// The nodes of a net that have a place and are in both runs.
std::vector<int32_t> placed_nodes(const RunData& run, const RunDiff& diff, const std::string& net) {
  std::vector<int32_t> rows;
  for (int32_t row = 0; row < run.nodes(); ++row)
    if (!std::isnan(diff.change_v[row]) && std::isfinite(run.x_um[row]) && std::isfinite(run.y_um[row]) &&
        run.nets[run.net[row]].name == net)
      rows.push_back(row);
  return rows;
}

Frame frame_of(const RunData& run, const std::vector<int32_t>& rows) {
  double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
  for (const int32_t row : rows) {
    left = std::min(left, run.x_um[row]);
    right = std::max(right, run.x_um[row]);
    bottom = std::min(bottom, run.y_um[row]);
    top = std::max(top, run.y_um[row]);
  }
  const double longer = std::max({right - left, top - bottom, 1e-9}), margin = 0.03 * longer;
  const double width = std::max(right - left + 2 * margin, longer / kFlattestFrame),
               height = std::max(top - bottom + 2 * margin, longer / kFlattestFrame);
  return frame_around((left + right) / 2, (bottom + top) / 2, width, height, kLongSide);
}

/// Spreads colours into empty pixels, ring by ring.
void spread(std::vector<uint8_t>& pixels, const Frame& frame, int rings) {
  std::vector<int64_t> front, next;
  for (int64_t i = 0; i < std::ssize(pixels); ++i)
    if (pixels[i] != 0) front.push_back(i);
  for (int ring = 0; ring < rings && !front.empty(); ++ring) {
    next.clear();
    const auto fill = [&](int64_t from, int64_t to) {
      if (pixels[to] != 0) return;
      pixels[to] = pixels[from];
      next.push_back(to);
    };
    for (const int64_t i : front) {
      const int64_t x = i % frame.width, y = i / frame.width;
      if (x > 0) fill(i, i - 1);
      if (x + 1 < frame.width) fill(i, i + 1);
      if (y > 0) fill(i, i - frame.width);
      if (y + 1 < frame.height) fill(i, i + frame.width);
    }
    std::swap(front, next);
  }
}

std::vector<std::vector<Plot::Position>> lines_of(const std::string& net, const std::vector<ChangeMark>& marks,
                                                  double um_per_pixel) {
  constexpr double kDiamond = 6;  // pixels from its middle
  const double r = kDiamond * um_per_pixel;
  std::vector<std::vector<Plot::Position>> lines;
  for (const ChangeMark& m : marks) {
    if (m.net != net) continue;
    const double x = m.x0_um, y = m.y0_um;
    if (x == m.x1_um && y == m.y1_um)
      lines.push_back({{x - r, y}, {x, y + r}, {x + r, y}, {x, y - r}, {x - r, y}});
    else
      lines.push_back({{x, y}, {m.x1_um, m.y1_um}});
  }
  return lines;
}

std::string picture(const RunData& run, const RunDiff& diff, const NetChange& net, const std::vector<int32_t>& rows,
                    const std::vector<ChangeMark>& marks) {
  const Frame frame = frame_of(run, rows);
  int32_t extreme = rows.front();
  for (const int32_t row : rows)
    if (std::abs(diff.change_v[row]) > std::abs(diff.change_v[extreme])) extreme = row;
  const double largest = std::abs(diff.change_v[extreme]);

  std::vector<double> change(static_cast<size_t>(frame.width) * frame.height, NAN);
  for (const int32_t row : rows) {
    double& pixel = change[static_cast<size_t>(frame.row(run.y_um[row])) * frame.width + frame.column(run.x_um[row])];
    if (!(std::abs(diff.change_v[row]) <= std::abs(pixel))) pixel = diff.change_v[row];
  }
  std::vector<uint8_t> pixels(change.size(), 0);
  for (size_t i = 0; i < change.size(); ++i)
    if (!std::isnan(change[i])) {
      const int step = static_cast<int>((change[i] / largest + 1) / 2 * kHeatColours);
      pixels[i] = static_cast<uint8_t>(1 + std::clamp(step, 0, kHeatColours - 1));
    }
  const double pitch = std::sqrt(static_cast<double>(pixels.size()) / static_cast<double>(rows.size()));
  spread(pixels, frame, static_cast<int>(std::clamp(2.5 * pitch, 4.0, 40.0)));

  const auto [unit, volts] = unit_of_scale(largest);
  Plot plot;
  plot.title = fmt::format("{} · change of the drop", printable(net.name));
  plot.remark = count_of(std::ssize(rows), "node");
  plot.facts = fmt::format("largest change {}{} at {}", diff.change_v[extreme] > 0 ? "+" : "",
                           with_unit(diff.change_v[extreme], "V", "µ"), printable(run.names[extreme]));
  plot.x_label = "x, µm";
  plot.y_label = "y, µm";
  plot.left = frame.left_um;
  plot.top = frame.top_um;
  plot.per_pixel = frame.um_per_pixel;
  plot.width = frame.width;
  plot.height = frame.height;
  plot.pixels = pixels;
  plot.low = -largest / volts;
  plot.high = largest / volts;
  plot.unit = unit;
  plot.is_diverging = true;
  plot.ring = {run.x_um[extreme], run.y_um[extreme]};
  plot.lines = lines_of(net.name, marks, frame.um_per_pixel);
  return plot_png(plot);
}

}  // namespace

std::vector<ChangeMap> change_maps(const RunData& after, const RunDiff& diff, const std::vector<ChangeMark>& marks) {
  std::vector<ChangeMap> maps;
  for (const NetChange& net : diff.nets) {
    if (net.risen + net.fallen == 0 || maps.size() == kMostMaps) continue;
    const std::vector<int32_t> rows = placed_nodes(after, diff, net.name);
    if (std::ranges::any_of(rows, [&](int32_t row) { return diff.change_v[row] != 0; }))
      maps.push_back({net.name, picture(after, diff, net, rows, marks)});
  }
  return maps;
}

std::vector<std::string> change_map_names(const std::vector<ChangeMap>& maps) {
  std::vector<std::string> names;
  UniqueNames unique;
  for (const ChangeMap& map : maps)
    names.push_back(unique.take(fmt::format("map_{}_change", file_name_part(map.net)), ".png"));
  return names;
}

}  // namespace gridiron
