// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of PSC on edges and corners, for blocks of k columns. Each thread treats a row of kTogether columns, which
// share the row's indices; neighbours in memory are rows.

#include "engines/psc/cell_kernels.hpp"

namespace gridiron::psc {

inline constexpr int64_t kTogether = 4;

/// kTogether columns from the first on, of k.
struct ColumnRange {
  int64_t first;
  int count;
};
GRIDIRON_HOST_DEVICE inline ColumnRange column_range(int64_t pack, int64_t k) {
  const int64_t first = pack * kTogether;
  return {first, static_cast<int>(k - first < kTogether ? k - first : kTogether)};
}
inline int64_t packs_of(int64_t k) { return (k + kTogether - 1) / kTogether; }

struct CellColumns {
  int64_t cell;
  ColumnRange columns;
};

/// A sparse matrix of rows that are listed.
template <class D, class S>
struct RowsView {
  View<D, const int32_t> begin, column;
  View<D, const S> value;
  int64_t rows, columns;
};

/// (Sᵀ b)_C, |C| × k.
template <class D, class S>
void load_corners(const CellsView<D, S>& c, View<D, const S> from_cells, View<D, S> to) {
  D::for_each_line(
      c.k, c.coarse, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
        S sum = 0;
        for (int64_t e = c.corner_begin[i]; e < c.corner_begin[i + 1]; ++e) {
          const auto at = static_cast<uint32_t>(c.cells_of_corner[e]), cell = c.by_corners.quotient(at);
          sum += from_cells[(cell * c.k + j) * c.corners + (at - cell * c.by_corners.by())];
        }
        to[j * c.coarse + i] = sum;
      });
}

/// The right-hand side of E: `loads` of its cells, which are (Sᵀ b)_E, scaled, plus sign times `products` of cells,
/// minus A_EC x_C unless `a` has no rows. Rounded to Out, as the operand of the next product.
template <class D, class Out, class S>
void load_edges(const CellsView<D, S>& c, View<D, const S> loads, S sign, View<D, const S> products, int64_t edge_pitch,
                const RowsView<D, S>& rows, View<D, const S> x, View<D, Out> to, int64_t pitch) {
  D::for_each_line(
      packs_of(c.k), c.all_edge, GRIDIRON_KERNEL(int64_t pack) { return column_range(pack, c.k); },
      GRIDIRON_KERNEL(const ColumnRange& columns, int64_t i) {
        S sum[kTogether] = {};
        const S scale = c.edge_scale[i];
        for (int slot = 0; slot < 2; ++slot)
          if (const int32_t at = c.cells_of_edge[2 * i + slot]; at >= 0) {
            const int64_t place = c.place(at, columns.first, edge_pitch);
            const S ratio = sign * c.edge_ratio[at];
            for (int j = 0; j < kTogether; ++j)
              if (j < columns.count)
                sum[j] += scale * loads[place + j * edge_pitch] + ratio * products[place + j * edge_pitch];
          }
        if (rows.rows > 0)
          for (int64_t e = rows.begin[i]; e < rows.begin[i + 1]; ++e) {
            const S value = rows.value[e];
            const int64_t at = columns.first * rows.columns + rows.column[e];
            for (int j = 0; j < kTogether; ++j)
              if (j < columns.count) sum[j] -= value * x[at + j * rows.columns];
          }
        for (int j = 0; j < kTogether; ++j)
          if (j < columns.count) to[(columns.first + j) * pitch + i] = Out(sum[j]);
      });
}

/// y_E = alpha A_EC x_C + what products of cells give to E, both cells of an edge in a fixed order.
template <class D, class S>
void add_on_edges(const CellsView<D, S>& c, View<D, const S> products, int64_t edge_pitch, const RowsView<D, S>& rows,
                  S alpha, View<D, const S> x, View<D, S> y) {
  D::for_each_line(
      c.k, c.all_edge, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
        S sum = 0;
        for (int64_t e = rows.begin[i]; e < rows.begin[i + 1]; ++e)
          sum += alpha * rows.value[e] * x[j * rows.columns + rows.column[e]];
        for (int slot = 0; slot < 2; ++slot)
          if (const int32_t at = c.cells_of_edge[2 * i + slot]; at >= 0)
            sum += c.edge_ratio[at] * products[c.place(at, j, edge_pitch)];
        y[j * c.all_edge + i] = sum;
      });
}

