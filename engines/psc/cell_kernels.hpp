// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of PSC inside cells, for blocks of k columns. Vectors of nodes are n × k, column after column; what belongs
// to cells lies cell by cell, the k columns of one cell together: entry i of cell c and column j is at
// (c k + j) · pitch + i, so that all cells of a group and all columns are one matrix. Unknowns on edges and at corners
// belong to the first of their cells: so the change of basis and its transpose load and store whole cells, and no
// kernel has to go over the edges of the solution.

#include <algorithm>
#include <cmath>

#include "device/column_reductions.hpp"
#include "device/device.hpp"
#include "device/divider.hpp"
#include "engines/psc/cell_lattice.hpp"
#include "engines/psc/gemm.hpp"

namespace gridiron::psc {

/// Views of the index tables of Prehandled.
template <class D, class S>
struct CellsView {
  CellLattice lattice;
  int log2_m;
  int64_t cells, n, k;
  int64_t nodes, interior, edge, corners;  ///< per cell
  int64_t all_edge, coarse;                ///< |E|, |C|
  Divider by_edge, by_corners;
  View<D, const int32_t> node_position, interior_position, edge_position, corner_position;
  View<D, const int32_t> node_unknown;  ///< per cell and node; −1 for the boundary and nodes of other cells
  View<D, const int32_t> edge_of_cell, corner_of_cell;
  View<D, const int32_t> cells_of_edge, corner_begin, cells_of_corner;
  View<D, const int32_t> group_of_cell;
  View<D, const S> interior_scale, edge_scale, edge_ratio;

  /// Where entry at = cell · edge + place of column j lies among those of all cells and columns.
  GRIDIRON_HOST_DEVICE int64_t place(int32_t at, int64_t j, int64_t pitch) const {
    const uint32_t cell = by_edge.quotient(static_cast<uint32_t>(at));
    return (cell * k + j) * pitch + (static_cast<uint32_t>(at) - cell * by_edge.by());
  }
};

/// Where the operand of the cells' products lies: b_I in the first rows of a column, x_E from `edge_row` on.
template <class D, class T>
struct OperandView {
  View<D, T> value;
  int64_t pitch, edge_row;
};

/// Columns that one tile treats together: indices are read once for all of them.
inline int columns_in_a_tile(const CellLattice& lattice, int64_t k) {
  const int most = lattice.m <= 16 ? 4 : lattice.m <= 64 ? 2 : 1;
  return k == 1 ? 1 : k == 2 ? std::min(most, 2) : most;
}
/// Calls f(a value of type std::integral_constant<int, J>) for them.
template <class F>
void with_columns_in_a_tile(const CellLattice& lattice, int64_t k, F f) {
  const int columns = columns_in_a_tile(lattice, k);
  if (columns == 1) return f(std::integral_constant<int, 1>());
  if (columns == 2) return f(std::integral_constant<int, 2>());
  f(std::integral_constant<int, 4>());
}
/// Calls f(at, count, step) for nodes at, at + step … of which `count` ≤ N belong to one thread, which reads them all
/// before it uses the first, as memory is far away: neighbours in memory to neighbouring threads.
template <int N, class Tile, class F>
GRIDIRON_HOST_DEVICE void each_in_batches(Tile& tile, int64_t nodes, F f) {
  const int all = static_cast<int>(nodes), step = (all + N - 1) / N;
  tile.each(step, [&](int64_t index) {
    const int first = static_cast<int>(index);
    int count = 0;
    for (int u = 0; u < N; ++u) count += first + u * step < all;
    f(first, count, step);
  });
}
/// How many: of numbers of 8 and of 4 bytes.
inline constexpr int kLoadsInFlight = 2, kStoresInFlight = 4;

/// Threads of a tile: what was fastest on an H200 for m = 16, 32 and 64.
inline int cells_of_a_tile(int64_t nodes) { return nodes <= 320 ? 96 : 256; }

/// The columns of a tile, the first one again where there are fewer: then all read without conditions.
template <int J>
struct TileColumns {
  int64_t first;
  int count;
  int64_t column[J];

