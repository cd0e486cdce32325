// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "engines/hybrid/line_layout.hpp"
#include "linalg/sell.hpp"

namespace gridiron {

/// A = T + N, where T holds the diagonal and the couplings along lines, which makes it tridiagonal, and N the rest.
/// Rows are those of a LineLayout. Products of A itself are formed from differences: those to a row's neighbours times
/// the couplings, and x_i times the row's sum, so that they are those of a matrix whose couplings differ from A's by
/// their rounding to T, however small the sum is.
///
/// Each sweep solves for all lines at once, damped by the Chebyshev iteration of the fourth kind on T⁻¹A (Lottes,
/// Numer. Linear Algebra Appl. 30, 2023).
///
/// The spectrum of T⁻¹A ends at 2 when A is symmetric and diagonally dominant, for then 2T − A = T − N is so too.
template <class D, class T>
class LineSmoother {
 public:
  LineSmoother() = default;
  /// `begin`: as in LineLayout; no slice has more steps than `longest`.
  LineSmoother(const SellMatrix<D>& a, Array<D, int32_t> begin, int longest)
      : longest_(longest), begin_(std::move(begin)) {
    for (Array<D, T>* v : {&row_sum_, &link_, &ratio_, &inverse_pivot_}) *v = Array<D, T>(a.rows());
    keep_rest(a);
    refill(a);
  }

  /// Refills with new values for the same pattern.
  void refill(const SellMatrix<D>& a) {
    factor(a);
    fill_rest(a);
  }

  /// What a sweep begins with in a row.
  template <class V>
  struct Start {
    V b;
    T ratio;
  };
  /// x in a row, and what it was a step before.
  template <class V>
  struct Moves {
    V from, before;
  };

  /// z ← (L D Lᵀ)⁻¹ z for the lines of a slice, whose rows begin with `first`: D⁻¹ is inverse_pivot, and −L has the
  /// multipliers beside its diagonal.
  template <class V>
  static GRIDIRON_HOST_DEVICE void solve_lines(typename D::Tile& tile, int64_t steps, const View<D, T>& multiplier,
                                               const View<D, const T>& inverse_pivot, int64_t first,
                                               const View<D, V>& z) {
    using Entry = ColumnType<V>;
    tile.template recur<V>(steps, [&](int64_t step, int64_t line, int c, Entry before) {
      const int64_t i = 32 * step + line;
      return column(z[i], c) += multiplier[i] * before;
    });
    tile.each(
        32 * steps, [&](int64_t i) { return inverse_pivot[first + i]; },
        [&](int64_t i, T inverse) { z[i] = z[i] * inverse; });
    tile.template recur<V>(steps, [&](int64_t step, int64_t line, int c, Entry after) {
      const int64_t i = 32 * (steps - 1 - step) + line;
      if (step > 0) column(z[i], c) += multiplier[i + 32] * after;
      return column(z[i], c);
    });
  }

