// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/linalg/csr.hpp"

namespace gridiron::aggamg {

/// A⁻¹ of a small dense matrix, row after row, by LAPACK. Errors: SolverError when singular.
std::vector<double> invert(std::int64_t n, std::vector<double> a);

/// The coarsest grid solved by a product with its inverse: all work stays on the device.
template <class D, class T>
class DenseInverse {
 public:
  DenseInverse() = default;
  explicit DenseInverse(const DeviceCsr<D, T>& matrix) : n_(matrix.rows) {
    const std::vector<std::int64_t> row_ptr = matrix.row_ptr.to_host();
    const std::vector<std::int32_t> col = matrix.col.to_host();
    const std::vector<T> value = matrix.value.to_host();
    std::vector<double> dense(static_cast<std::size_t>(n_ * n_), 0.0);
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k)
        dense[i * n_ + col[k]] += static_cast<double>(value[k]);
    const std::vector<double> inverse = invert(n_, std::move(dense));
    inverse_ = Array<D, T>(std::vector<T>(inverse.begin(), inverse.end()));
  }

  bool empty() const { return n_ == 0; }
  std::int64_t bytes() const { return inverse_.bytes(); }

  /// x = A⁻¹ b
  void solve(View<D, const T> b, View<D, T> x) const {
    const View<D, const T> inverse = inverse_.view();
    const std::int64_t n = n_;
    D::for_each_row(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          T sum = 0;
          for (std::int64_t j = 0; j < n; ++j) sum += inverse[i * n + j] * b[j];
          x[i] = sum;
        });
  }

 private:
  std::int64_t n_ = 0;
  Array<D, T> inverse_;
};

}  // namespace gridiron::aggamg
