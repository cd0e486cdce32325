// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace gridiron {

// Products with few columns of few rows, for which a call of BLAS takes longer: X is stored by columns, `stride` values
// apart; y and c have W values for each of its rows and columns.

/// y −= X c.
template <int W>
void subtract_product(double* y, int64_t rows, const double* x, int64_t stride, const double* c, int64_t columns) {
  constexpr int64_t kColumnsAtOnce = 32;  // a cache line each
  for (; columns > 0; columns -= kColumnsAtOnce, x += kColumnsAtOnce * stride, c += kColumnsAtOnce * W) {
    const int64_t end = std::min(columns, kColumnsAtOnce);
    for (int64_t i = 0; i < rows; ++i) {
      double sum[W];
      std::copy_n(y + i * W, W, sum);
      for (int64_t j = 0; j < end; ++j)
        for (int w = 0; w < W; ++w) sum[w] -= x[j * stride + i] * c[j * W + w];
      std::copy_n(sum, W, y + i * W);
    }
  }
}

/// subtract_product() for one vector, the entries of c being `step` values apart.
inline void subtract_product(double* y, int64_t rows, const double* x, int64_t stride, const double* c, int64_t columns,
                             int64_t step) {
  int64_t k = 0;
  for (; k + 4 <= columns; k += 4, x += 4 * stride, c += 4 * step) {
    const double c0 = c[0], c1 = c[step], c2 = c[2 * step], c3 = c[3 * step];
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
#pragma omp simd
    for (int64_t i = 0; i < rows; ++i) y[i] -= c0 * x[i] + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
  }
  for (; k < columns; ++k, x += stride, c += step) {
    const double c0 = c[0];
#pragma omp simd
    for (int64_t i = 0; i < rows; ++i) y[i] -= c0 * x[i];
  }
}
template <>
inline void subtract_product<1>(double* y, int64_t rows, const double* x, int64_t stride, const double* c,
                                int64_t columns) {
  subtract_product(y, rows, x, stride, c, columns, 1);
}

/// c −= Xᵀ y.
template <int W>
void subtract_transposed_product(double* c, const double* x, int64_t stride, int64_t columns, const double* y,
                                 int64_t rows) {
  for (int64_t j = 0; j < columns; ++j, x += stride, c += W) {
    double sum[W] = {};
    for (int64_t i = 0; i < rows; ++i)
      for (int w = 0; w < W; ++w) sum[w] += x[i] * y[i * W + w];
    for (int w = 0; w < W; ++w) c[w] -= sum[w];
  }
}
template <>
inline void subtract_transposed_product<1>(double* c, const double* x, int64_t stride, int64_t columns, const double* y,
                                           int64_t rows) {
  int64_t j = 0;
  for (; j + 4 <= columns; j += 4, x += 4 * stride) {
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (int64_t i = 0; i < rows; ++i) {
      s0 += x[i] * y[i];
      s1 += x1[i] * y[i];
      s2 += x2[i] * y[i];
      s3 += x3[i] * y[i];
    }
    c[j] -= s0;
    c[j + 1] -= s1;
    c[j + 2] -= s2;
    c[j + 3] -= s3;
  }
  for (; j < columns; ++j, x += stride) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < rows; ++i) sum += x[i] * y[i];
    c[j] -= sum;
  }
}

}  // namespace gridiron