  /// x ≈ A⁻¹ b by `degree` sweeps, on scalars or packs V. With `from_zero`, x may be uninitialised. `other` is scratch;
  /// the two swap with each sweep.
  template <class V>
  void smooth(View<D, const V> b, Array<D, V>& x, Array<D, V>& other, int degree, bool from_zero) const {
    const auto begin = begin_.view();
    const auto ratio = ratio_.view(), inverse_pivot = inverse_pivot_.view();
    const SellView<D, T> rest{rest_, rest_value_.view()};
    const int64_t tiles = begin.size() - 1, scratch = 32 * longest_, scratch_bytes = scratch * (sizeof(V) + sizeof(T));
    for (int k = 1; k <= degree; ++k) {
      const T keep = k == 1 ? T(0) : static_cast<T>((2.0 * k - 3) / (2.0 * k + 1));
      const T factor = static_cast<T>((8.0 * k - 4) / ((2.0 * k + 1) * kSpectrum));
      const bool is_zero = from_zero && k == 1, was_zero = from_zero && k == 2;
      const View<D, const V> old = x.view();
      const auto out = other.view();  // holds what x was a step before
      D::for_each_tile(
          tiles, threads_per_tile(tiles), scratch_bytes, GRIDIRON_KERNEL(typename D::Tile & tile) {
            const int64_t slice = tile.index(), steps = begin[slice + 1] - begin[slice],
                          first = int64_t{32} * begin[slice];
            const View<D, V> z = tile.template shared<V>(scratch);
            const View<D, T> multiplier = tile.template shared<T>(scratch);
            if (is_zero)
              tile.each(
                  32 * steps,
                  [&](int64_t i) {
                    return Start<V>{b[first + i], ratio[first + i]};
                  },
                  [&](int64_t i, const Start<V>& row) {
                    z[i] = row.b;
                    multiplier[i] = row.ratio;
                  });
            else
              tile.each_product(
                  rest, begin[slice], begin[slice + 1], old,
                  [&](int64_t i) {
                    return Start<V>{b[i], ratio[i]};
                  },
                  [&](int64_t i, const V& sum, const Start<V>& row) {
                    z[i - first] = row.b - sum;
                    multiplier[i - first] = row.ratio;
                  });
            solve_lines<V>(tile, steps, multiplier, inverse_pivot, first, z);
            if (is_zero)
              tile.each(32 * steps, [&](int64_t i) { out[first + i] = factor * z[i]; });
            else
              tile.each(
                  32 * steps,
                  [&](int64_t i) {
                    return Moves<V>{old[first + i], keep != 0 && !was_zero ? out[first + i] : V{}};
                  },
                  [&](int64_t i, const Moves<V>& row) {
                    out[first + i] = row.from + keep * (row.from - row.before) + factor * (z[i] - row.from);
                  });
          });
      std::swap(x, other);
    }
  }

  /// What A x is at row i besides the product of differences() with x there.
  template <class V>
  struct AlongLines {
    View<D, const T> row_sum, link;
    View<D, const V> x;

    GRIDIRON_HOST_DEVICE V operator()(int64_t i) const {
      const V own = x[i];
      V sum = row_sum[i] * own;
      if (i >= 32) sum += link[i - 32] * (own - x[i - 32]);
      if (i + 32 < x.size()) sum += link[i] * (own - x[i + 32]);
      return sum;
    }
  };
  template <class V>
  AlongLines<V> along_lines(View<D, const V> x) const {
    return {row_sum_.view(), link_.view(), x};
  }
  SellView<D, T, true> differences() const { return {rest_, rest_value_.view()}; }

  /// r = b − A x
  template <class V>
  void residual(View<D, const V> b, const Array<D, V>& at, Array<D, V>& of) const {
    const auto x = at.view();
    const auto r = of.view();
    const AlongLines<V> along = along_lines<V>(x);
    D::for_each_product(
        differences(), x, GRIDIRON_KERNEL(int64_t i) { return b[i] - along(i); },
        GRIDIRON_KERNEL(int64_t i, const V& rest, const V& known) { r[i] = known - rest; });
  }

  int64_t bytes() const { return bytes_of(begin_, row_sum_, link_, ratio_, inverse_pivot_, rest_, rest_value_); }

  /// Bytes that the sweeps of smooth() move.
  double sweep_traffic(int degree, bool from_zero) const {
    const double n = ratio_.size(), full = rest_traffic() + 6 * n * sizeof(T);
    const double kept = degree > 1 ? (degree - 1 - from_zero) * n * sizeof(T) : 0.0;
    return degree * full + kept - (from_zero ? full - 4 * n * sizeof(T) : 0.0);
  }
  double residual_traffic() const { return rest_traffic() + 5.0 * ratio_.size() * sizeof(T); }
  double product_traffic() const { return residual_traffic(); }  ///< of product_and_dots() of one column

  // Public, as nvcc takes no kernels from constructors and private functions.

  /// T = L P Lᵀ along every line.
  void factor(const SellMatrix<D>& matrix) {
    const SellView<D, double> a = matrix.view();
    const auto own = matrix.diagonal.view();
    const View<D, const int32_t> begin = begin_.view();
    const auto row_sum = row_sum_.view(), link = link_.view(), ratio = ratio_.view(),
               inverse_pivot = inverse_pivot_.view();
    D::for_each(
        32 * (begin.size() - 1), GRIDIRON_KERNEL(int64_t line) {
          const int64_t slice = line / 32, end = int64_t{32} * begin[slice + 1];
          double pivot = 1, before = 0;  // of the row above, and its coupling to this one
          for (int64_t i = int64_t{32} * begin[slice] + line % 32; i < end; i += 32) {
            double after = 0, sum = own[i];
            for (const int64_t e : a.entries(i)) {
              if (a.col[e] == i + 32 && i + 32 < end) after -= a.value[e];
              if (a.col[e] != i) sum += a.value[e];
            }
            const double multiplier = before / pivot;
            pivot = own[i] - multiplier * before;
            row_sum[i] = static_cast<T>(sum);
            link[i] = static_cast<T>(after);
            ratio[i] = static_cast<T>(multiplier);
            inverse_pivot[i] = static_cast<T>(1 / pivot);
            before = after;
          }
        });
  }

