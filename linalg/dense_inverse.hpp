// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "linalg/gauss_jordan.hpp"
#include "linalg/sell.hpp"

namespace gridiron {

/// A⁻¹ of a small dense matrix, row after row, by LAPACK. Errors: SolverError in the name of `engine` when singular.
std::vector<double> invert(int64_t n, std::vector<double> a, std::string_view engine);

/// The inverse of a symmetric M-matrix whose rows sum to `row_sums`, none of them negative; `a` has its couplings, and
/// its diagonal is not read. No entry is a difference: all have relative errors of rounding, however weak couplings are
/// (A. S. Alfa, J. Xue, Q. Ye, Math. Comp. 71, 2002). Errors: as of invert().
std::vector<double> invert_by_sums(int64_t n, std::vector<double> a, std::vector<double> row_sums,
                                   std::string_view engine);

/// The coarsest grid solved by a product with its inverse: all work stays on the device. Inverted by LAPACK on the CPU,
/// and on a GPU where elimination without pivoting fails.
template <class D, class T>
class DenseInverse {
 public:
  /// D⁻¹A, its couplings and D; row sums of A replace the diagonal of D⁻¹A, where they would be lost in T.
  struct Matrix {
    SellView<D, T> couplings;
    View<D, const T> diagonal;
    View<D, const double> row_sum;
  };

  DenseInverse() = default;
  explicit DenseInverse(int64_t rows) : rows_(rows), inverse_(rows * rows) {}

  /// Enqueues the elimination.
  void begin(const Matrix& a) {
    if (D::shares_host_memory) return;
    Array<D, double> entries = dense(a);
    product_ = invert_on_device(entries);
    take(entries);
  }
  /// Call when begin() has been called in the current queue or one that it waits for. Errors: SolverError in the name
  /// of `engine` for a singular matrix.
  void finish(const Matrix& a, std::string_view engine) {
    if (D::shares_host_memory || !is_one(product_)) take(Array<D, double>(invert(rows_, dense(a).to_host(), engine)));
    product_ = {};
  }

  bool empty() const { return rows_ == 0; }
  int64_t bytes() const { return inverse_.bytes(); }

  /// Row after row.
  static Array<D, double> dense(const Matrix& matrix) {
    const SellView<D, T> a = matrix.couplings;
    const View<D, const T> diagonal = matrix.diagonal;
    const View<D, const double> row_sum = matrix.row_sum;
    const int64_t n = a.rows;
    Array<D, double> entries(n * n);
    const auto out = entries.view();
    fill<D, double>(out, 0.0);
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) {
          double own = diagonal[i] != 0 ? row_sum[i] / static_cast<double>(diagonal[i]) : 1.0;
          for (const int64_t e : a.entries(i)) {
            out[i * n + a.col[e]] += static_cast<double>(a.value[e]);
            own -= static_cast<double>(a.value[e]);
          }
          out[i * n + i] += own;
        });
    return entries;
  }

  /// A ← A⁻¹. Returns A⁻¹ (A 1), which is_one() unless this lost accuracy.
  static Array<D, double> invert_on_device(Array<D, double>& a) {
    const int64_t n = std::llround(std::sqrt(a.size()));
    const auto entries = a.view();
    Array<D, double> one_array(n), sum_array(n);
    const auto one = one_array.view(), sum = sum_array.view();
    fill<D, double>(one, 1.0);
    D::dense_product(entries, one, sum);
    gauss_jordan::invert<D>(n, entries);
    D::dense_product(entries, sum, one);
    return one_array;
  }
  static bool is_one(const Array<D, double>& product) {
    const auto one = product.view();
    const double error = D::max(
        one.size(), GRIDIRON_KERNEL(int64_t i) { return one[i] < 1 ? 1 - one[i] : one[i] - 1; });
    return error < kLargestError;
  }

  void take(const Array<D, double>& entries) { round_to<D, T>(entries.view(), inverse_); }

  /// x = A⁻¹ b
  template <class Entry>
  void solve(View<D, const Entry> b, View<D, Entry> x) const {
    D::dense_product(inverse_.view(), b, x);
  }

 private:
  static constexpr double kLargestError = 1e-6;  ///< of A⁻¹ A 1, each entry of which is one

  int64_t rows_ = 0;
  Array<D, T> inverse_;
  Array<D, double> product_;  ///< of the elimination, until it is judged
};

}  // namespace gridiron
