// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/linalg/gauss_jordan.hpp"
#include "engines/linalg/sell.hpp"

namespace gridiron {

/// A⁻¹ of a small dense matrix, row after row, by LAPACK. Errors: SolverError in the name of `engine` when singular.
std::vector<double> invert(std::int64_t n, std::vector<double> a, std::string_view engine);

/// The coarsest grid solved by a product with its inverse: all work stays on the device.
template <class D, class T>
class DenseInverse {
 public:
  DenseInverse() = default;
  /// The matrix is D⁻¹A, without its diagonal; `diagonal` is D, and row sums of A replace that of D⁻¹A, where they
  /// would be lost in T. Inverted by LAPACK on the CPU, and on a GPU where elimination without pivoting fails.
  DenseInverse(const SellView<D, T>& a, View<D, const T> diagonal, View<D, const double> row_sum,
               std::string_view engine)
      : rows_(a.rows) {
    Array<D, double> entries = dense(a, diagonal, row_sum);
    if (D::shares_host_memory || !invert_on_device(entries))
      entries = Array<D, double>(invert(rows_, dense(a, diagonal, row_sum).to_host(), engine));
    inverse_ = Array<D, T>(entries.size());
    convert(std::as_const(entries).view(), inverse_.view());
  }

  bool empty() const { return rows_ == 0; }
  std::int64_t bytes() const { return inverse_.bytes(); }

  /// D⁻¹A, row after row.
  static Array<D, double> dense(const SellView<D, T>& a, View<D, const T> diagonal, View<D, const double> row_sum) {
    const std::int64_t n = a.rows;
    Array<D, double> entries(n * n);
    const View<D, double> out = entries.view();
    fill<D, double>(out, 0.0);
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          double own = diagonal[i] != 0 ? row_sum[i] / static_cast<double>(diagonal[i]) : 1.0;
          for (const std::int64_t e : a.entries(i)) {
            out[i * n + a.col[e]] += static_cast<double>(a.value[e]);
            own -= static_cast<double>(a.value[e]);
          }
          out[i * n + i] += own;
        });
    return entries;
  }

  /// A ← A⁻¹, unless A⁻¹ (A 1) shows that this lost accuracy.
  static bool invert_on_device(Array<D, double>& a) {
    const auto n = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(a.size()))));
    const View<D, double> entries = a.view();
    Array<D, double> one_array(n), sum_array(n);
    const View<D, double> one = one_array.view(), sum = sum_array.view();
    fill<D, double>(one, 1.0);
    D::dense_product(View<D, const double>(entries), View<D, const double>(one), sum);
    gauss_jordan::invert<D>(n, entries);
    D::dense_product(View<D, const double>(entries), View<D, const double>(sum), one);
    const double error = D::max(
        n, GRIDIRON_KERNEL(std::int64_t i) { return one[i] < 1 ? 1 - one[i] : one[i] - 1; });
    return error < kLargestError;
  }

  static void convert(View<D, const double> from, View<D, T> to) {
    D::for_each(
        from.size(), GRIDIRON_KERNEL(std::int64_t i) { to[i] = static_cast<T>(from[i]); });
  }

  /// x = A⁻¹ b
  template <class Entry>
  void solve(View<D, const Entry> b, View<D, Entry> x) const {
    D::dense_product(inverse_.view(), b, x);
  }

 private:
  static constexpr double kLargestError = 1e-6;  ///< of A⁻¹ A 1, each entry of which is one

  std::int64_t rows_ = 0;
  Array<D, T> inverse_;
};

}  // namespace gridiron
