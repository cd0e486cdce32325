// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of PSC between its dense products, for blocks of k columns. Vectors of nodes are n × k, column after
// column; what belongs to cells lies cell by cell, the k columns of one cell together: entry i of cell c and column j
// is at (c k + j) · pitch + i, so that all cells of a group and all columns are one matrix.

#include <cmath>

#include "engines/device/device.hpp"
#include "engines/psc/cell_lattice.hpp"
#include "engines/psc/gemm.hpp"

namespace gridiron::psc {

/// Views of the index tables of Prehandled.
template <class D, class S>
struct CellsView {
  CellLattice lattice;
  std::int64_t cells, edges, n, k;
  std::int64_t interior, edge, corners;  ///< per cell
  std::int64_t all_edge, coarse;         ///< |E|, |C|
  View<D, const std::int32_t> interior_position, edge_position, corner_position;
  View<D, const std::int32_t> interior_unknown, edge_of_cell, corner_of_cell, edge_unknown, coarse_unknown, end_of_edge;
  View<D, const std::int32_t> cells_of_edge, corner_begin, cells_of_corner, end_begin, edges_of_corner;
  View<D, const std::int32_t> group_of_cell;
  View<D, const S> interior_scale, edge_scale, edge_ratio;
};

/// Where the operand of the cells' products lies: b_I in the first rows of a column, x_E from `edge_row` on.
template <class D, class T>
struct OperandView {
  View<D, T> value;
  std::int64_t pitch, edge_row;
};

/// Per column, the power of two that brings the largest of its entries to about 1; 1 for a column of zeros or one that
/// is not finite. `partial`: scratch of k · chunks.
template <class D>
void find_scales(View<D, const double> x, std::int64_t rows, std::int64_t k, View<D, double> partial,
                 View<D, double> scale) {
  const std::int64_t chunks = partial.size() / k, length = (rows + chunks - 1) / chunks;
  constexpr std::int64_t kLanes = 128;
  D::for_each_tile(
      chunks * k, kLanes, kLanes * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t j = tile.index() / chunks, first = tile.index() % chunks * length;
        const std::int64_t last = first + length < rows ? first + length : rows;
        const View<D, double> most = tile.template shared<double>(kLanes);
        tile.each(kLanes, [&](std::int64_t lane) {
          double largest = 0;
          for (std::int64_t i = first + lane; i < last; i += kLanes) raise_to(largest, std::abs(x[j * rows + i]));
          most[lane] = largest;
        });
        tile.each(1, [&](std::int64_t) {
          double largest = 0;
          for (std::int64_t lane = 0; lane < kLanes; ++lane) raise_to(largest, most[lane]);
          partial[tile.index()] = largest;
        });
      });
  D::for_each(
      k, GRIDIRON_KERNEL(std::int64_t j) {
        double largest = 0;
        for (std::int64_t c = 0; c < chunks; ++c) raise_to(largest, partial[j * chunks + c]);
        const bool is_number = largest > 0 && largest < 1e300;
        scale[j] = is_number ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
      });
}

/// b̃ of the cells' insides into the operand, and what they contribute to edges and corners: the transpose of S, cell by
/// cell.
template <class D, class T, class S = Sum<T>>
void load_cells(const CellsView<D, S>& of, View<D, const double> b, View<D, const double> scale,
                OperandView<D, T> operand, View<D, S> to_edge, std::int64_t edge_pitch, View<D, S> to_corner) {
  const CellsView<D, S> c = of;
  D::for_each_tile(
      c.cells * c.k, 128, c.lattice.size() * sizeof(S) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t cell = tile.index() / c.k, j = tile.index() % c.k;
        const View<D, S> v = tile.template shared<S>(c.lattice.size());
        tile.each(c.lattice.size(), [&](std::int64_t i) { v[i] = S(0); });
        tile.each(c.interior, [&](std::int64_t i) {
          v[c.interior_position[i]] = static_cast<S>(b[j * c.n + c.interior_unknown[cell * c.interior + i]] * scale[j]);
        });
        for (std::int64_t s = 1; s <= c.lattice.m / 2; s *= 2) {
          const std::int64_t side = c.lattice.m / (2 * s) + 1;
          tile.each(side * side, [&](std::int64_t at) {
            const std::int64_t x = at % side * 2 * s, y = at / side * 2 * s;
            if (c.lattice.has(x, y)) v[c.lattice.at(x, y)] += from_children<S>(c.lattice, v, x, y, s);
          });
        }
        const std::int64_t first = c.group_of_cell[cell] * c.interior;
        tile.each(c.interior, [&](std::int64_t i) {
          operand.value[tile.index() * operand.pitch + i] = T(v[c.interior_position[i]] * c.interior_scale[first + i]);
        });
        tile.each(c.edge, [&](std::int64_t e) { to_edge[tile.index() * edge_pitch + e] = v[c.edge_position[e]]; });
        tile.each(c.corners,
                  [&](std::int64_t q) { to_corner[tile.index() * c.corners + q] = v[c.corner_position[q]]; });
      });
}

