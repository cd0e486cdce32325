// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridiron {

// Few columns X of few rows each, stored by columns `stride` values apart: loops, as BLAS takes longer to be called.

/// y −= X c, the entries of c being `step` values apart.
inline void subtract_product(double* y, std::int64_t rows, const double* x, std::int64_t stride, const double* c,
                             std::int64_t columns, std::int64_t step) {
  std::int64_t k = 0;
  for (; k + 4 <= columns; k += 4, x += 4 * stride, c += 4 * step) {
    const double c0 = c[0], c1 = c[step], c2 = c[2 * step], c3 = c[3 * step];
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
#pragma omp simd
    for (std::int64_t i = 0; i < rows; ++i) y[i] -= c0 * x[i] + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
  }
  for (; k < columns; ++k, x += stride, c += step) {
    const double c0 = c[0];
#pragma omp simd
    for (std::int64_t i = 0; i < rows; ++i) y[i] -= c0 * x[i];
  }
}

/// c −= Xᵀ y.
inline void subtract_products(double* c, const double* x, std::int64_t stride, std::int64_t columns, const double* y,
                              std::int64_t rows) {
  std::int64_t k = 0;
  for (; k + 4 <= columns; k += 4, x += 4 * stride) {
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (std::int64_t i = 0; i < rows; ++i) {
      s0 += x[i] * y[i];
      s1 += x1[i] * y[i];
      s2 += x2[i] * y[i];
      s3 += x3[i] * y[i];
    }
    c[k] -= s0;
    c[k + 1] -= s1;
    c[k + 2] -= s2;
    c[k + 3] -= s3;
  }
  for (; k < columns; ++k, x += stride) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < rows; ++i) sum += x[i] * y[i];
    c[k] -= sum;
  }
}

}  // namespace gridiron
