// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/band_grid.hpp"

#include <algorithm>

#include "layout/extract/merge_nodes.hpp"
#include "layout/extract/nodes_on_pieces.hpp"
#include "layout/extract/pieces.hpp"
#include "layout/extract/sort_places.hpp"

namespace gridiron::layout {
namespace {

/// Nodes along the longer side of a piece, from half a pitch on, as long as they are inside it.
void add_fillers(const Box& box, const LayerRules& rules, std::pmr::vector<Point>& places) {
  const bool along_x = rules.axes.swapped ? box.height() > box.width() : box.width() > box.height();
  const bool along_u = along_x != rules.axes.swapped;
  const Dbu low = along_u ? box.x0 : box.y0, high = along_u ? box.x1 : box.y1;
  const Dbu across0 = along_u ? box.y0 : box.x0, across1 = along_u ? box.y1 : box.x1;
  const Dbu across = middle(across0, across1);
  if (across <= across0 || across >= across1) return;
  for (int64_t at = int64_t{low} + rules.pitch / 2; at > low && at < high; at += rules.pitch) {
    const auto along = static_cast<Dbu>(at);
    places.push_back(along_u ? Point{along, across} : Point{across, along});
  }
}

}  // namespace

BandGrid make_band_grid(std::span<const Box> boxes, std::span<const std::vector<Point>> polygons,
                        std::span<const Point> places, const LayerRules& rules, std::pmr::memory_resource* memory) {
  const Pieces pieces = polygons.empty() ? cut(boxes, memory) : cut(boxes, polygons, memory);
  std::pmr::vector<Point> wanted = meeting_places(pieces, memory);
  wanted.reserve(wanted.size() + pieces.box.size() + places.size());
  for (const Box& box : pieces.box) wanted.push_back(centre(box));
  if (rules.has_fillers)
    for (const Box& box : pieces.box) add_fillers(box, rules, wanted);
  wanted.insert(wanted.end(), places.begin(), places.end());
  std::pmr::vector<PlaceKey> keys(memory);
  keys.reserve(wanted.size());
  for (const Point p : wanted) keys.push_back(key_of(rules.axes(p)));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::pmr::vector<Point> nodes(memory);
  nodes.reserve(keys.size());
  for (const PlaceKey key : keys) nodes.push_back(rules.axes(place_of(key)));

  const NodesOnPieces on_pieces(pieces, nodes, rules.axes, memory);
  const std::pmr::vector<int32_t> became = merge_nodes(pieces, on_pieces, nodes, rules.pitch, memory);
  BandGrid grid;
  grid.wires = make_wires(pieces, on_pieces, nodes, became, rules.axes, memory);

  std::pmr::vector<int32_t> number(nodes.size(), memory);
  size_t left = 0;
  for (size_t node = 0; node < nodes.size(); ++node) left += became[node] == static_cast<int32_t>(node);
  grid.nodes.reserve(left);
  for (size_t node = 0; node < nodes.size(); ++node) {
    if (became[node] != static_cast<int32_t>(node)) continue;
    number[node] = static_cast<int32_t>(grid.nodes.size());
    grid.nodes.push_back(nodes[node]);
  }
  for (Wire& wire : grid.wires) wire.a = number[wire.a], wire.b = number[wire.b];
  grid.node_of_place.reserve(places.size());
  for (const Point place : places) {
    const auto at = std::lower_bound(keys.begin(), keys.end(), key_of(rules.axes(place)));
    grid.node_of_place.push_back(number[became[at - keys.begin()]]);
  }
  grid.pieces.reserve(pieces.box.size());
  grid.piece_node.reserve(pieces.box.size());
  for (int64_t piece = 0; piece < pieces.size(); ++piece) {
    if (on_pieces.of(piece).empty()) continue;  // a trapezoid of a few database units
    if (pieces.is_trapezoid(piece))
      grid.trapezoids.push_back({static_cast<int32_t>(grid.pieces.size()), pieces.corners[piece]});
    grid.pieces.push_back(pieces.box[piece]);
    grid.piece_node.push_back(number[became[on_pieces.of(piece).front()]]);
  }
  return grid;
}

}  // namespace gridiron::layout
