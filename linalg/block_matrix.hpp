// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "device/column_reductions.hpp"
#include "device/device.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

struct ResidualNorms {
  std::vector<double> norm, largest;  ///< ‖r‖₂ and max |r| per column
};

/// A sparse matrix in fp64 on device D for blocks of columns, which lie column after column.
template <class D>
class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const CsrMatrix& a) : rows_(a.rows), begin_(a.row_ptr), column_(a.col), value_(a.value) {}

  int64_t rows() const { return rows_; }
  int64_t bytes() const { return bytes_of(begin_, column_, value_); }
  View<D, const int32_t> column() const { return column_.view(); }
  View<D, const double> value() const { return value_.view(); }

  /// New values in the same pattern.
  void copy_values(const CsrMatrix& a) { value_.copy_from(a.value); }

  /// R = B − A X.
  ResidualNorms residual(View<D, const double> b, View<D, const double> x, View<D, double> r, int64_t k) const {
    subtract_product(b, x, r, k);
    return {norms(r, k), maxima(r, k)};
  }

  /// ‖x‖₂ of each column; terms are scaled, so that no number is too small or too large.
  std::vector<double> norms(View<D, const double> x, int64_t k) const {
    const std::vector<double> largest = maxima(x, k);
    std::vector<double> scale;
    for (const double most : largest)
      scale.push_back(most > 0 && std::isfinite(most) ? std::ldexp(1.0, -std::ilogb(most)) : 1);
    const Array<D, double> scale_array(scale);
    std::vector<double> norm = squares(x, scale_array.view(), k);
    for (int64_t j = 0; j < k; ++j) norm[j] = std::sqrt(norm[j]) / scale[j];
    return norm;
  }

  /// x_j += factor_j y_j.
  void add_columns(const std::vector<double>& factor, View<D, const double> y, View<D, double> x) const {
    const Array<D, double> factors(factor);
    add(factors.view(), y, x);
  }

  // Public, as nvcc takes no kernels from private functions.

  void add(View<D, const double> factor, View<D, const double> y, View<D, double> x) const {
    const int64_t rows = rows_;
    D::for_each_line(
        factor.size(), rows, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
          if (const double f = factor[j]; f != 0) x[j * rows + i] += f * y[j * rows + i];
        });
  }
  void subtract_product(View<D, const double> b, View<D, const double> x, View<D, double> r, int64_t k) const {
    const auto begin = begin_.view();
    const auto column = column_.view();
    const auto value = value_.view();
    constexpr int kTogether = 8;
    const int64_t rows = rows_, packs = (k + kTogether - 1) / kTogether;
    D::for_each_line(
        packs, rows, GRIDIRON_KERNEL(int64_t pack) { return pack * kTogether; },
        GRIDIRON_KERNEL(int64_t first, int64_t i) {
          const int64_t count = k - first < kTogether ? k - first : kTogether;
          double sum[kTogether] = {};
          for (int c = 0; c < kTogether; ++c)
            if (c < count) sum[c] = b[(first + c) * rows + i];
          for (int64_t e = begin[i]; e < begin[i + 1]; ++e) {
            const double entry = value[e];
            const int64_t at = first * rows + column[e];
            for (int c = 0; c < kTogether; ++c)
              if (c < count) sum[c] -= entry * x[at + c * rows];
          }
          for (int c = 0; c < kTogether; ++c)
            if (c < count) r[(first + c) * rows + i] = sum[c];
        });
  }
  std::vector<double> maxima(View<D, const double> x, int64_t k) const {
    const int64_t rows = rows_;
    return reduced<Largest>(
        k, GRIDIRON_KERNEL(int64_t i, int64_t j) { return std::abs(x[j * rows + i]); });
  }
  std::vector<double> squares(View<D, const double> x, View<D, const double> scale, int64_t k) const {
    const int64_t rows = rows_;
    return reduced<Total>(
        k, GRIDIRON_KERNEL(int64_t i, int64_t j) {
          const double scaled = x[j * rows + i] * scale[j];
          return scaled * scaled;
        });
  }
  template <class Reduction, class Term>
  std::vector<double> reduced(int64_t k, Term term) const {
    Array<D, double> partial(k * reduction_chunks(rows_)), of_column(k);
    const auto out = of_column.view();
    reduce_columns<D, Reduction>(
        rows_, k, partial.view(), term, GRIDIRON_KERNEL(int64_t j, double value) { out[j] = value; });
    return of_column.to_host();
  }

 private:
  int64_t rows_ = 0;
  Array<D, int64_t> begin_;
  Array<D, int32_t> column_;
  Array<D, double> value_;
};

}  // namespace gridiron
