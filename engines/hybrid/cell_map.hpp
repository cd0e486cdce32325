// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/hybrid/hybrid_tables.hpp"
#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/hybrid/row_order.hpp"

namespace gridiron {

/// Maps the rows of an original grid to what represents them on the next: cells in the vectors of a RegularGridSolver,
/// or the rows of a grid whose stars are contracted.
template <class D, class T>
class CellMap {
 public:
  CellMap() = default;

  CellMap(const HybridTables<D>& regular, const RowOrder<D>& order, const RegularGridSolver<D, T>& solver) {
    const std::vector<GridOn<D>> grids = regular.grids();
    int64_t cells = 0;
    for (const CellGrid& grid : grids) cells += grid.cells();
    of_cell_ = Array<D, int32_t>(cells);
    begin_ = Array<D, int32_t>(cells + 2);
    members_ = Array<D, int32_t>(order.rows());
    of_row_ = Array<D, int32_t>(order.rows());
    int64_t first_cell = 0;
    for (size_t g = 0; g < grids.size(); ++g) {
      locate(grids[g], first_cell, solver.strides(static_cast<int64_t>(g)));
      first_cell += grids[g].cells();
    }
    group(regular.cell_of_unknown(), order);
  }

  /// With clusters of unknowns as cells, each of which is an unknown of `contracted`.
  CellMap(View<D, const int64_t> cluster_of_unknown, const RowOrder<D>& order, const RowOrder<D>& contracted)
      : begin_(contracted.unknowns() + 2),
        members_(order.rows()),
        of_row_(order.rows()),
        of_cell_(contracted.unknowns()) {
    locate(contracted);
    group(cluster_of_unknown, order);
  }

  // Public, as nvcc takes no kernels from constructors and private functions.

  void locate(const CellGrid& grid, int64_t first_cell, const CellStrides& strides) {
    const auto position = of_cell_.view();
    const int64_t nx = grid.nx, ny = grid.ny;
    D::for_each_line(
        grid.layers * ny, nx, LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t x) {
          position[first_cell + line * nx + x] =
              static_cast<int32_t>(strides.first + line / ny * strides.plane + line % ny * strides.row + x);
        });
  }

  void locate(const RowOrder<D>& contracted) {
    const View<D, const int32_t> row = contracted.row_of_unknown();
    const auto position = of_cell_.view();
    D::for_each(
        position.size(), GRIDIRON_KERNEL(int64_t i) { position[i] = row[i]; });
  }

  /// Groups rows by cell; after all cells come the padding rows.
  void group(View<D, const int64_t> cell, const RowOrder<D>& order) {
    const View<D, const int32_t> unknown = order.unknown_of_row(), position = of_cell_.view();
    const auto of_row = of_row_.view();
    Array<D, int32_t> key_array(order.rows());
    const auto key = key_array.view();
    const int64_t cells = position.size();
    D::for_each(
        order.rows(), GRIDIRON_KERNEL(int64_t i) {
          const int32_t u = unknown[i];
          key[i] = static_cast<int32_t>(u >= 0 ? cell[u] : cells);
          of_row[i] = u >= 0 ? position[cell[u]] : kNowhere;
        });
    D::group_by(key, cells + 1, begin_.view(), members_.view());
  }

  /// The cells of unknowns, numbered through, as they were given.
  Array<D, int64_t> cell_of_unknown(const RowOrder<D>& order) const {
    Array<D, int64_t> cells(order.unknowns());
    const auto cell = cells.view();
    const View<D, const int32_t> begin = begin_.view(), members = members_.view(), unknown = order.unknown_of_row();
    D::for_each(
        of_cell_.size(), GRIDIRON_KERNEL(int64_t c) {
          for (int32_t m = begin[c]; m < begin[c + 1]; ++m) cell[unknown[members[m]]] = c;
        });
    return cells;
  }

  /// The rows of a cell, as places in members_, and where the cell is.
  struct Members {
    int32_t begin, end, position;
  };

  /// Each cell gets the sum of its rows (eq. 5), scalars or packs V.
  template <class V>
  void restrict_to(View<D, V> cells, View<D, const V> rows) const {
    const auto begin = begin_.view(), members = members_.view(), position = of_cell_.view();
    D::template for_each_of_columns<kColumnsOf<V>>(
        position.size(),
        GRIDIRON_KERNEL(int64_t cell, int) {
          return Members{begin[cell], begin[cell + 1], position[cell]};
        },
        GRIDIRON_KERNEL(int64_t, int c, const Members& of_cell) {
          ColumnType<V> sum{};
          for (int32_t m = of_cell.begin; m < of_cell.end; ++m) sum += column(rows[members[m]], c);
          column(cells[of_cell.position], c) = sum;
        });
  }

  /// Each row is changed by the value of its cell (eq. 6).
  template <class V>
  void add_from(View<D, const V> cells, View<D, V> rows) const {
    using Number = ColumnType<V>;
    const auto position = of_row_.view();
    D::template for_each_of_columns<kColumnsOf<V>>(
        rows.size(),
        GRIDIRON_KERNEL(int64_t i, int c) {
          const int32_t cell = position[i];
          return Pack<Number, 2>{{column(rows[i], c), cell == kNowhere ? Number(0) : column(cells[cell], c)}};
        },
        GRIDIRON_KERNEL(int64_t i, int c, const Pack<Number, 2>& at) { column(rows[i], c) = at[0] + at[1]; });
  }

  int64_t bytes() const { return bytes_of(begin_, members_, of_row_, of_cell_); }

  /// Bytes that restrict_to() and add_from() move.
  double traffic() const {
    return bytes_of(begin_, members_, of_row_, of_cell_) + sizeof(T) * (3.0 * of_row_.size() + 2.0 * of_cell_.size());
  }

 private:
  static constexpr int32_t kNowhere = -1;

  Array<D, int32_t> begin_;
  Array<D, int32_t> members_;  ///< rows, cell after cell
  Array<D, int32_t> of_row_;   ///< positions in the solver's vectors
  Array<D, int32_t> of_cell_;
};

}  // namespace gridiron