/// b̃ of the edges, |E| × k, and what they contribute to their ends.
template <class D, class S>
void load_edges(const CellsView<D, S>& of, View<D, const double> b, View<D, const double> scale,
                View<D, const S> from_cells, std::int64_t edge_pitch, View<D, S> to, View<D, S> to_end) {
  const CellsView<D, S> c = of;
  const std::int64_t m = c.lattice.m;
  D::for_each_tile(
      c.edges * c.k, 32, (m + 1) * sizeof(S) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t edge = tile.index() / c.k, j = tile.index() % c.k, first = edge * (m - 1);
        const View<D, S> v = tile.template shared<S>(m + 1);
        tile.each(m + 1, [&](std::int64_t i) {
          v[i] = i == 0 || i == m ? S(0) : static_cast<S>(b[j * c.n + c.edge_unknown[first + i - 1]] * scale[j]);
        });
        for (std::int64_t s = 1; s <= m / 2; s *= 2)
          tile.each(m / (2 * s) + 1, [&](std::int64_t at) {
            const std::int64_t i = at * 2 * s;
            const S left = i > 0 ? v[i - s] : S(0), right = i < m ? v[i + s] : S(0);
            v[i] += S(0.5) * (left + right);
          });
        tile.each(m - 1, [&](std::int64_t i) {
          S sum = v[i + 1];
          for (int slot = 0; slot < 2; ++slot)
            if (const std::int64_t at = c.cells_of_edge[2 * (first + i) + slot]; at >= 0)
              sum += from_cells[(at / c.edge * c.k + j) * edge_pitch + at % c.edge];
          to[j * c.all_edge + first + i] = sum * c.edge_scale[first + i];
        });
        tile.each(2, [&](std::int64_t end) { to_end[tile.index() * 2 + end] = v[end * m]; });
      });
}

/// (Sᵀ b)_C, |C| × k.
template <class D, class S>
void load_corners(const CellsView<D, S>& of, View<D, const double> b, View<D, const double> scale,
                  View<D, const S> from_cells, View<D, const S> from_ends, View<D, S> to) {
  const CellsView<D, S> c = of;
  D::for_each(
      c.coarse * c.k, GRIDIRON_KERNEL(std::int64_t at) {
        const std::int64_t i = at % c.coarse, j = at / c.coarse;
        S sum = static_cast<S>(b[j * c.n + c.coarse_unknown[i]] * scale[j]);
        for (std::int64_t e = c.corner_begin[i]; e < c.corner_begin[i + 1]; ++e) {
          const std::int64_t corner = c.cells_of_corner[e];
          sum += from_cells[(corner / c.corners * c.k + j) * c.corners + corner % c.corners];
        }
        for (std::int64_t e = c.end_begin[i]; e < c.end_begin[i + 1]; ++e) {
          const std::int64_t end = c.edges_of_corner[e];
          sum += from_ends[(end / 2 * c.k + j) * 2 + end % 2];
        }
        to[at] = sum;
      });
}

/// x_E += what products of cells give to E, times alpha: both cells of an edge, in a fixed order.
template <class D, class S>
void add_from_cells(const CellsView<D, S>& of, S alpha, View<D, const S> from_cells, std::int64_t edge_pitch,
                    View<D, S> to) {
  const CellsView<D, S> c = of;
  D::for_each(
      c.all_edge * c.k, GRIDIRON_KERNEL(std::int64_t at) {
        const std::int64_t e = at % c.all_edge, j = at / c.all_edge;
        S sum = 0;
        for (int slot = 0; slot < 2; ++slot)
          if (const std::int64_t i = c.cells_of_edge[2 * e + slot]; i >= 0)
            sum += c.edge_ratio[i] * from_cells[(i / c.edge * c.k + j) * edge_pitch + i % c.edge];
        to[at] += alpha * sum;
      });
}

/// The operand's rows of x_E: every cell takes those of its edges.
template <class D, class T, class S = Sum<T>>
void give_to_cells(const CellsView<D, S>& of, View<D, const S> x, std::int64_t x_pitch, OperandView<D, T> operand) {
  const CellsView<D, S> c = of;
  D::for_each(
      c.cells * c.k * c.edge, GRIDIRON_KERNEL(std::int64_t at) {
        const std::int64_t e = at % c.edge, column = at / c.edge, cell = column / c.k, j = column % c.k;
        const std::int64_t i = c.edge_of_cell[cell * c.edge + e];
        operand.value[column * operand.pitch + operand.edge_row + e] =
            T(i >= 0 ? x[j * x_pitch + i] * c.edge_ratio[cell * c.edge + e] : S(0));
      });
}

/// A sparse matrix of rows that are listed.
template <class D, class S>
struct RowsView {
  View<D, const std::int32_t> begin, column;
  View<D, const S> value;
  std::int64_t rows, columns;
};