/// The operand's rows of x_E: every cell takes those of its edges.
template <class D, class T, class S = Sum<T>>
void scatter_to_cells(const CellsView<D, S>& c, View<D, const S> x, int64_t x_pitch, OperandView<D, T> operand) {
  const Divider packs(packs_of(c.k));
  D::for_each_line(
      c.cells * packs.by(), c.edge,
      GRIDIRON_KERNEL(int64_t line) {
        const auto at = static_cast<uint32_t>(line), cell = packs.quotient(at);
        return CellColumns{cell, column_range(at - cell * packs.by(), c.k)};
      },
      GRIDIRON_KERNEL(const CellColumns& line, int64_t e) {
        const int64_t of_cell = line.cell * c.edge + e;
        const int32_t i = c.edge_of_cell[of_cell];
        const S ratio = c.edge_ratio[of_cell];
        for (int j = 0; j < kTogether; ++j)
          if (j < line.columns.count)
            operand.value[(line.cell * c.k + line.columns.first + j) * operand.pitch + operand.edge_row + e] =
                T(i >= 0 ? x[(line.columns.first + j) * x_pitch + i] * ratio : S(0));
      });
}

/// y = A x for long rows and k columns: a tile for each row and kTogether columns.
template <class D, class S>
void multiply_rows(const RowsView<D, S>& a, View<D, const S> x, int64_t k, View<D, S> y) {
  constexpr int64_t kLanes = 64, kGroups = 8;
  using V = Columns<S, kTogether>;
  const Divider rows(a.rows > 0 ? a.rows : 1);
  D::for_each_tile(
      a.rows * packs_of(k), kLanes, (kLanes + kGroups) * sizeof(V), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const auto index = static_cast<uint32_t>(tile.index()), pack = rows.quotient(index);
        const int64_t i = index - pack * rows.by();
        const ColumnRange columns = column_range(pack, k);
        const View<D, V> of_lane = tile.template shared<V>(kLanes), of_group = tile.template shared<V>(kGroups);
        const int64_t first = a.begin[i], last = a.begin[i + 1];
        tile.each(kLanes, [&](int64_t lane) {
          V sum{};
          for (int64_t e = first + lane; e < last; e += kLanes) {
            const S value = a.value[e];
            const int64_t at = columns.first * a.columns + a.column[e];
            for (int j = 0; j < kTogether; ++j)
              if (j < columns.count) sum[j] += value * x[at + j * a.columns];
          }
          of_lane[lane] = sum;
        });
        tile.each(kGroups, [&](int64_t group) {
          V sum{};
          for (int64_t lane = group; lane < kLanes; lane += kGroups) sum += of_lane[lane];
          of_group[group] = sum;
        });
        tile.each(columns.count, [&](int64_t j) {
          S sum = 0;
          for (int64_t group = 0; group < kGroups; ++group) sum += of_group[group][j];
          y[(columns.first + j) * a.rows + i] = sum;
        });
      });
}

/// A block as the operand of a product, rounded.
template <class D, class T, class S = Sum<T>>
void round_to(View<D, const S> x, int64_t rows, int64_t k, View<D, T> to, int64_t pitch) {
  D::for_each_line(
      k, rows, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) { to[j * pitch + i] = T(x[j * rows + i]); });
}

/// The operand minus a block, rounded again.
template <class D, class T, class S = Sum<T>>
void subtract_rounded(View<D, const S> x, int64_t rows, int64_t k, View<D, T> from, int64_t pitch) {
  D::for_each_line(
      k, rows, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
        T& out = from[j * pitch + i];
        out = T(static_cast<S>(out) - x[j * rows + i]);
      });
}

}  // namespace gridiron::psc