  GRIDIRON_HOST_DEVICE TileColumns(int64_t pack, int64_t k)
      : first(pack * J), count(static_cast<int>(k - first < J ? k - first : J)) {
    for (int j = 0; j < J; ++j) column[j] = first + (j < count ? j : 0);
  }
};

/// Per column, the power of two that brings the largest of its entries to about 1, and its inverse; 1 for a column of
/// zeros or one that is not finite.
template <class D>
void find_scales(View<D, const double> x, int64_t rows, int64_t k, View<D, double> partial, View<D, double> scale,
                 View<D, double> inverse) {
  reduce_columns<D, Largest>(
      rows, k, partial, GRIDIRON_KERNEL(int64_t i, int64_t j) { return std::abs(x[j * rows + i]); },
      GRIDIRON_KERNEL(int64_t j, double largest) {
        const bool is_number = largest > 0 && largest < 1e300;
        const int exponent = is_number ? std::ilogb(largest) : 0;
        scale[j] = std::ldexp(1.0, -exponent);
        inverse[j] = std::ldexp(1.0, exponent);
      });
}

/// v ← Sᵀ v for the lattice v of one cell.
template <class Tile, class V>
GRIDIRON_HOST_DEVICE void to_hierarchical(Tile& tile, const CellLattice& lattice, int log2_m, const V& v) {
  using Entry = std::remove_cvref_t<decltype(v[0])>;
  for (int level = 0; level < log2_m; ++level) {
    const int p = log2_m - 1 - level, side = 1 << p, s = 1 << level;
    // The nodes of a spacing of 2 s: a square of side² of them, and the last column and row.
    tile.each(side * side + 2 * side + 1, [&](int64_t index) {
      const int at = static_cast<int>(index), rest = at - side * side;
      int x = at & (side - 1), y = at >> p;
      if (rest >= 0) {
        x = rest <= side ? side : rest - side - 1;
        y = rest <= side ? rest : side;
      }
      x *= 2 * s;
      y *= 2 * s;
      if (lattice.has(x, y)) v[lattice.at(x, y)] += from_children<Entry>(lattice, v, x, y, s);
    });
  }
}

/// v ← S v.
template <class Tile, class V>
GRIDIRON_HOST_DEVICE void to_nodal(Tile& tile, const CellLattice& lattice, int log2_m, const V& v) {
  for (int level = log2_m - 1; level >= 0; --level) {
    const int p = log2_m - 1 - level, side = 1 << p, s = 1 << level;
    tile.each(side * side, [&](int64_t index) {
      const int at = static_cast<int>(index);
      add_parents(lattice, v, (at & (side - 1)) * 2 * s, (at >> p) * 2 * s, s);
    });
  }
}

/// b̃ of the cells' insides into the operand, and what their nodes contribute to edges and corners: the transpose of S,
/// cell by cell; an unknown on an edge or at a corner is in one of its cells.
template <class D, class T, int J, class S = Sum<T>>
void load_cells(const CellsView<D, S>& c, View<D, const double> b, View<D, const double> scale,
                OperandView<D, T> operand, View<D, S> to_edge, int64_t edge_pitch, View<D, S> to_corner) {
  using V = Columns<S, J>;
  const Divider packs((c.k + J - 1) / J);
  D::for_each_tile(
      c.cells * packs.by(), cells_of_a_tile(c.nodes), c.lattice.size() * sizeof(V) + 64,
      GRIDIRON_KERNEL(typename D::Tile & tile) {
        const uint32_t index = tile.index();
        const uint32_t cell = packs.quotient(index);
        const TileColumns<J> columns(index - cell * packs.by(), c.k);
        const int64_t column_0 = cell * c.k + columns.first;
        double by[J];
        for (int j = 0; j < J; ++j) by[j] = scale[columns.column[j]];
        const View<D, V> v = tile.template shared<V>(c.lattice.size());
        each_in_batches<kLoadsInFlight>(tile, c.nodes, [&](int i, int count, int step) {
          int32_t unknown[kLoadsInFlight];
          double value[kLoadsInFlight][J];
          for (int u = 0; u < kLoadsInFlight; ++u)
            unknown[u] = c.node_unknown[cell * c.nodes + (u < count ? i + u * step : i)];
          for (int u = 0; u < kLoadsInFlight; ++u)
            for (int j = 0; j < J; ++j) value[u][j] = b[columns.column[j] * c.n + (unknown[u] < 0 ? 0 : unknown[u])];
          for (int u = 0; u < kLoadsInFlight; ++u) {
            V entry{};
            for (int j = 0; j < J; ++j) column(entry, j) = unknown[u] < 0 ? S(0) : static_cast<S>(value[u][j] * by[j]);
            if (u < count) v[c.node_position[i + u * step]] = entry;
          }
        });
        to_hierarchical(tile, c.lattice, c.log2_m, v);
        const int64_t of_group = c.group_of_cell[cell] * c.interior;
        tile.each(c.interior, [&](int64_t i) {
          const V entry = v[c.interior_position[i]] * c.interior_scale[of_group + i];
          for (int j = 0; j < J; ++j)
            if (j < columns.count) operand.value[(column_0 + j) * operand.pitch + i] = T(column(entry, j));
        });
        tile.each(c.edge, [&](int64_t e) {
          const V entry = v[c.edge_position[e]];
          for (int j = 0; j < J; ++j)
            if (j < columns.count) to_edge[(column_0 + j) * edge_pitch + e] = column(entry, j);
        });
        tile.each(c.corners, [&](int64_t q) {
          const V entry = v[c.corner_position[q]];
          for (int j = 0; j < J; ++j)
            if (j < columns.count) to_corner[(column_0 + j) * c.corners + q] = column(entry, j);
        });
      });
}

/// The solution, from x̃: S, cell by cell.
template <class D, class S, int J>
void store_cells(const CellsView<D, S>& c, View<D, const S> inside, int64_t pitch, View<D, const S> edge,
                 int64_t edge_pitch, View<D, const S> corner, View<D, const double> inverse_scale, View<D, double> x) {
  using V = Columns<S, J>;
  const Divider packs((c.k + J - 1) / J);
  D::for_each_tile(
      c.cells * packs.by(), cells_of_a_tile(c.nodes), c.lattice.size() * sizeof(V) + 64,
      GRIDIRON_KERNEL(typename D::Tile & tile) {
        const uint32_t index = tile.index();
        const uint32_t cell = packs.quotient(index);
        const TileColumns<J> columns(index - cell * packs.by(), c.k);
        const View<D, V> v = tile.template shared<V>(c.lattice.size());
        const int64_t of_group = c.group_of_cell[cell] * c.interior;
        int64_t begin[J];
        for (int j = 0; j < J; ++j) begin[j] = (cell * c.k + columns.column[j]) * pitch;
        each_in_batches<kStoresInFlight>(tile, c.interior, [&](int i, int count, int step) {
          V entry[kStoresInFlight];
          for (int u = 0; u < kStoresInFlight; ++u)
            for (int j = 0; j < J; ++j) column(entry[u], j) = inside[begin[j] + (u < count ? i + u * step : i)];
          for (int u = 0; u < kStoresInFlight; ++u)
            if (u < count) v[c.interior_position[i + u * step]] = entry[u] * c.interior_scale[of_group + i + u * step];
        });
        tile.each(c.edge, [&](int64_t e) {
          const int32_t at = c.edge_of_cell[cell * c.edge + e];
          V entry{};
          if (at >= 0) {
            const S by = c.edge_scale[at];
            for (int j = 0; j < J; ++j) column(entry, j) = edge[columns.column[j] * edge_pitch + at] * by;
          }
          v[c.edge_position[e]] = entry;
        });
        tile.each(c.corners, [&](int64_t q) {
          const int32_t at = c.corner_of_cell[cell * c.corners + q];
          V entry{};
          for (int j = 0; j < J; ++j)
            if (at >= 0) column(entry, j) = corner[columns.column[j] * c.coarse + at];
          v[c.corner_position[q]] = entry;
        });
        to_nodal(tile, c.lattice, c.log2_m, v);
        double by[J];
        for (int j = 0; j < J; ++j) by[j] = inverse_scale[columns.column[j]];
        each_in_batches<kStoresInFlight>(tile, c.nodes, [&](int i, int count, int step) {
          int32_t unknown[kStoresInFlight];
          for (int u = 0; u < kStoresInFlight; ++u)
            unknown[u] = u < count ? c.node_unknown[cell * c.nodes + i + u * step] : -1;
          for (int u = 0; u < kStoresInFlight; ++u) {
            if (unknown[u] < 0) continue;
            const V entry = v[c.node_position[i + u * step]];
            for (int j = 0; j < J; ++j)
              if (j < columns.count)
                x[(columns.first + j) * c.n + unknown[u]] = static_cast<double>(column(entry, j)) * by[j];
          }
        });
      });
}

}  // namespace gridiron::psc