/// y += alpha A x for k columns.
template <class D, class S>
void add_sparse(const RowsView<D, S>& matrix, S alpha, View<D, const S> x, std::int64_t k, View<D, S> y) {
  const RowsView<D, S> a = matrix;
  D::for_each(
      a.rows * k, GRIDIRON_KERNEL(std::int64_t at) {
        const std::int64_t i = at % a.rows, j = at / a.rows;
        S sum = 0;
        for (std::int64_t e = a.begin[i]; e < a.begin[i + 1]; ++e) sum += a.value[e] * x[j * a.columns + a.column[e]];
        y[at] += alpha * sum;
      });
}

/// A block as the operand of a product, rounded.
template <class D, class T, class S = Sum<T>>
void round_to(View<D, const S> x, std::int64_t rows, std::int64_t k, View<D, T> to, std::int64_t pitch) {
  D::for_each(
      rows * k, GRIDIRON_KERNEL(std::int64_t at) { to[at / rows * pitch + at % rows] = T(x[at]); });
}

/// The solution at the insides of cells, from x̃: S, cell by cell.
template <class D, class S>
void store_cells(const CellsView<D, S>& of, View<D, const S> inside, std::int64_t pitch, View<D, const S> edge,
                 std::int64_t edge_pitch, View<D, const S> corner, View<D, const double> scale, View<D, double> x) {
  const CellsView<D, S> c = of;
  D::for_each_tile(
      c.cells * c.k, 128, c.lattice.size() * sizeof(S) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t cell = tile.index() / c.k, j = tile.index() % c.k;
        const View<D, S> v = tile.template shared<S>(c.lattice.size());
        const std::int64_t first = c.group_of_cell[cell] * c.interior;
        tile.each(c.interior, [&](std::int64_t i) {
          v[c.interior_position[i]] = inside[tile.index() * pitch + i] * c.interior_scale[first + i];
        });
        tile.each(c.edge, [&](std::int64_t e) {
          const std::int64_t at = c.edge_of_cell[cell * c.edge + e];
          v[c.edge_position[e]] = at >= 0 ? edge[j * edge_pitch + at] * c.edge_scale[at] : S(0);
        });
        tile.each(c.corners, [&](std::int64_t q) {
          const std::int64_t at = c.corner_of_cell[cell * c.corners + q];
          v[c.corner_position[q]] = at >= 0 ? corner[j * c.coarse + at] : S(0);
        });
        for (std::int64_t s = c.lattice.m / 2; s >= 1; s /= 2) {
          const std::int64_t side = c.lattice.m / s + 1;
          tile.each(side * side, [&](std::int64_t at) {
            const std::int64_t p = at % side * s, q = at / side * s;
            if (c.lattice.has(p, q) && (p / s % 2 == 1 || q / s % 2 == 1))
              v[c.lattice.at(p, q)] += from_parents<S>(c.lattice, v, p, q, s);
          });
        }
        tile.each(c.interior, [&](std::int64_t i) {
          x[j * c.n + c.interior_unknown[cell * c.interior + i]] =
              static_cast<double>(v[c.interior_position[i]]) / scale[j];
        });
      });
}

/// The same along edges and at corners.
template <class D, class S>
void store_edges(const CellsView<D, S>& of, View<D, const S> edge, std::int64_t edge_pitch, View<D, const S> corner,
                 View<D, const double> scale, View<D, double> x) {
  const CellsView<D, S> c = of;
  const std::int64_t m = c.lattice.m;
  D::for_each_tile(
      c.edges * c.k, 32, (m + 1) * sizeof(S) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t number = tile.index() / c.k, j = tile.index() % c.k, first = number * (m - 1);
        const View<D, S> v = tile.template shared<S>(m + 1);
        tile.each(m + 1, [&](std::int64_t i) {
          if (i == 0 || i == m) {
            const std::int64_t at = c.end_of_edge[2 * number + (i == 0 ? 0 : 1)];
            v[i] = at >= 0 ? corner[j * c.coarse + at] : S(0);
          } else {
            v[i] = edge[j * edge_pitch + first + i - 1] * c.edge_scale[first + i - 1];
          }
        });
        for (std::int64_t s = m / 2; s >= 1; s /= 2)
          tile.each(m / (2 * s), [&](std::int64_t at) {
            const std::int64_t i = (2 * at + 1) * s;
            v[i] += S(0.5) * (v[i - s] + v[i + s]);
          });
        tile.each(m - 1, [&](std::int64_t i) {
          x[j * c.n + c.edge_unknown[first + i]] = static_cast<double>(v[i + 1]) / scale[j];
        });
      });
  D::for_each(
      c.coarse * c.k, GRIDIRON_KERNEL(std::int64_t at) {
        const std::int64_t i = at % c.coarse, j = at / c.coarse;
        x[j * c.n + c.coarse_unknown[i]] = static_cast<double>(corner[at]) / scale[j];
      });
}

}  // namespace gridiron::psc
