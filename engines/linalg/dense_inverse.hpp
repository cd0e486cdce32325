// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

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
  /// would be lost in T.
  DenseInverse(const SellView<D, T>& a, View<D, const T> diagonal, View<D, const double> row_sum,
               std::string_view engine)
      : rows_(a.rows) {
    const std::vector<double> inverse = invert(rows_, dense(a, diagonal, row_sum), engine);
    inverse_ = Array<D, T>(std::vector<T>(inverse.begin(), inverse.end()));
  }

  bool empty() const { return rows_ == 0; }
  std::int64_t bytes() const { return inverse_.bytes(); }

  /// D⁻¹A, row after row.
  static std::vector<double> dense(const SellView<D, T>& a, View<D, const T> diagonal, View<D, const double> row_sum) {
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
    return entries.to_host();
  }

  /// x = A⁻¹ b
  template <class Entry>
  void solve(View<D, const Entry> b, View<D, Entry> x) const {
    D::dense_product(inverse_.view(), b, x);
  }

 private:
  std::int64_t rows_ = 0;
  Array<D, T> inverse_;
};

}  // namespace gridiron
