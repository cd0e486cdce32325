// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "layout/extract/layer_shapes.hpp"
#include "layout/extract/pieces.hpp"

namespace gridiron::layout {

/// Consecutive intervals along one axis: interval i covers line[i] … line[i + 1] − 1, its node among them.
struct Divisions {
  std::vector<Dbu> line, node;

  int64_t size() const { return static_cast<int64_t>(node.size()); }
  Dbu length(int64_t i) const { return line[i + 1] - line[i]; }
  /// The interval at a coordinate; the first or the last for those outside.
  int64_t at(Dbu x) const;
};

/// The finite volumes of rectangles that touch at their ends: each rectangle is divided into columns along u and rows
/// along v, so that rows go on in the next rectangle as far as both have them.
///
/// Rows end where a face, the common part of two ends, does, and this in all rectangles that it leads to. Between these
/// lines, rows and columns are no longer than LayerRules::cell. A rectangle that is narrower than that is a chain of
/// cells instead, one around each place in it where something attaches; without any, one cell.
class MeshCells {
 public:
  /// `places_of_piece` are those in each rectangle, in u and v.
  MeshCells(const Pieces& pieces, std::span<const Contact> contacts,
            const std::vector<std::vector<Point>>& places_of_piece, const LayerRules& rules);

  static constexpr int64_t kMost = 500'000'000;       ///< cells of a net: with their faces, numbers of 32 bits
  static constexpr int64_t kMany = int64_t{1} << 40;  ///< where count() ends

  /// About the cells that there would be, and no less.
  int64_t count() const { return count_; }
  /// Makes them; there must be no more than kMost.
  void make();
  int64_t size() const { return first_.back(); }
  const Divisions& columns(int64_t piece) const { return columns_[piece]; }
  const Divisions& rows(int64_t piece) const { return rows_[piece]; }
  int32_t cell(int64_t piece, int64_t column, int64_t row) const {
    return static_cast<int32_t>(first_[piece] + column * rows_[piece].size() + row);
  }
  int32_t cell_at(int64_t piece, Point p) const { return cell(piece, columns_[piece].at(p.x), rows_[piece].at(p.y)); }

 private:
  void list_lines(std::span<const Contact> contacts);
  void mark_faces(std::span<const Contact> contacts);
  void add_line(int32_t piece, Dbu v);
  void count_cells();
  void divide_piece(int64_t piece);
  std::vector<Dbu> nodes_along(int64_t piece, bool along_u) const;

  bool is_chain_along_u(int64_t p) const {
    const Box& b = pieces_.box[p];
    return b.height() <= rules_.cell && b.width() >= b.height();
  }
  bool is_chain_along_v(int64_t p) const {
    const Box& b = pieces_.box[p];
    return b.width() <= rules_.cell && b.width() < b.height();
  }

  const Pieces& pieces_;
  const std::vector<std::vector<Point>>& places_;
  LayerRules rules_;
  std::vector<std::vector<Dbu>> lines_;        ///< of each piece, where rows must end, ascending
  std::vector<std::vector<uint8_t>> is_face_;  ///< of each piece, for the intervals between its lines
  struct Covered {
    Dbu low_end = 0, high_end = 0;
  };
  std::vector<Covered> covered_;                    ///< by faces, of the ends of each piece
  std::vector<std::pair<int32_t, Dbu>> new_lines_;  ///< that other pieces do not know of yet
  int64_t all_lines_ = 0, count_ = 0;
  std::vector<Divisions> columns_, rows_;
  std::vector<int64_t> first_{0};  ///< cell of each piece, and the end
};

}  // namespace gridiron::layout