  /// The pattern of N: the entries that are not links.
  void keep_rest(const SellMatrix<D>& matrix) {
    const int64_t n = matrix.rows();
    Array<D, int32_t> goes_on_array(n), length_array(n);
    find_links(matrix, goes_on_array.view(), length_array.view());
    rest_ = sell_pattern<D>(n, length_array.view());
    rest_.is_scattered = true;
    rest_value_ = Array<D, T>(rest_.col.size());
    const View<D, const int32_t> goes_on = goes_on_array.view();
    const SellPatternView<D> a(*matrix.pattern), rest(rest_);
    const auto col = rest_.col.view();
    const auto value = rest_value_.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) {
          int64_t others = 0;
          for (const int64_t e : a.entries(i)) {
            const int64_t j = a.col[e];
            const bool is_link = (j == i + 32 && goes_on[i]) || (j == i - 32 && goes_on[j]);
            if (j != i && !is_link) col[rest.entry(i, others++)] = a.col[e];
          }
          rest.for_each_padding(i, others, [&](int64_t e) { value[e] = 0; });
        });
  }

  /// Marks the rows whose lines continue, and counts the entries of each row that are not links.
  void find_links(const SellMatrix<D>& matrix, View<D, int32_t> goes_on, View<D, int32_t> others) const {
    const SellPatternView<D> a(*matrix.pattern);
    const auto begin = begin_.view();
    D::for_each(
        32 * (begin.size() - 1), GRIDIRON_KERNEL(int64_t line) {
          const int64_t slice = line / 32, end = int64_t{32} * begin[slice + 1];
          bool came = false;  // from the row above
          for (int64_t i = int64_t{32} * begin[slice] + line % 32; i < end; i += 32) {
            int32_t on = 0, back = 0, all = 0;
            for (const int64_t e : a.entries(i)) {
              const int64_t j = a.col[e];
              on += j == i + 32 && i + 32 < end;
              back += j == i - 32 && came;
              all += j != i;
            }
            goes_on[i] = came = on > 0;
            others[i] = all - on - back;
          }
        });
  }

  /// The values of N. Its entries are in the order of the matrix, with links skipped.
  void fill_rest(const SellMatrix<D>& matrix) {
    const SellView<D, double> a = matrix.view();
    const SellPatternView<D> rest(rest_);
    const auto value = rest_value_.view();
    D::for_each(
        matrix.rows(), GRIDIRON_KERNEL(int64_t i) {
          const SellRow row = rest.entries(i);
          auto to = row.begin();
          for (const int64_t e : a.entries(i)) {
            if (a.col[e] == i || !(to != row.end()) || rest.col[*to] != a.col[e]) continue;
            value[*to] = static_cast<T>(a.value[e]);
            ++to;
          }
        });
  }

 private:
  static constexpr double kSpectrum = 2;

  /// A block of few threads keeps fewer waiting while a warp runs along the lines, and many blocks fit on a GPU; where
  /// there are not that many, the threads of large ones share the loads.
  static constexpr int threads_per_tile(int64_t tiles) { return tiles < 4096 ? 256 : 64; }

  double rest_traffic() const { return static_cast<double>(rest_value_.size()) * (sizeof(T) + sizeof(int32_t)); }

  int64_t longest_ = 1;
  Array<D, int32_t> begin_;            ///< as in LineLayout
  Array<D, T> row_sum_;                ///< of A
  Array<D, T> link_;                   ///< of T: link[i] couples i and i + 32 with −link[i], 0 at the end of a line
  Array<D, T> ratio_, inverse_pivot_;  ///< T = L P Lᵀ with L = 1 − ratio below the diagonal
  SellPattern<D> rest_;
  Array<D, T> rest_value_;  ///< N
};

}  // namespace gridiron
