// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/wires.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/lookup.hpp"
#include "support/parallel.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr double kLargestShare = 1.0 / 3;  ///< of the pixels that wires may cover
constexpr double kThinnest = 2, kWidest = 6;

bool is_drawn(const NodeTable& nodes, NodeId n) {
  return has_drop(nodes, n) && nodes.layer[n] >= 0 && std::isfinite(nodes.x_um[n]) && std::isfinite(nodes.y_um[n]);
}

/// What is drawn on one map.
struct Drawing {
  HeatMap* map = nullptr;
  double length_px = 0;             ///< of all wires
  std::vector<std::int64_t> wires;  ///< indices of resistors
  std::vector<NodeId> nodes;
};

double pixels_of(const HeatMap& map) { return static_cast<double>(map.frame.width) * map.frame.height; }

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
  const auto covers_too_much = [](const Drawing& drawing) {
    return kThinnest * (drawing.length_px + kThinnest * static_cast<double>(drawing.map->nodes)) >
           kLargestShare * pixels_of(*drawing.map);
  };
  std::vector<Drawing> drawings;
  for (HeatMap& map : maps)
    if (map.layer && !covers_too_much({&map, 0, {}, {}})) drawings.push_back({&map, 0, {}, {}});

  const std::size_t layers = result.layer_names.size();
  std::vector<std::int32_t> drawing_of(result.nets.size() * layers);
  const auto number = [&] {
    std::ranges::fill(drawing_of, -1);
    for (std::size_t k = 0; k < drawings.size(); ++k)
      drawing_of[drawings[k].map->net * layers + *drawings[k].map->layer] = static_cast<std::int32_t>(k);
  };
  const auto drawing_with = [&](NodeId n) {
    return is_drawn(nodes, n) ? drawing_of[nodes.net[n] * layers + nodes.layer[n]] : -1;
  };
  const auto drawing_with_wire = [&](std::int64_t i) {
    const std::int32_t drawing = drawing_with(resistors.a[i]);
    return drawing >= 0 && drawing_with(resistors.b[i]) == drawing ? drawing : -1;
  };

  number();
  const std::size_t count = drawings.size();
  if (count == 0) return;
  const auto lengths = joined_ranges<std::vector<double>>(
      resistors.size(),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> some(count);
        for (std::int64_t i = begin; i < end; ++i)
          if (const std::int32_t k = drawing_with_wire(i); k >= 0) {
            const NodeId a = resistors.a[i], b = resistors.b[i];
            some[k] += std::hypot(nodes.x_um[a] - nodes.x_um[b], nodes.y_um[a] - nodes.y_um[b]) /
                       drawings[k].map->frame.um_per_pixel;
          }
        return some;
      },
      [&](std::vector<double>& all, const std::vector<double>& some) {
        all.resize(count);
        std::ranges::transform(all, some, all.begin(), std::plus());
      });
  for (std::size_t k = 0; k < lengths.size(); ++k) drawings[k].length_px = lengths[k];
  std::erase_if(drawings, [&](const Drawing& drawing) { return drawing.length_px == 0 || covers_too_much(drawing); });
  if (drawings.empty()) return;
  number();
  const auto wires =
      parallel_list<std::int64_t>(resistors.size(), [&](std::int64_t i, std::vector<std::int64_t>& some) {
        if (drawing_with_wire(i) >= 0) some.push_back(i);
      });
  for (const std::int64_t i : wires) drawings[drawing_with_wire(i)].wires.push_back(i);
  // Vias may end where no wire of the layer leads.
  const auto placed = parallel_list<NodeId>(std::ssize(nodes.state), [&](std::int64_t n, std::vector<NodeId>& some) {
    if (drawing_with(static_cast<NodeId>(n)) >= 0) some.push_back(static_cast<NodeId>(n));
  });
  for (const NodeId n : placed) drawings[drawing_with(n)].nodes.push_back(n);

  parallel_tasks(std::ssize(drawings), [&](std::int64_t k) {
    const Drawing& drawing = drawings[k];
    HeatMap& map = *drawing.map;
    std::ranges::fill(map.pixels, std::uint8_t{0});
    const double spacing = pixels_of(map) / std::max(drawing.length_px, 1.0);
    Brush brush(map, std::clamp(spacing / 5, kThinnest, kWidest));
    for (const std::int64_t i : drawing.wires) {
      const NodeId a = resistors.a[i], b = resistors.b[i];
      brush.line(nodes.x_um[a], nodes.y_um[a], nodes.drop_v[a], nodes.x_um[b], nodes.y_um[b], nodes.drop_v[b]);
    }
    Brush dots(map, 3);
    for (const NodeId n : drawing.nodes) dots.dot(nodes.x_um[n], nodes.y_um[n], nodes.drop_v[n]);
  });
}

}  // namespace gridiron
