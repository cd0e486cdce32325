// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/net_parts.hpp"

#include <algorithm>
#include <array>
#include <boost/polygon/polygon.hpp>
#include <span>
#include <type_traits>

#include "layout/extract/pieces.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

namespace bp = boost::polygon;

std::vector<Dbu> node_pitches(const Library& library, double dbu_per_um) {
  constexpr double kMostUm = 10;
  constexpr Dbu kPitches = 10;
  std::vector<Dbu> pitches;
  for (const Layer& layer : library.layers) {
    const Dbu pitch = std::max<Dbu>(1, to_dbu(layer.pitch_x_um, dbu_per_um));
    const auto most = static_cast<Dbu>(dbu_per_um * kMostUm);
    pitches.push_back(layer.kind == LayerKind::routing ? std::min(most, kPitches * std::min(most, pitch)) : 0);
  }
  return pitches;
}

std::vector<Box> rectangles_of(const std::vector<Point>& corners) {
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    if (a.x != b.x && a.y != b.y) return {};
  }
  std::vector<bp::point_data<Dbu>> points;
  for (const Point p : corners) points.emplace_back(p.x, p.y);
  bp::polygon_90_data<Dbu> polygon;
  polygon.set(points.begin(), points.end());
  bp::polygon_90_set_data<Dbu> set;
  set.insert(polygon);
  std::vector<bp::rectangle_data<Dbu>> rectangles;
  set.get_rectangles(rectangles);
  std::vector<Box> boxes;
  for (const auto& r : rectangles) boxes.push_back({bp::xl(r), bp::yl(r), bp::xh(r), bp::yh(r)});
  return boxes;
}

std::vector<Box> pieces_of_polygon(const std::vector<Point>& corners) {
  std::vector<Box> boxes = rectangles_of(corners);
  if (!boxes.empty()) return boxes;
  const Pieces pieces = cut({}, std::span(&corners, 1));
  return {pieces.box.begin(), pieces.box.end()};
}

void add_polygon(LayerShapes& layer, const std::vector<Point>& corners) {
  const std::vector<Box> boxes = rectangles_of(corners);
  layer.boxes.insert(layer.boxes.end(), boxes.begin(), boxes.end());
  if (boxes.empty()) layer.polygons.push_back(corners);
}

PlaceRef add_place(int32_t layer, Point place, std::vector<Point>& list) {
  list.push_back(place);
  return {layer, static_cast<int32_t>(list.size() - 1)};
}

namespace {

/// f(list, index) of the lists of a layer.
void for_each_list(LayerShapes& layer, auto&& f) {
  f(layer.boxes, 0);
  f(layer.polygons, 1);
  f(layer.places, 2);
  f(layer.others, 3);
}
constexpr size_t kLists = 4, kPlaces = 2, kOthers = 3;
using Sizes = std::array<size_t, kLists>;

template <class T>
void grow(std::vector<T>& list, size_t size) {
  if constexpr (std::is_trivially_copyable_v<T>)
    grow_in_parallel(list, size);
  else
    list.resize(size);
}

}  // namespace

std::vector<PlacesBefore> append(std::vector<std::vector<LayerShapes>> ranges, std::vector<LayerShapes>& all) {
  std::vector<PlacesBefore> before(ranges.size());
  std::vector<std::vector<Sizes>> first(ranges.size(), std::vector<Sizes>(all.size()));
  for (size_t layer = 0; layer < all.size(); ++layer) {
    Sizes size{};
    for_each_list(all[layer], [&](const auto& list, size_t k) { size[k] = list.size(); });
    for (size_t r = 0; r < ranges.size(); ++r) {
      first[r][layer] = size;
      before[r].places.push_back(static_cast<int64_t>(size[kPlaces]));
      before[r].others.push_back(static_cast<int64_t>(size[kOthers]));
      for_each_list(ranges[r][layer], [&](const auto& list, size_t k) { size[k] += list.size(); });
    }
    for_each_list(all[layer], [&](auto& list, size_t k) { grow(list, size[k]); });
  }
  parallel_tasks(std::ssize(ranges), [&](int64_t r) {
    for (size_t layer = 0; layer < all.size(); ++layer) {
      LayerShapes some = std::move(ranges[r][layer]);
      const auto put = [&](auto& list, auto& own, size_t k) {
        std::move(own.begin(), own.end(), list.begin() + static_cast<ptrdiff_t>(first[r][layer][k]));
      };
      put(all[layer].boxes, some.boxes, 0);
      put(all[layer].polygons, some.polygons, 1);
      put(all[layer].places, some.places, kPlaces);
      put(all[layer].others, some.others, kOthers);
    }
  });
  return before;
}

void add_wires(const Library& library, const SpecialNet& net, NetParts& parts) {
  const auto is_routing = [&](int32_t layer) { return library.layers[layer].kind == LayerKind::routing; };
  for (const LayerBox& b : net.boxes)
    if (is_routing(b.layer)) parts.layers[b.layer].boxes.push_back(b.box);
  for (const LayerPolygon& p : net.polygons)
    if (is_routing(p.layer)) add_polygon(parts.layers[p.layer], p.corners);
}

void add_block_pins(const Library& library, const Chip& chip, const SpecialNet& net, NetParts& parts) {
  const auto is_connected = [&](const std::string& pin) {
    return std::any_of(net.connections.begin(), net.connections.end(),
                       [&](const Connection& c) { return c.instance == "PIN" && c.pin == pin; });
  };
  for (size_t i = 0; i < chip.pins.size(); ++i) {
    const BlockPin& pin = chip.pins[i];
    if (pin.net != net.name && !is_connected(pin.name)) continue;
    const auto add = [&](int32_t layer, const Box& box) {
      LayerShapes& shapes = parts.layers[layer];
      parts.block_pins.push_back({static_cast<int32_t>(i),
                                  {layer, box},
                                  add_place(layer, centre(box), shapes.places),
                                  add_place(layer, centre(box), shapes.others)});
    };
    for (const LayerBox& b : pin.boxes) {
      if (library.layers[b.layer].kind != LayerKind::routing) continue;
      parts.layers[b.layer].boxes.push_back(b.box);
      add(b.layer, b.box);
    }
    for (const LayerPolygon& p : pin.polygons) {
      if (library.layers[p.layer].kind != LayerKind::routing) continue;
      add_polygon(parts.layers[p.layer], p.corners);
      for (const Box& box : pieces_of_polygon(p.corners)) add(p.layer, box);
    }
  }
}

NetParts collect_net_parts(const Library& library, const Chip& chip, const SpecialNet& net, Dbu cell) {
  NetParts parts;
  parts.layers.resize(library.layers.size());
  add_wires(library, net, parts);
  add_vias(library, chip, net, cell, parts);
  add_terminals(library, chip, net, parts);
  add_block_pins(library, chip, net, parts);
  return parts;
}

}  // namespace gridiron::layout
