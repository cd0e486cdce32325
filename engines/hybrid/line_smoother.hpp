// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/device/device.hpp"
#include "engines/hybrid/strong_lines.hpp"
#include "engines/problem.hpp"
#include "support/parallel.hpp"

namespace gridiron {

/// A = T + N, where T holds the diagonal and the couplings along lines, which makes it tridiagonal, and N the rest.
/// Unknowns are numbered line after line. Each sweep solves for all lines at once, damped by the Chebyshev iteration of
/// the fourth kind on T⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023).
///
/// The spectrum of T⁻¹A ends at 2 when A is symmetric and diagonally dominant, for then 2T − A = T − N is so too.
template <class D, class T>
class LineSmoother {
 public:
  LineSmoother() = default;

  /// `a` in the numbering of the lines; line k is [begin[k], begin[k + 1]).
  LineSmoother(const CsrMatrix& a, const std::vector<std::int64_t>& begin)
      : begin_(begin), update_(a.rows), rest_row_ptr_(a.rows + 1) {
    const auto lines = static_cast<std::int64_t>(begin.size()) - 1;
    std::vector<T> diagonal(a.rows), link(a.rows), inverse_pivot(a.rows), ratio(a.rows);
    std::vector<std::int32_t> rest_row_ptr(a.rows + 1, 0);
    parallel_ranges(
        lines,
        [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t line = first; line < last; ++line) {
            double pivot = 0, before = 0;  // of the row above, and what links it to this one
            for (std::int64_t i = begin[line]; i < begin[line + 1]; ++i) {
              double own = 0, after = 0;
              for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
                const std::int64_t j = a.col[k];
                if (j == i) own = a.value[k];
                if (j == i + 1 && j < begin[line + 1]) after = -a.value[k];
                rest_row_ptr[i + 1] += !in_line(i, j, begin[line], begin[line + 1]);
              }
              const double multiplier = before == 0 ? 0 : before / pivot;
              pivot = own - multiplier * before;
              diagonal[i] = static_cast<T>(own);
              link[i] = static_cast<T>(after);
              ratio[i] = static_cast<T>(multiplier);
              inverse_pivot[i] = static_cast<T>(1 / pivot);
              before = after;
            }
          }
        },
        1 << 11);
    for (std::int64_t i = 0; i < a.rows; ++i) rest_row_ptr[i + 1] += rest_row_ptr[i];
    std::vector<std::int32_t> rest_col(rest_row_ptr[a.rows]);
    std::vector<T> rest_value(rest_row_ptr[a.rows]);
    parallel_ranges(
        lines,
        [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t line = first; line < last; ++line) {
            for (std::int64_t i = begin[line]; i < begin[line + 1]; ++i) {
              std::int32_t out = rest_row_ptr[i];
              for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
                if (in_line(i, a.col[k], begin[line], begin[line + 1])) continue;
                rest_col[out] = a.col[k];
                rest_value[out++] = static_cast<T>(-a.value[k]);
              }
            }
          }
        },
        1 << 11);
    diagonal_ = Array<D, T>(diagonal);
    link_ = Array<D, T>(link);
    ratio_ = Array<D, T>(ratio);
    inverse_pivot_ = Array<D, T>(inverse_pivot);
    rest_row_ptr_ = Array<D, std::int32_t>(rest_row_ptr);
    rest_col_ = Array<D, std::int32_t>(rest_col);
    rest_value_ = Array<D, T>(rest_value);
  }

  /// x ≈ A⁻¹ b by `degree` sweeps. With `from_zero` x need not hold anything; `next` is scratch, and the two swap.
  void smooth(View<D, const T> b, Array<D, T>& x, Array<D, T>& next, int degree, bool from_zero) {
    const View<D, const std::int64_t> begin = begin_.view();
    const View<D, const std::int32_t> row_ptr = rest_row_ptr_.view(), col = rest_col_.view();
    const View<D, const T> value = rest_value_.view(), ratio = ratio_.view(), inverse_pivot = inverse_pivot_.view();
    const View<D, T> update = update_.view();
    for (int k = 1; k <= degree; ++k) {
      const T keep = static_cast<T>((2.0 * k - 3) / (2.0 * k + 1));
      const T factor = static_cast<T>((8.0 * k - 4) / ((2.0 * k + 1) * kSpectrum));
      const bool is_zero = from_zero && k == 1, is_first = k == 1, is_last = k == degree;
      const View<D, const T> old = std::as_const(x).view();
      const View<D, T> out = next.view();
      D::for_each_row(
          begin.size() - 1, GRIDIRON_KERNEL(std::int64_t line) {
            const std::int64_t first = begin[line], last = begin[line + 1];
            T y = 0;
            for (std::int64_t i = first; i < last; ++i) {
              T r = b[i];
              if (!is_zero)
                for (std::int32_t e = row_ptr[i]; e < row_ptr[i + 1]; ++e) r += value[e] * old[col[e]];
              y = r + ratio[i] * y;
              out[i] = y;
            }
            T z = 0, above = 0;  // above: the multiplier between this row and the one behind it
            for (std::int64_t i = last - 1; i >= first; --i) {
              z = out[i] * inverse_pivot[i] + above * z;
              above = ratio[i];
              const T from = is_zero ? T(0) : old[i];
              const T d = (is_first ? T(0) : keep * update[i]) + factor * (z - from);
              if (!is_last) update[i] = d;
              out[i] = from + d;
            }
          });
      std::swap(x, next);
    }
  }

  /// r = b − A x
  void residual(View<D, const T> b, View<D, const T> x, View<D, T> r) const {
    const View<D, const std::int32_t> row_ptr = rest_row_ptr_.view(), col = rest_col_.view();
    const View<D, const T> value = rest_value_.view(), diagonal = diagonal_.view(), link = link_.view();
    const std::int64_t n = x.size();
    D::for_each_row(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          T s = b[i] - diagonal[i] * x[i];
          if (i > 0) s += link[i - 1] * x[i - 1];
          if (i + 1 < n) s += link[i] * x[i + 1];
          for (std::int32_t e = row_ptr[i]; e < row_ptr[i + 1]; ++e) s += value[e] * x[col[e]];
          r[i] = s;
        });
  }

  std::int64_t bytes() const {
    return begin_.bytes() + diagonal_.bytes() + link_.bytes() + ratio_.bytes() + inverse_pivot_.bytes() +
           update_.bytes() + rest_row_ptr_.bytes() + rest_col_.bytes() + rest_value_.bytes();
  }

 private:
  static constexpr double kSpectrum = 2;

  static bool in_line(std::int64_t i, std::int64_t j, std::int64_t first, std::int64_t last) {
    return j >= i - 1 && j <= i + 1 && j >= first && j < last;
  }

  Array<D, std::int64_t> begin_;
  Array<D, T> diagonal_, link_;        ///< of T; link[i] couples i and i + 1 with −link[i], 0 at the end of a line
  Array<D, T> ratio_, inverse_pivot_;  ///< T = L P Lᵀ with L = 1 − ratio below the diagonal
  Array<D, T> update_;
  Array<D, std::int32_t> rest_row_ptr_, rest_col_;
  Array<D, T> rest_value_;  ///< −N
};

}  // namespace gridiron
