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
  double length_px = 0;        ///< of all wires
  std::vector<int64_t> wires;  ///< indices of resistors
  std::vector<NodeId> nodes;
};

double pixels_of(const HeatMap& map) { return static_cast<double>(map.frame.width) * map.frame.height; }

bool covers_too_much(const Drawing& drawing) {
  return kThinnest * (drawing.length_px + kThinnest * drawing.map->nodes) > kLargestShare * pixels_of(*drawing.map);
}

/// Which drawing, an index or −1, shows a node or a wire.
class DrawingOf {
 public:
  explicit DrawingOf(const IrReport& result)
      : result_(result), layers_(result.layer_names.size()), drawing_(result.nets.size() * layers_) {}

  void number(const std::vector<Drawing>& drawings) {
    std::ranges::fill(drawing_, -1);
    for (size_t k = 0; k < drawings.size(); ++k)
      drawing_[drawings[k].map->net * layers_ + *drawings[k].map->layer] = static_cast<int32_t>(k);
  }
  int32_t node(NodeId n) const {
    const NodeTable& nodes = result_.nodes;
    return is_drawn(nodes, n) ? drawing_[nodes.net[n] * layers_ + nodes.layer[n]] : -1;
  }
  int32_t wire(int64_t resistor) const {
    const Elements& resistors = result_.circuit->resistors;
    const int32_t drawing = node(resistors.a[resistor]);
    return drawing >= 0 && node(resistors.b[resistor]) == drawing ? drawing : -1;
  }

 private:
  const IrReport& result_;
  size_t layers_;
  std::vector<int32_t> drawing_;  ///< per net and layer
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
    const uint8_t colour = colour_of(map_.scale, drop);
    const auto first = [&](double at) { return std::max(0, static_cast<int>(std::lround(at - half_))); };
    const auto last = [&](double at, int size) {
      return std::min(size, std::max(first(at) + 1, static_cast<int>(std::lround(at + half_))));
    };
    for (int row = first(y); row < last(y, map_.frame.height); ++row)
      for (int column = first(x); column < last(x, map_.frame.width); ++column) {
        uint8_t& pixel = map_.pixels[static_cast<size_t>(row) * map_.frame.width + column];
        pixel = std::max(pixel, colour);
      }
  }

 private:
  HeatMap& map_;
  double half_;  ///< half the width of a line, pixels
};

void measure_wires(const IrReport& result, const DrawingOf& drawing_of, std::vector<Drawing>& drawings) {
  const NodeTable& nodes = result.nodes;
  const Elements& resistors = result.circuit->resistors;
  using Lengths = std::vector<double>;
  const auto lengths = joined_ranges<Lengths>(
      resistors.size(),
      [&](int64_t begin, int64_t end) {
        Lengths some(drawings.size());
        for (int64_t i = begin; i < end; ++i)
          if (const int32_t k = drawing_of.wire(i); k >= 0) {
            const NodeId a = resistors.a[i], b = resistors.b[i];
            some[k] += std::hypot(nodes.x_um[a] - nodes.x_um[b], nodes.y_um[a] - nodes.y_um[b]) /
                       drawings[k].map->frame.um_per_pixel;
          }
        return some;
      },
      [&](Lengths& all, const Lengths& some) {
        all.resize(drawings.size());
        std::ranges::transform(all, some, all.begin(), std::plus());
      });
  for (size_t k = 0; k < lengths.size(); ++k) drawings[k].length_px = lengths[k];
}

void draw(const IrReport& result, const Drawing& drawing) {
  const NodeTable& nodes = result.nodes;
  const Elements& resistors = result.circuit->resistors;
  HeatMap& map = *drawing.map;
  std::ranges::fill(map.pixels, uint8_t{0});
  const double spacing = pixels_of(map) / std::max(drawing.length_px, 1.0);
  Brush brush(map, std::clamp(spacing / 5, kThinnest, kWidest));
  for (const int64_t i : drawing.wires) {
    const NodeId a = resistors.a[i], b = resistors.b[i];
    brush.line(nodes.x_um[a], nodes.y_um[a], nodes.drop_v[a], nodes.x_um[b], nodes.y_um[b], nodes.drop_v[b]);
  }
  Brush dots(map, 3);
  for (const NodeId n : drawing.nodes) dots.dot(nodes.x_um[n], nodes.y_um[n], nodes.drop_v[n]);
}

}  // namespace

void draw_wires(const IrReport& result, std::vector<HeatMap>& maps) {
  std::vector<Drawing> drawings;
  for (HeatMap& map : maps)
    if (map.layer && !covers_too_much({&map, 0, {}, {}})) drawings.push_back({&map, 0, {}, {}});
  if (drawings.empty()) return;
  DrawingOf drawing_of(result);
  drawing_of.number(drawings);
  measure_wires(result, drawing_of, drawings);
  std::erase_if(drawings, [](const Drawing& drawing) { return drawing.length_px == 0 || covers_too_much(drawing); });
  if (drawings.empty()) return;
  drawing_of.number(drawings);
  const auto wires = parallel_list<int64_t>(result.circuit->resistors.size(), [&](int64_t i, auto& some) {
    if (drawing_of.wire(i) >= 0) some.push_back(i);
  });
  for (const int64_t i : wires) drawings[drawing_of.wire(i)].wires.push_back(i);
  // Vias may end where no wire of the layer leads.
  const auto placed = parallel_list<NodeId>(std::ssize(result.nodes.state), [&](int64_t n, auto& some) {
    if (drawing_of.node(static_cast<NodeId>(n)) >= 0) some.push_back(static_cast<NodeId>(n));
  });
  for (const NodeId n : placed) drawings[drawing_of.node(n)].nodes.push_back(n);
  parallel_tasks(std::ssize(drawings), [&](int64_t k) { draw(result, drawings[k]); });
}

}  // namespace gridiron
