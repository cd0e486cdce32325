// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/mesh_cells.hpp"

#include <algorithm>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

int64_t intervals(Dbu length, Dbu most) { return std::max<int64_t>(1, (int64_t{length} + most - 1) / most); }

/// Appends intervals of the same length, no longer than `most`.
void divide_evenly(Dbu low, Dbu high, Dbu most, Divisions& out) {
  const int64_t n = intervals(high - low, most);
  const auto line = [&](int64_t k) { return static_cast<Dbu>(low + int64_t{high - low} * k / n); };
  for (int64_t k = 0; k < n; ++k) {
    const Dbu begin = line(k), end = line(k + 1);
    out.node.push_back(begin + (end - begin) / 2);
    out.line.push_back(end);
  }
}

/// Appends an interval around each of these coordinates, of which there is one; they are within the range and ascend.
void divide_around(std::span<const Dbu> nodes, Dbu high, Divisions& out) {
  for (size_t k = 0; k < nodes.size(); ++k) {
    out.node.push_back(nodes[k]);
    out.line.push_back(k + 1 < nodes.size() ? static_cast<Dbu>((int64_t{nodes[k]} + nodes[k + 1] + 1) / 2) : high);
  }
}

}  // namespace

int64_t Divisions::at(Dbu x) const {
  return std::upper_bound(line.begin() + 1, line.end() - 1, x) - (line.begin() + 1);
}

MeshCells::MeshCells(const Pieces& pieces, std::span<const Contact> contacts,
                     const std::vector<std::vector<Point>>& places_of_piece, const LayerRules& rules)
    : pieces_(pieces), places_(places_of_piece), rules_(rules) {
  list_lines(contacts);
  if (all_lines_ > kMost) {
    count_ = kMany;
    return;
  }
  mark_faces(contacts);
  count_cells();
}

void MeshCells::add_line(int32_t piece, Dbu v) {
  std::vector<Dbu>& lines = lines_[piece];
  const auto at = std::lower_bound(lines.begin(), lines.end(), v);
  if (at != lines.end() && *at == v) return;
  lines.insert(at, v);
  new_lines_.emplace_back(piece, v);
  ++all_lines_;
}

/// A line within a face is one of both pieces.
void MeshCells::list_lines(std::span<const Contact> contacts) {
  for (const Box& box : pieces_.box) lines_.push_back({box.y0, box.y1});
  for (const Contact& c : contacts)
    for (const int32_t piece : {c.a, c.b})
      for (const Dbu v : {c.low, c.high}) add_line(piece, v);
  const auto faces = static_cast<int64_t>(contacts.size());
  const ItemsByNode<int32_t> beginning(faces, pieces_.size(), [&](int64_t k) { return contacts[k].a; }),
      ending(faces, pieces_.size(), [&](int64_t k) { return contacts[k].b; });
  while (!new_lines_.empty() && all_lines_ <= kMost) {
    const auto [piece, v] = new_lines_.back();
    new_lines_.pop_back();
    for (const auto* list : {&beginning, &ending})
      for (int32_t i = list->start[piece]; i < list->start[piece + 1]; ++i) {
        const Contact& c = contacts[list->item[i]];
        if (c.low < v && v < c.high) add_line(c.a == piece ? c.b : c.a, v);
      }
  }
}

void MeshCells::mark_faces(std::span<const Contact> contacts) {
  covered_.resize(lines_.size());
  for (const std::vector<Dbu>& lines : lines_) is_face_.emplace_back(lines.size() - 1, uint8_t{0});
  for (const Contact& c : contacts)
    for (const int32_t piece : {c.a, c.b}) {
      const std::vector<Dbu>& lines = lines_[piece];
      const auto first = std::lower_bound(lines.begin(), lines.end(), c.low) - lines.begin();
      const auto last = std::lower_bound(lines.begin(), lines.end(), c.high) - lines.begin();
      std::fill(is_face_[piece].begin() + first, is_face_[piece].begin() + last, uint8_t{1});
      (piece == c.a ? covered_[piece].high_end : covered_[piece].low_end) += c.high - c.low;
    }
}

