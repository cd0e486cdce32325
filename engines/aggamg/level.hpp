// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/wide_rows.hpp"
#include "linalg/short_sell.hpp"

namespace gridiron::aggamg {

// The matrix of a grid as the kernels of a cycle see it: that of W⁻¹A x = W⁻¹b, where W is diagonal. row(i) is what a
// row consists of besides its couplings: product() of x_i and what the couplings yield, and the inverse of the
// diagonal.

/// In full precision W is the diagonal of A. So that of W⁻¹A is one, and only operations that weight residuals
/// (restriction, inner products) need more than the couplings.
template <class D, class T>
struct LevelMatrix {
  SellView<D, T> couplings;
  View<D, const T> diagonal;

  struct Row {
    static constexpr T inverse = 1;
    template <class V>
    GRIDIRON_HOST_DEVICE V product(const V& own, const V& others) const {
      return own + others;
    }
  };
  GRIDIRON_HOST_DEVICE Row row(int64_t) const { return {}; }
  GRIDIRON_HOST_DEVICE T weight(int64_t i) const { return diagonal[i]; }
  GRIDIRON_HOST_DEVICE T inverse_weight(int64_t i) const { return diagonal[i] != 0 ? 1 / diagonal[i] : T(0); }
};

/// In half the space W is one: a row must not be scaled unless its neighbours are, since couplings that are no longer
/// equal to either side would let smooth errors pass for rough ones. Row sums and the inverse of the diagonal are in
/// bf16, too, in a word.
template <class D>
struct ShortLevelMatrix {
  ShortSellView<D> couplings;
  View<D, const uint32_t> terms;

  struct Row {
    float sum, inverse;
    template <class V>
    GRIDIRON_HOST_DEVICE V product(const V& own, const V& differences) const {
      return sum * own + differences;
    }
  };
  GRIDIRON_HOST_DEVICE Row row(int64_t i) const { return {high_of(terms[i]), low_of(terms[i])}; }
  GRIDIRON_HOST_DEVICE float weight(int64_t) const { return 1; }
  GRIDIRON_HOST_DEVICE float inverse_weight(int64_t i) const { return low_of(terms[i]) != 0 ? 1.0f : 0.0f; }
};

/// The matrix of a grid in half the space, for the cycle.
template <class D>
struct ShortCopy {
  ShortSell<D> couplings;
  Array<D, uint32_t> terms;          ///< ShortLevelMatrix::Row
  bool has_distant_columns = false;  ///< the pattern allows no copy

  bool is_empty() const { return couplings.is_empty(); }
  int64_t bytes() const { return bytes_of(couplings, terms); }
};

/// One grid of the hierarchy: its matrix and its transfer to the next grid. Rows are divided by their diagonal: the
/// first Jacobi step from zero is then a multiple of the right-hand side, which saves a product per smoothing step, and
/// products need no diagonal.
template <class D, class T>
struct Level {
  std::shared_ptr<const SellPattern<D>> pattern;
  Array<D, T> value;         ///< a_ij / a_ii, j ≠ i
  Array<D, T> diagonal;      ///< a_ii
  Array<D, double> row_sum;  ///< a_ii + Σ a_ij; an M-matrix's diagonal is formed from it without cancellation
  double rho = 0;            ///< upper bound of the spectral radius of D⁻¹A
  Aggregates<D> aggregates;  ///< empty on the coarsest level
  WideRows<D> wide;          ///< of the next grid
  Array<D, int32_t>
      target;  ///< per entry: which entry of the next grid it is added to; −1 the diagonal. Not for wide rows.

  ShortCopy<D> brief;  ///< what the cycle takes instead, if not empty

  int64_t rows() const { return pattern->rows; }
  SellView<D, T> matrix() const { return {*pattern, value.view()}; }
  int64_t bytes() const { return bytes_of(pattern, value, diagonal, row_sum, aggregates, wide, target, brief); }
  /// Bytes of couplings that a product in the cycle moves.
  double product_traffic() const {
    return brief.is_empty() ? static_cast<double>(value.size()) * (sizeof(T) + sizeof(int32_t))
                            : static_cast<double>(brief.couplings.stored()) * (4 + 4.0 / 32);
  }

  /// f(matrix) with a LevelMatrix or a ShortLevelMatrix.
  template <class F>
  void with_matrix(F f) const {
    if (brief.is_empty())
      f(LevelMatrix<D, T>{matrix(), diagonal.view()});
    else if constexpr (std::is_same_v<T, float>)
      f(ShortLevelMatrix<D>{brief.couplings.view(), brief.terms.view()});
  }
};

}  // namespace gridiron::aggamg
