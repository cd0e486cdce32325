// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "reports/lookup.hpp"
#include "reports/pictures/colormap.hpp"
#include "reports/pictures/wires.hpp"
#include "support/parallel.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int kLeastSide = 24;
constexpr double kPixelsOfAllMaps = 32e6;
constexpr int32_t kUnknownLayer = -1;

struct Box {
  double left = INFINITY, bottom = INFINITY, right = -INFINITY, top = -INFINITY;

  void add(double x, double y) {
    left = std::min(left, x), right = std::max(right, x);
    bottom = std::min(bottom, y), top = std::max(top, y);
  }
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

/// Placed nodes of each net, ordered by layer: those of (net, layer) are node[begin[slot]] … node[begin[slot + 1] − 1]
/// with a slot for each layer of each net, that of the unknown layer first.
struct PlacedNodes {
  size_t slots_per_net = 0;
  std::vector<int64_t> begin;
  std::vector<NodeId> node;

  std::span<const NodeId> slots(size_t first, size_t last) const {
    return std::span(node).subspan(begin[first], begin[last] - begin[first]);
  }
  size_t slot(int32_t net, int32_t layer) const {
    return static_cast<size_t>(net) * slots_per_net + (layer - kUnknownLayer);
  }
  std::span<const NodeId> of(int32_t net) const {
    return slots(slot(net, kUnknownLayer), slot(net + 1, kUnknownLayer));
  }
  std::span<const NodeId> of(int32_t net, int32_t layer) const { return slots(slot(net, layer), slot(net, layer) + 1); }
};

PlacedNodes placed_nodes(const IrReport& result) {
  const NodeTable& nodes = result.nodes;
  PlacedNodes placed;
  placed.slots_per_net = result.layer_names.size() + 1;
  const auto has_place = [&](size_t n) {
    return has_drop(nodes, n) && std::isfinite(nodes.x_um[n]) && std::isfinite(nodes.y_um[n]);
  };

  const int64_t slots = result.nets.size() * placed.slots_per_net;
  const auto slot_if_placed = [&](int64_t n) {
    return has_place(n) ? static_cast<int64_t>(placed.slot(nodes.net[n], nodes.layer[n])) : -1;
  };
  const GroupedByKey by_slot(std::ssize(nodes.state), slots, slot_if_placed);
  for (int64_t slot = 0; slot <= slots; ++slot) placed.begin.push_back(by_slot.start(slot));
  make_room_in_parallel(placed.node, placed.begin.back());
  by_slot.for_each_place(slot_if_placed,
                         [&](int64_t n, int64_t place) { placed.node[place] = static_cast<NodeId>(n); });
  return placed;
}

/// f(some, node) of every member, on all threads, range by range; join(all, some) in their order.
template <class R, class F, class Join>
R gathered(std::span<const NodeId> members, F&& f, Join&& join) {
  return joined_ranges<R>(
      std::ssize(members),
      [&](int64_t begin, int64_t end) {
        R some{};
        for (const NodeId node : members.subspan(begin, end - begin)) f(some, node);
        return some;
      },
      join);
}

Box box_of(const NodeTable& nodes, std::span<const NodeId> members) {
  return gathered<Box>(
      members, [&](Box& box, NodeId n) { box.add(nodes.x_um[n], nodes.y_um[n]); },
      [](Box& all, const Box& some) {
        all.add(some.left, some.bottom);
        all.add(some.right, some.top);
      });
}

/// The box with a margin matched to the spacing of its `count` nodes, never flatter than kFlattestFrame.
Frame frame_with_margin(const Box& box, size_t count, int long_side) {
  const double longer = std::max(box.width(), box.height());
  const double extent = longer > 0 ? longer : 1;
  const double pitch = std::sqrt(box.width() * box.height() / count);
  const double margin = std::clamp(pitch / 2, 0.015 * extent, 0.08 * extent);
  const double least = longer > 0 ? longer / kFlattestFrame : extent;
  const double width = std::max(box.width() + 2 * margin, least), height = std::max(box.height() + 2 * margin, least);
  const double x = box.left + box.width() / 2, y = box.bottom + box.height() / 2;
  return frame_around(x, y, width, height, long_side);
}

/// From zero to the worst drop, or from the least drop if that is not near zero, so that the full scale is used. Where
/// nothing drops, zero is the low end: as harmless as it is.
Scale scale_of(const NodeTable& nodes, std::span<const NodeId> members, ScaleKind kind) {
  constexpr double kLeastRange = 1e-9;
  struct Drops {
    double least = INFINITY, worst = -INFINITY;
  };
  const auto drops = gathered<Drops>(
      members,
      [&](Drops& some, NodeId n) {
        some.least = std::min(some.least, nodes.drop_v[n]);
        some.worst = std::max(some.worst, nodes.drop_v[n]);
      },
      [](Drops& all, const Drops& some) {
        all.least = std::min(all.least, some.least);
        all.worst = std::max(all.worst, some.worst);
      });
  if (kind == ScaleKind::around_zero) {
    const double most = std::max({std::abs(drops.least), std::abs(drops.worst), kLeastRange});
    return {-most, most, true};
  }
  Scale scale{drops.least, drops.worst};
  if (scale.low_v > 0 && scale.low_v < 0.5 * scale.high_v) scale.low_v = 0;
  if (scale.low_v == 0 && scale.high_v == 0) scale.high_v = kLeastRange;
  if (!(scale.high_v > scale.low_v)) scale.low_v = scale.high_v - std::max(kLeastRange, 0.01 * std::abs(scale.high_v));
  return scale;
}

/// Radius of a node's colour, in pixels: half the distance between stripes that are about 10 times farther apart than
/// their nodes. The typical node spacing follows from the area per node, or the length per node in a row.
double reach_of(const Box& box, const Frame& frame, size_t count) {
  constexpr double kLeast = 2.5, kMost = 40, kAlone = 12;
  const double per_node = 1.0 / count;
  const double pitch_um =
      std::max(std::sqrt(box.width() * box.height() * per_node), std::max(box.width(), box.height()) * per_node);
  return pitch_um > 0 ? std::clamp(1.6 * pitch_um / frame.um_per_pixel, kLeast, kMost) : kAlone;
}

/// Gives every empty pixel within `radius` the colour of the nearest coloured one and returns per pixel the squared
/// distance to it. Exact Euclidean distances: column scans, then lower envelopes of parabolas per row (P. Felzenszwalb,
/// D. Huttenlocher, "Distance Transforms of Sampled Functions", 2012). Linear time.
std::vector<uint16_t> fill_to_nearest(std::vector<uint8_t>& pixels, int width, int height, double radius) {
  constexpr uint16_t kFar = 1 << 14;
  const size_t columns = width;
  std::vector<uint16_t> distance(pixels.size(), kFar);
  const auto carry = [&](size_t from, size_t to) {
    for (size_t x = 0; x < columns; ++x) {
      const uint16_t step = distance[from + x] + 1;
      const bool nearer = step < distance[to + x];
      distance[to + x] = nearer ? step : distance[to + x];
      pixels[to + x] = nearer ? pixels[from + x] : pixels[to + x];
    }
  };
  for (size_t i = 0; i < pixels.size(); ++i)
    if (pixels[i] != 0) distance[i] = 0;
  for (int y = 1; y < height; ++y) carry((y - 1) * columns, y * columns);
  for (int y = height - 1; y > 0; --y) carry(y * columns, (y - 1) * columns);

  const int reach = radius, limit = radius * radius;
  std::vector<int> apex(columns), until(columns);
  std::vector<uint8_t> row(columns);
  std::vector<uint16_t> gap(columns);
  for (int y = 0; y < height; ++y) {
    uint16_t* d = distance.data() + y * columns;
    uint8_t* colour = pixels.data() + y * columns;
    if (std::all_of(d, d + columns, [](uint16_t gap) { return gap == 0; })) continue;
    const auto squared = [&](int x, int at) { return d[at] * d[at] + (x - at) * (x - at); };
    // Last column at which the parabola of `a` is not above that of `b` > a.
    const auto last_of = [&](int a, int b) {
      const int numerator = b * b - a * a + d[b] * d[b] - d[a] * d[a], twice = 2 * (b - a);
      return numerator >= 0 ? numerator / twice : -((twice - 1 - numerator) / twice);
    };
    int top = -1;
    for (int x = 0; x < width; ++x) {
      if (d[x] > reach) continue;
      while (top > 0 && last_of(apex[top], x) <= until[top - 1]) --top;
      if (top >= 0) until[top] = last_of(apex[top], x);
      apex[++top] = x;
    }
    row.assign(colour, colour + columns);
    int piece = 0;
    for (int x = 0; x < width; ++x) {
      while (piece < top && until[piece] < x) ++piece;
      const int nearest = top >= 0 ? squared(x, apex[piece]) : kFar;
      colour[x] = nearest <= limit ? row[apex[piece]] : 0;
      gap[x] = static_cast<uint16_t>(std::min<int>(nearest, kFar));
    }
    std::ranges::copy(gap, d);
  }
  return distance;
}

/// Per-layer data for the map of all layers: the distance of each pixel from the node it shows.
struct Reach {
  double radius = 0;  ///< pixels
  std::vector<uint16_t> squared_pixels;
};

/// Whatever the order in which threads come.
void raise(uint8_t& pixel, uint8_t colour) {
  const std::atomic_ref<uint8_t> shared(pixel);
  uint8_t seen = shared.load(std::memory_order_relaxed);
  while (seen < colour && !shared.compare_exchange_weak(seen, colour, std::memory_order_relaxed)) {
  }
}

/// One layer's nodes as colours, on all threads.
void draw_nodes(HeatMap& map, const NodeTable& nodes, std::span<const NodeId> members) {
  const size_t width = map.frame.width;
  map.pixels.assign(width * map.frame.height, 0);
  map.nodes = std::ssize(members);
  const auto keep_worse = [&](NodeId& worst, NodeId node) {
    if (worst == kGround || nodes.drop_v[node] > nodes.drop_v[worst]) worst = node;
  };
  map.worst_node = gathered<NodeId>(
      members,
      [&](NodeId& worst, NodeId n) {
        keep_worse(worst, n);
        raise(map.pixels[map.frame.row(nodes.y_um[n]) * width + map.frame.column(nodes.x_um[n])],
              colour_of(map.scale, nodes.drop_v[n]));
      },
      keep_worse);
}

/// The worst of the layers at each pixel. Every layer counts only within the radius of the layer with the most nodes,
/// so that the few nodes of a sparse layer do not hide what lies between them; then gaps are filled.
void draw_all_layers(HeatMap& all, std::span<const HeatMap> layers, std::span<const Reach> reach,
                     const NodeTable& nodes) {
  const auto worse = [&](NodeId a, NodeId b) {
    const double drop_a = nodes.drop_v[a], drop_b = nodes.drop_v[b];
    return drop_a > drop_b || (drop_a == drop_b && a < b);
  };
  double widest = 0;
  size_t fullest = 0;
  all.worst_node = layers.front().worst_node;
  for (size_t l = 0; l < layers.size(); ++l) {
    all.nodes += layers[l].nodes;
    if (worse(layers[l].worst_node, all.worst_node)) all.worst_node = layers[l].worst_node;
    if (layers[l].nodes > layers[fullest].nodes) fullest = l;
    widest = std::max(widest, reach[l].radius);
  }
  const uint16_t limit = reach[fullest].radius * reach[fullest].radius;
  all.pixels.assign(layers.front().pixels.size(), 0);
  for (size_t l = 0; l < layers.size(); ++l)
    for (size_t i = 0; i < all.pixels.size(); ++i)
      if (reach[l].squared_pixels[i] <= limit) all.pixels[i] = std::max(all.pixels[i], layers[l].pixels[i]);
  fill_to_nearest(all.pixels, all.frame.width, all.frame.height, widest);
}

/// Those with placed nodes, the unknown layer first.
std::vector<int32_t> layers_of(const IrReport& result, const PlacedNodes& placed, int32_t net) {
  std::vector<int32_t> layers;
  for (int32_t layer = kUnknownLayer; layer < static_cast<int32_t>(result.layer_names.size()); ++layer)
    if (!placed.of(net, layer).empty()) layers.push_back(layer);
  return layers;
}

struct NetsWithMaps {
  std::vector<int32_t> shown;  ///< ascending
  size_t placed = 0;           ///< nets whose nodes have coordinates
};

/// Of the nets with placed nodes those with the largest drops, as many as kMostHeatMaps allows.
NetsWithMaps nets_with_maps(const IrReport& result, const PlacedNodes& placed) {
  std::vector<int32_t> nets;
  for (int32_t net = 0; net < static_cast<int32_t>(result.nets.size()); ++net)
    if (!placed.of(net).empty()) nets.push_back(net);
  NetsWithMaps out{{}, nets.size()};
  std::ranges::stable_sort(
      nets, [&](int32_t a, int32_t b) { return result.nets[a].worst_drop_v > result.nets[b].worst_drop_v; });
  size_t maps = 0;
  for (const int32_t net : nets) {
    maps += layers_of(result, placed, net).size() + 1;
    if (maps > kMostHeatMaps && !out.shown.empty()) break;
    out.shown.push_back(net);
  }
  std::ranges::sort(out.shown);
  return out;
}

}  // namespace