void MeshCells::count_cells() {
  for (int64_t p = 0; p < pieces_.size() && count_ < kMany; ++p) {
    const Box& box = pieces_.box[p];
    const int64_t fillers = rules_.has_fillers ? intervals(std::max(box.width(), box.height()), rules_.cell) : 1;
    const int64_t along = std::ssize(places_[p]) + fillers + 2;
    const int64_t columns = is_chain_along_u(p) ? along : intervals(box.width(), rules_.cell);
    int64_t rows = is_chain_along_v(p) ? along : 0;
    for (size_t i = 0; i + 1 < lines_[p].size(); ++i)
      if (!is_chain_along_v(p) || is_face_[p][i]) rows += intervals(lines_[p][i + 1] - lines_[p][i], rules_.cell);
    const double cells = static_cast<double>(columns) * static_cast<double>(rows);
    count_ += cells < static_cast<double>(kMany) ? columns * rows : kMany;
  }
  count_ = std::min(count_, kMany);
}

/// Where something attaches to a chain, and on the highest layer places for sources; ascending. Before a step to
/// narrower metal there is one too, as what is between a node and the end of its piece is taken to be as wide as the
/// face there: a quarter of the width of this piece away, which for a step by half is what the step adds to the exact
/// solution.
std::vector<Dbu> MeshCells::nodes_along(int64_t piece, bool along_u) const {
  const Box& box = pieces_.box[piece];
  const Dbu low = along_u ? box.x0 : box.y0, high = along_u ? box.x1 : box.y1;
  std::vector<Dbu> nodes;
  for (const Point p : places_[piece]) nodes.push_back(std::clamp(along_u ? p.x : p.y, low, high - 1));
  if (rules_.has_fillers)
    for (int64_t at = int64_t{low} + rules_.cell / 2; at < high; at += rules_.cell)
      nodes.push_back(static_cast<Dbu>(at));
  const Dbu before_step = std::min(box.width(), box.height()) / 4;
  const auto is_step = [&](Dbu covered) { return along_u && covered > 0 && covered < box.height(); };
  if (is_step(covered_[piece].low_end)) nodes.push_back(low + before_step);
  if (is_step(covered_[piece].high_end)) nodes.push_back(high - 1 - before_step);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void MeshCells::divide_piece(int64_t piece) {
  const Box& box = pieces_.box[piece];
  Divisions &columns = columns_[piece], &rows = rows_[piece];
  const bool along_u = is_chain_along_u(piece), along_v = is_chain_along_v(piece);
  const std::vector<Dbu> nodes = along_u || along_v ? nodes_along(piece, along_u) : std::vector<Dbu>();
  columns.line.push_back(box.x0);
  if (along_u && !nodes.empty())
    divide_around(nodes, box.x1, columns);
  else
    divide_evenly(box.x0, box.x1, along_u ? box.width() : rules_.cell, columns);
  rows.line.push_back(box.y0);
  const std::vector<Dbu>& lines = lines_[piece];
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    const auto first = std::lower_bound(nodes.begin(), nodes.end(), lines[i]);
    const auto last = std::lower_bound(first, nodes.end(), lines[i + 1]);
    const bool is_chain = along_v && !is_face_[piece][i];
    if (is_chain && first != last)
      divide_around({first, last}, lines[i + 1], rows);
    else
      divide_evenly(lines[i], lines[i + 1], is_chain ? lines[i + 1] - lines[i] : rules_.cell, rows);
  }
}

void MeshCells::make() {
  columns_.resize(pieces_.box.size());
  rows_.resize(pieces_.box.size());
  for (int64_t p = 0; p < pieces_.size(); ++p) {
    divide_piece(p);
    first_.push_back(first_.back() + columns_[p].size() * rows_[p].size());
  }
}

}  // namespace gridiron::layout
