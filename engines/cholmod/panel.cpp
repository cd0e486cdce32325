// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/panel.hpp"

#include <algorithm>
#include <cmath>

#include "engines/cholmod/columns.hpp"
#include "linalg/blas.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using namespace blas;

/// Columns that are eliminated before the others are updated, columns of these that one thread takes, and rows.
constexpr int64_t kBlock = 128, kColumnsOfTask = 128, kRowsOfTask = 256;

/// Ties this weak are none: entries of engines are in the range of single precision, and solutions would leave that of
/// doubles.
constexpr double kLeastPivot = 1e-200;

int64_t factor_in_loops(double* x, int64_t columns, int64_t rows) {
  for (int64_t j = 0; j < columns; ++j) {
    double* const y = x + j * rows;
    subtract_product(y + j, rows - j, x + j, rows, x + j, j, rows);
    if (!(y[j] > 0)) return j;
    y[j] = std::sqrt(y[j]);
    const double inverse = 1 / y[j];
#pragma omp simd
    for (int64_t i = j + 1; i < rows; ++i) y[i] *= inverse;
  }
  return columns;
}

/// The columns before the first that dpotrf cannot eliminate.
int64_t factor_square(double* x, int64_t columns, int64_t stride) {
  const int n = static_cast<int>(columns), lda = static_cast<int>(stride);
  int info = 0;
  dpotrf_("L", &n, x, &lda, &info);
  return info > 0 ? info - 1 : columns;
}

/// Rows of X := X L⁻ᵀ.
void solve_rows(const double* l, int64_t columns, double* x, int64_t rows, int64_t stride) {
  const int m = static_cast<int>(rows), n = static_cast<int>(columns), ld = static_cast<int>(stride);
  if (m > 0) dtrsm_("R", "L", "T", "N", &m, &n, &kOne, l, &ld, x, &ld);
}

}  // namespace

int64_t factor_panel(double* x, int64_t columns, int64_t rows) {
  if (columns * columns * rows < kFewMultiplications) return factor_in_loops(x, columns, rows);
  const int64_t factored = factor_square(x, columns, rows);
  if (factored == columns) solve_rows(x, columns, x + columns, rows - columns, rows);
  return factored;
}

int64_t factor_panel_by_sums(double* x, int64_t columns, int64_t rows, double* z) {
  for (int64_t j = 0; j < columns; ++j) {
    double* const y = x + j * rows;
    subtract_product(y + j + 1, rows - j - 1, x + j + 1, rows, x + j, j, rows);
    subtract_product(z + j, 1, x + j, rows, z, j, 1);
    double pivot = z[j];
    for (int64_t i = j + 1; i < rows; ++i) pivot -= y[i];
    if (!(pivot > kLeastPivot)) return j;
    y[j] = std::sqrt(pivot);
    const double inverse = 1 / y[j];
#pragma omp simd
    for (int64_t i = j + 1; i < rows; ++i) y[i] *= inverse;
    z[j] *= inverse;
  }
  return columns;
}

int64_t factor_panel_in_parallel(double* x, int64_t columns, int64_t rows) {
  for (int64_t first = 0; first < columns; first += kBlock) {
    const int64_t width = std::min(kBlock, columns - first), next = first + width;
    double* const block = x + first * rows;
    if (const int64_t factored = factor_square(block + first, width, rows); factored < width) return first + factored;
    parallel_ranges(
        rows - next,
        [&](int64_t begin, int64_t end) { solve_rows(block + first, width, block + next + begin, end - begin, rows); },
        kRowsOfTask);
    parallel_ranges(
        columns - next,
        [&](int64_t begin, int64_t end) {
          const int64_t top = next + begin;
          const int m = static_cast<int>(rows - top), n = static_cast<int>(end - begin), k = static_cast<int>(width),
                    ld = static_cast<int>(rows);
          dgemm_("N", "T", &m, &n, &k, &kMinusOne, block + top, &ld, block + top, &ld, &kOne, x + top * rows + top,
                 &ld);
        },
        kColumnsOfTask);
  }
  return columns;
}

void multiply_by_top(const double* x, int64_t height, int64_t width, int64_t inner, int64_t stride, double* c) {
  const int n = static_cast<int>(width), below = static_cast<int>(height - width), k = static_cast<int>(inner),
            ldx = static_cast<int>(stride), ldc = static_cast<int>(height);
  dsyrk_("L", "N", &n, &k, &kOne, x, &ldx, &kZero, c, &ldc);
  if (below > 0) dgemm_("N", "T", &below, &n, &k, &kOne, x + width, &ldx, x, &ldx, &kZero, c + width, &ldc);
}

}  // namespace gridiron
