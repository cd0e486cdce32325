// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/band_grid.hpp"

#include <algorithm>

#include "layout/extract/merge_nodes.hpp"
#include "layout/extract/nodes_on_pieces.hpp"
#include "layout/extract/pieces.hpp"
#include "layout/extract/sort_places.hpp"

namespace gridiron::layout {
namespace {

/// f(place) of nodes along the longer side of a piece, from half a pitch on, as long as they are inside it.
template <class F>
void for_each_filler(const Box& box, const LayerRules& rules, F&& f) {
  const bool along_x = rules.axes.swapped ? box.height() > box.width() : box.width() > box.height();
  const bool along_u = along_x != rules.axes.swapped;
  const Dbu low = along_u ? box.x0 : box.y0, high = along_u ? box.x1 : box.y1;
  const Dbu across0 = along_u ? box.y0 : box.x0, across1 = along_u ? box.y1 : box.x1;
  const Dbu across = middle(across0, across1);
  if (across <= across0 || across >= across1) return;
  for (int64_t at = int64_t{low} + rules.pitch / 2; at > low && at < high; at += rules.pitch) {
    const auto along = static_cast<Dbu>(at);
    f(along_u ? Point{along, across} : Point{across, along});
  }
}

/// Where pieces meet, on each of them and at `places`: by x and then y, each once, in u and v. `node_of_place` becomes
/// that of each of `places`.
std::pmr::vector<Point> wanted_nodes(const Pieces& pieces, std::span<const Point> places, const LayerRules& rules,
                                     std::vector<int32_t>& node_of_place, std::pmr::memory_resource* memory) {
  std::pmr::vector<KeyedPlace> wanted(memory);
  const std::pmr::vector<Point> meeting = meeting_places(pieces, memory);
  wanted.reserve(places.size() + meeting.size() + pieces.box.size());
  const auto add = [&](Point p, int32_t place) { wanted.push_back({key_of(rules.axes(p)), place}); };
  for (size_t i = 0; i < places.size(); ++i) add(places[i], static_cast<int32_t>(i));
  for (const Point p : meeting) add(p, -1);
  for (const Box& box : pieces.box) add(centre(box), -1);
  if (rules.has_fillers)
    for (const Box& box : pieces.box) for_each_filler(box, rules, [&](Point p) { add(p, -1); });
  std::pmr::vector<KeyedPlace> scratch(wanted.size(), memory);
  sort_places(std::span(wanted), std::span(scratch));

  std::pmr::vector<Point> nodes(memory);
  nodes.reserve(wanted.size());
  node_of_place.resize(places.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (i == 0 || wanted[i].key != wanted[i - 1].key) nodes.push_back(rules.axes(place_of(wanted[i].key)));
    if (wanted[i].index >= 0) node_of_place[wanted[i].index] = static_cast<int32_t>(nodes.size()) - 1;
  }
  return nodes;
}

}  // namespace

BandGrid make_band_grid(std::span<const Box> boxes, std::span<const std::vector<Point>> polygons,
                        std::span<const Point> places, const LayerRules& rules, std::pmr::memory_resource* memory) {
  const Pieces pieces = polygons.empty() ? cut(boxes, memory) : cut(boxes, polygons, memory);
  BandGrid grid;
  const std::pmr::vector<Point> nodes = wanted_nodes(pieces, places, rules, grid.node_of_place, memory);
  const NodesOnPieces on_pieces(pieces, nodes, rules.axes, memory);
  const std::pmr::vector<int32_t> became = merge_nodes(pieces, on_pieces, nodes, rules.pitch, memory);
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
  for (int32_t& node : grid.node_of_place) node = number[became[node]];
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
