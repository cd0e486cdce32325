// SPDX-License-Identifier: Apache-2.0
#include "reports/wires.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/lookup.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kLargestShare = 1.0 / 3;  ///< of the pixels that wires may cover
constexpr double kThinnest = 2, kWidest = 6;

bool is_drawn(const NodeTable& nodes, NodeId n) {
  return has_drop(nodes, static_cast<std::size_t>(n)) && nodes.layer[n] >= 0 && std::isfinite(nodes.x_um[n]) &&
         std::isfinite(nodes.y_um[n]);
}

/// What is drawn on one map.
struct Drawing {
  HeatMap* map = nullptr;
  double length_px = 0;             ///< of all wires
  std::vector<std::int64_t> wires;  ///< indices of resistors
};

class Brush {
 public:
  Brush(HeatMap& map, double width) : map_(map), half_(width / 2) {}

  void line(double x0, double y0, double drop0, double x1, double y1, double drop1) {
    const double dx = (x1 - x0) / map_.frame.um_per_pixel, dy = (y1 - y0) / map_.frame.um_per_pixel;
    const int steps = std::max(1, static_cast<int>(std::ceil(2 * std::max(std::abs(dx), std::abs(dy)))));
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      dot(x0 + t * (x1 - x0), y0 + t * (y1 - y0), drop0 + t * (drop1 - drop0));
    }
  }

  void dot(double x_um, double y_um, double drop) {
    const double x = (x_um - map_.frame.left_um) / map_.frame.um_per_pixel;
    const double y = (map_.frame.top_um - y_um) / map_.frame.um_per_pixel;
    const std::uint8_t colour = colour_of(map_.scale, drop);
    const auto first = [&](double at) { return std::max(0, static_cast<int>(std::lround(at - half_))); };
    const auto last = [&](double at, int size) {
      return std::min(size, std::max(first(at) + 1, static_cast<int>(std::lround(at + half_))));
    };
    for (int row = first(y); row < last(y, map_.frame.height); ++row)
      for (int column = first(x); column < last(x, map_.frame.width); ++column) {
        std::uint8_t& pixel = map_.pixels[static_cast<std::size_t>(row) * map_.frame.width + column];
        pixel = std::max(pixel, colour);
      }
  }

 private:
  HeatMap& map_;
  double half_;  ///< half the width of a line, pixels
};

}  // namespace

void draw_wires(const IrReport& result, std::vector<HeatMap>& maps) {
  const NodeTable& nodes = result.nodes;
  const Elements& resistors = result.circuit->resistors;
  std::map<std::pair<std::int32_t, std::int32_t>, Drawing> drawings;
  for (HeatMap& map : maps)
    if (map.layer) drawings[{map.net, *map.layer}].map = &map;

  const auto pixels = [](const HeatMap& map) { return static_cast<double>(map.frame.width) * map.frame.height; };
  const auto for_each_wire = [&](auto&& f) {
    for (std::int64_t i = 0; i < resistors.size(); ++i) {
      const NodeId a = resistors.a[i], b = resistors.b[i];
      if (!is_drawn(nodes, a) || !is_drawn(nodes, b) || nodes.net[a] != nodes.net[b] ||
          nodes.layer[a] != nodes.layer[b])
        continue;
      const auto found = drawings.find({nodes.net[a], nodes.layer[a]});
      if (found != drawings.end()) f(i, a, b, found->second);
    }
  };
  for_each_wire([&](std::int64_t, NodeId a, NodeId b, Drawing& drawing) {
    drawing.length_px +=
        std::hypot(nodes.x_um[a] - nodes.x_um[b], nodes.y_um[a] - nodes.y_um[b]) / drawing.map->frame.um_per_pixel;
  });
  std::erase_if(drawings, [&](const auto& entry) {
    const Drawing& drawing = entry.second;
    return drawing.length_px == 0 ||
           kThinnest * (drawing.length_px + kThinnest * static_cast<double>(drawing.map->nodes)) >
               kLargestShare * pixels(*drawing.map);
  });
  if (drawings.empty()) return;
  for_each_wire([](std::int64_t i, NodeId, NodeId, Drawing& drawing) { drawing.wires.push_back(i); });

  std::vector<Drawing*> work;
  for (auto& [key, drawing] : drawings) work.push_back(&drawing);
  parallel_tasks(static_cast<std::int64_t>(work.size()), [&](std::int64_t k) {
    const Drawing& drawing = *work[static_cast<std::size_t>(k)];
    HeatMap& map = *drawing.map;
    std::fill(map.pixels.begin(), map.pixels.end(), std::uint8_t{0});
    const double spacing = pixels(map) / std::max(drawing.length_px, 1.0);
    Brush brush(map, std::clamp(spacing / 5, kThinnest, kWidest));
    for (const std::int64_t i : drawing.wires) {
      const NodeId a = resistors.a[i], b = resistors.b[i];
      brush.line(nodes.x_um[a], nodes.y_um[a], nodes.drop_v[a], nodes.x_um[b], nodes.y_um[b], nodes.drop_v[b]);
    }
  });
  // Vias may end where no wire of the layer leads.
  for (std::size_t n = 0; n < nodes.state.size(); ++n) {
    const auto node = static_cast<NodeId>(n);
    if (!is_drawn(nodes, node)) continue;
    const auto found = drawings.find({nodes.net[n], nodes.layer[n]});
    if (found == drawings.end()) continue;
    Brush(*found->second.map, 3).dot(nodes.x_um[n], nodes.y_um[n], nodes.drop_v[n]);
  }
}

}  // namespace gridiron
