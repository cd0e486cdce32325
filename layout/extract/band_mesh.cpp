// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/band_mesh.hpp"

#include <algorithm>

#include "layout/extract/mesh_cells.hpp"
#include "layout/extract/nodes_on_pieces.hpp"
#include "layout/extract/sort_places.hpp"

namespace gridiron::layout {
namespace {

/// Places, each once, in the order that NodesOnPieces wants, and the piece that each is in.
struct Attachments {
  std::vector<PlaceKey> keys;
  std::vector<Point> places;
  std::vector<int32_t> piece;  ///< −1: none

  Attachments(const Pieces& pieces, std::span<const Point> all, Axes axes) {
    keys.reserve(all.size());
    for (const Point p : all) keys.push_back(key_of(axes(p)));
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const PlaceKey key : keys) places.push_back(axes(place_of(key)));
    piece.assign(places.size(), -1);
    const NodesOnPieces on_pieces(pieces, places, axes);
    // Of a place where two pieces meet: the later one, whose columns begin there.
    for (int64_t p = 0; p < pieces.size(); ++p)
      for (const int32_t i : on_pieces.of(p)) piece[i] = static_cast<int32_t>(p);
  }

  std::vector<std::vector<Point>> by_piece(int64_t pieces) const {
    std::vector<std::vector<Point>> out(static_cast<size_t>(pieces));
    for (size_t i = 0; i < places.size(); ++i)
      if (piece[i] >= 0) out[piece[i]].push_back(places[i]);
    return out;
  }
};

void add_cells(const Pieces& pieces, const MeshCells& cells, BandGrid& grid) {
  for (int64_t p = 0; p < pieces.size(); ++p) {
    const Divisions &columns = cells.columns(p), &rows = cells.rows(p);
    grid.pieces.push_back(pieces.box[p]);
    grid.piece_node.push_back(cells.cell(p, 0, 0));
    for (int64_t i = 0; i < columns.size(); ++i)
      for (int64_t j = 0; j < rows.size(); ++j) {
        grid.nodes.push_back({columns.node[i], rows.node[j]});
        const int32_t cell = cells.cell(p, i, j);
        if (i + 1 < columns.size())
          grid.wires.push_back({cell, cells.cell(p, i + 1, j), columns.node[i + 1] - columns.node[i], rows.length(j)});
        if (j + 1 < rows.size())
          grid.wires.push_back({cell, cell + 1, rows.node[j + 1] - rows.node[j], columns.length(i)});
      }
  }
}

/// Rows lead from one piece to the next: both have the same ones between the ends of a face.
void add_faces(std::span<const Contact> contacts, const MeshCells& cells, BandGrid& grid) {
  for (const Contact& c : contacts) {
    if (c.low == c.high) continue;
    const Divisions &from = cells.columns(c.a), &to = cells.columns(c.b), &rows = cells.rows(c.a);
    const Dbu length = to.node.front() - from.node.back();
    const int64_t first = rows.at(c.low), shift = cells.rows(c.b).at(c.low) - first;
    for (int64_t j = first; j < rows.size() && rows.line[j] < c.high; ++j)
      grid.wires.push_back(
          {cells.cell(c.a, from.size() - 1, j), cells.cell(c.b, 0, j + shift), length, rows.length(j)});
  }
}

}  // namespace

bool CellCount::add(int64_t more) { return (cells += more) <= MeshCells::kMost && makes_cells; }

BandGrid make_band_mesh(std::span<const Box> boxes, std::span<const Point> places, const LayerRules& rules,
                        CellCount& count) {
  const Pieces pieces = cut(boxes);
  const std::pmr::vector<Contact> faces = end_contacts(pieces);
  const Attachments attachments(pieces, places, rules.axes);
  const std::vector<std::vector<Point>> places_of_piece = attachments.by_piece(pieces.size());
  MeshCells cells(pieces, faces, places_of_piece, rules);
  BandGrid grid;
  if (!count.add(cells.count() + std::ssize(attachments.places))) return grid;
  cells.make();
  add_cells(pieces, cells, grid);
  add_faces(faces, cells, grid);
  std::vector<int32_t> node;
  for (size_t i = 0; i < attachments.places.size(); ++i) {
    const Point place = attachments.places[i];
    const int32_t piece = attachments.piece[i];
    node.push_back(piece >= 0 ? cells.cell_at(piece, place) : static_cast<int32_t>(grid.nodes.size()));
    if (piece < 0) grid.nodes.push_back(place);
  }
  for (const Point place : places) {
    const auto at = std::lower_bound(attachments.keys.begin(), attachments.keys.end(), key_of(rules.axes(place)));
    grid.node_of_place.push_back(node[at - attachments.keys.begin()]);
  }
  return grid;
}

}  // namespace gridiron::layout
