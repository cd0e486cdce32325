// SPDX-License-Identifier: Apache-2.0
#include "regularize/loose_nodes.hpp"

#include <algorithm>
#include <map>

#include "regularize/survey.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Neighbours that lie within this fraction of the grid are close together.
constexpr double kClose = 0.1;
/// So many nodes in a row may lead from one without a place to one that has one.
constexpr int kLongestWay = 16;

bool has_place(const Geometry& geometry, int32_t node) {
  return is_place(geometry.x_um[node]) && is_place(geometry.y_um[node]);
}

struct Box {
  double left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;

  void add(double x, double y) {
    left = std::min(left, x), right = std::max(right, x);
    bottom = std::min(bottom, y), top = std::max(top, y);
  }
  double extent() const { return std::max(right - left, top - bottom); }
};

/// What is known about the neighbours of a node that have a place.
struct Around {
  Box box;
  double x = 0, y = 0;  ///< sums
  int64_t count = 0;
  int32_t layer = -1;

  void add(const Geometry& geometry, int32_t node) {
    box.add(geometry.x_um[node], geometry.y_um[node]);
    x += geometry.x_um[node];
    y += geometry.y_um[node];
    layer = std::max(layer, geometry.layer[node]);
    ++count;
  }
};

/// The edges of nodes without a place.
struct LooseEdge {
  int32_t loose, other;
};

std::vector<LooseEdge> edges_of(const MergedNetwork& network, const Geometry& geometry) {
  const auto edges = parallel_list<int64_t>(network.edges(), [&](int64_t e, auto& list) {
    if (!has_place(geometry, network.a[e]) || !has_place(geometry, network.b[e])) list.push_back(e);
  });
  std::vector<LooseEdge> out;
  for (const int64_t e : edges) {
    const int32_t a = network.a[e], b = network.b[e];
    if (!has_place(geometry, a)) out.push_back({a, b});
    if (!has_place(geometry, b)) out.push_back({b, a});
  }
  return out;
}

/// Places nodes next to those that have a place; returns whether there were any.
bool place_next_to_others(const std::vector<LooseEdge>& edges, double close, Geometry& geometry) {
  std::map<int32_t, Around> around;
  for (const LooseEdge& edge : edges)
    if (!has_place(geometry, edge.loose) && has_place(geometry, edge.other))
      around[edge.loose].add(geometry, edge.other);
  bool any = false;
  for (const auto& [node, found] : around) {
    if (found.box.extent() > close) continue;
    geometry.x_um[node] = found.x / static_cast<double>(found.count);
    geometry.y_um[node] = found.y / static_cast<double>(found.count);
    geometry.layer[node] = found.layer;
    any = true;
  }
  return any;
}

}  // namespace

void place_loose_nodes(const MergedNetwork& network, Geometry& geometry) {
  const int64_t nodes = network.nodes;
  if (std::ssize(geometry.x_um) != nodes) return;
  const std::vector<int32_t> loose = parallel_list<int32_t>(nodes, [&](int64_t i, auto& list) {
    if (!has_place(geometry, static_cast<int32_t>(i))) list.push_back(static_cast<int32_t>(i));
  });
  if (loose.empty() || static_cast<double>(loose.size()) > kMostLoose * static_cast<double>(nodes)) return;

  Box whole;
  for (int32_t i = 0; i < nodes; ++i)
    if (has_place(geometry, i)) whole.add(geometry.x_um[i], geometry.y_um[i]);
  const std::vector<LooseEdge> edges = edges_of(network, geometry);
  for (int way = 0; way < kLongestWay; ++way)
    if (!place_next_to_others(edges, kClose * whole.extent(), geometry)) break;

  const int32_t own_part = *std::ranges::max_element(geometry.net) + 1;
  double column = 0;
  for (const int32_t node : loose) {
    if (has_place(geometry, node)) continue;
    geometry.x_um[node] = column++;
    geometry.y_um[node] = 0;
    geometry.layer[node] = -1;
    geometry.net[node] = own_part;
  }
}

}  // namespace gridiron
