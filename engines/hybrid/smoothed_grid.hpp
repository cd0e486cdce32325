// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hybrid/cell_map.hpp"
#include "engines/hybrid/line_smoother.hpp"

namespace gridiron {

/// A grid that the hybrid iteration smooths: the original one, or that with its stars contracted. Rows follow strong
/// lines, side by side (LineLayout), as the smoother requires; nothing else depends on their order.
template <class D, class T>
struct SmoothedGrid {
  RowOrder<D> order;
  int64_t nonzeros = 0;
  LineSmoother<D, T> smoother;
  CellMap<D, T> to_next;  ///< the contracted or the regular grids

  int64_t bytes() const { return bytes_of(order, smoother, to_next); }
  /// Bytes that a visit moves, excluding those of the next grids.
  double traffic(int degree) const {
    return smoother.sweep_traffic(degree, true) + smoother.residual_traffic() + smoother.sweep_traffic(degree, false) +
           to_next.traffic();
  }
};

/// The matrix of a SmoothedGrid for flexible CG: products in the precision of the smoother, which has all that they
/// need, and residuals in doubles.
template <class D, class T>
struct SmoothedMatrix {
  const SellMatrix<D>& matrix;
  const LineSmoother<D, T>& smoother;

  const SellMatrix<D>& exact() const { return matrix; }
};
/// What a row of the product takes besides the couplings off its line.
template <class V>
struct SmoothedRow {
  V p, r, along;
};
template <class D, class T, int K, class G>
void product_and_dots(const SmoothedMatrix<D, T>& a, View<D, const Columns<T, K>> p, View<D, const Columns<T, K>> r,
                      View<D, Columns<T, K>> q, G then) {
  using V = Columns<T, K>;
  const auto along = a.smoother.template along_lines<V>(p);
  D::template product_sum_then<2 * K>(
      a.smoother.differences(), p,
      GRIDIRON_KERNEL(int64_t i) {
        return SmoothedRow<V>{p[i], r[i], along(i)};
      },
      GRIDIRON_KERNEL(int64_t i, const V& rest, const SmoothedRow<V>& row) {
        const V value = row.along + rest;
        q[i] = value;
        const Columns<double, K> wide = to<double>(row.p);
        return sums_of(wide * value, wide * row.r);
      },
      then);
}

}  // namespace gridiron
