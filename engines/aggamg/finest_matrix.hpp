// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/level.hpp"
#include "linalg/krylov.hpp"

namespace gridiron::aggamg {

/// The matrix for flexible CG: products in the precision of the finest level, whose values they share, and residuals in
/// doubles. Products are formed from differences of x and the sums of rows, as little is left of Σ a_ij x_j where x is
/// smooth. (The values are a_ij / a_ii rounded, so couplings are symmetric up to rounding only.)
template <class D, class T>
struct FinestMatrix {
  const SellMatrix<D>& matrix;
  const Level<D, T>& level;
  View<D, const T> row_sum;

  const SellMatrix<D>& exact() const { return matrix; }
};

/// What a row of the product takes besides the couplings.
template <class V>
struct FinestRow {
  V p, r, by_row_sum;
  ColumnType<V> diagonal;
};

template <class D, class T, int K, class G>
void product_and_dots(const FinestMatrix<D, T>& a, View<D, const Columns<T, K>> p, View<D, const Columns<T, K>> r,
                      View<D, Columns<T, K>> q, G then) {
  using V = Columns<T, K>;
  const View<D, const T> diagonal = a.level.diagonal.view(), row_sum = a.row_sum;
  const SellView<D, T, true> couplings{*a.level.pattern, a.level.value.view()};  // divided by the diagonal
  D::template product_sum_then<2 * K>(
      couplings, p,
      GRIDIRON_KERNEL(int64_t i) {
        return FinestRow<V>{p[i], r[i], row_sum[i] * p[i], diagonal[i]};
      },
      GRIDIRON_KERNEL(int64_t i, const V& differences, const FinestRow<V>& row) {
        const V value = row.by_row_sum + row.diagonal * differences;
        q[i] = value;
        const Columns<double, K> wide = to<double>(row.p);
        return sums_of(wide * value, wide * row.r);
      },
      then);
}

}  // namespace gridiron::aggamg
