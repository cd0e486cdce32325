// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/wide_rows.hpp"

namespace gridiron::aggamg {

/// One grid of the hierarchy: its matrix and its transfer to the next grid. The equations of a grid are divided by
/// their diagonal: D⁻¹A x = D⁻¹b. So the diagonal is one, the first Jacobi step from zero is a multiple of the
/// right-hand side, and only operations that weight residuals (restriction, inner products) need D.
template <class D, class T>
struct Level {
  std::shared_ptr<const SellPattern<D>> pattern;
  Array<D, T> value;         ///< a_ij / a_ii, j ≠ i
  Array<D, T> diagonal;      ///< a_ii
  Array<D, double> row_sum;  ///< a_ii + Σ a_ij; an M-matrix's diagonal is formed from it without cancellation
  double rho = 0;            ///< upper bound of the spectral radius of D⁻¹A
  Aggregates<D> aggregates;  ///< empty on the coarsest level
  WideRows<D> wide;          ///< of the next grid
  Array<D, std::int32_t>
      target;  ///< per entry: which entry of the next grid it is added to; −1 the diagonal. Not for wide rows.

  std::int64_t rows() const { return pattern->rows; }
  SellView<D, T> matrix() const { return {*pattern, value.view()}; }
  std::int64_t bytes() const {
    return pattern->bytes() + value.bytes() + diagonal.bytes() + row_sum.bytes() + aggregates.bytes() + wide.bytes() +
           target.bytes();
  }
};

}  // namespace gridiron::aggamg