Frame frame_around(double x_um, double y_um, double width_um, double height_um, int long_side) {
  const double um_per_pixel = std::max(width_um, height_um) / long_side;
  return {.left_um = x_um - width_um / 2,
          .top_um = y_um + height_um / 2,
          .um_per_pixel = um_per_pixel,
          .width = static_cast<int>(std::ceil(width_um / um_per_pixel - 1e-9)),
          .height = static_cast<int>(std::ceil(height_um / um_per_pixel - 1e-9))};
}

int Frame::column(double x_um) const {
  return std::clamp(static_cast<int>((x_um - left_um) / um_per_pixel), 0, width - 1);
}

int Frame::row(double y_um) const {
  return std::clamp(static_cast<int>((top_um - y_um) / um_per_pixel), 0, height - 1);
}

uint8_t colour_of(const Scale& scale, double drop_v) {
  const int step = static_cast<int>((drop_v - scale.low_v) * (kHeatColours / (scale.high_v - scale.low_v)));
  return static_cast<uint8_t>(1 + std::clamp(step, 0, kHeatColours - 1));
}

std::vector<HeatMap> heat_maps(const IrReport& result, ScaleKind kind) {
  const PlacedNodes placed = placed_nodes(result);
  std::vector<HeatMap> maps;
  for (const int32_t net : nets_with_maps(result, placed).shown) {
    const Scale scale = scale_of(result.nodes, placed.of(net), kind);
    for (const int32_t layer : layers_of(result, placed, net)) maps.push_back({net, layer, {}, scale, 0, kGround, {}});
    maps.push_back({net, std::nullopt, {}, scale, 0, kGround, {}});
  }
  if (maps.empty()) return maps;

  const int side = std::sqrt(kPixelsOfAllMaps / maps.size());
  const Frame frame =
      frame_with_margin(box_of(result.nodes, placed.node), placed.node.size(), std::clamp(side, kLeastSide, kLongSide));
  std::vector<Reach> reach(maps.size());
  for (size_t i = 0; i < maps.size(); ++i) {
    HeatMap& map = maps[i];
    map.frame = frame;
    if (!map.layer) continue;
    const std::span<const NodeId> members = placed.of(map.net, *map.layer);
    draw_nodes(map, result.nodes, members);
    reach[i].radius = reach_of(box_of(result.nodes, members), frame, members.size());
  }
  parallel_tasks(std::ssize(maps), [&](int64_t map) {
    if (maps[map].layer)
      reach[map].squared_pixels = fill_to_nearest(maps[map].pixels, frame.width, frame.height, reach[map].radius);
  });
  parallel_tasks(std::ssize(maps), [&](int64_t all) {
    if (maps[all].layer) return;
    int64_t first = all;
    while (first > 0 && maps[first - 1].layer) --first;
    draw_all_layers(maps[all], std::span(maps).subspan(first, all - first),
                    std::span(reach).subspan(first, all - first), result.nodes);
  });
  std::erase_if(maps, [](const HeatMap& map) { return map.layer == kUnknownLayer; });
  draw_wires(result, maps);
  return maps;
}

std::string left_out_maps(const IrReport& result) {
  if (result.nets.size() * (result.layer_names.size() + 2) <= kMostHeatMaps) return "";
  const NetsWithMaps nets = nets_with_maps(result, placed_nodes(result));
  if (nets.shown.size() == nets.placed) return "";
  return fmt::format("heat maps are drawn of {} of {} nets only, those with the largest drops", nets.shown.size(),
                     nets.placed);
}

void halve(HeatMap& map) {
  const Frame old = map.frame;
  map.frame.width = (old.width + 1) / 2;
  map.frame.height = (old.height + 1) / 2;
  map.frame.um_per_pixel = 2 * old.um_per_pixel;
  std::vector<uint8_t> pixels(static_cast<size_t>(map.frame.width) * map.frame.height);
  for (int y = 0; y < old.height; ++y)
    for (int x = 0; x < old.width; ++x) {
      uint8_t& pixel = pixels[static_cast<size_t>(y / 2) * map.frame.width + x / 2];
      pixel = std::max(pixel, map.pixels[static_cast<size_t>(y) * old.width + x]);
    }
  map.pixels = std::move(pixels);
}

}  // namespace gridiron
