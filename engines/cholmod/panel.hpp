// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridiron {

// Dense columns of a supernode, stored one after the other with all their rows.

/// Multiplications below which loops take less time than BLAS, of which all calls share a lock: with 2^13 to 2^15 a
/// million unknowns in the plane are factored by two threads in 0.5 to 0.6 times the time that they take without loops.
constexpr int64_t kFewMultiplications = 1 << 14;

/// Replaces the square on top of the columns by its Cholesky factor L, and what is below by its product with L⁻ᵀ. Reads
/// nothing above the diagonal. Returns the first column without a positive pivot, or `columns` if there is none.
int64_t factor_panel(double* x, int64_t columns, int64_t rows);

/// The same for an M-matrix, by sums instead of differences: `z` has, per column, the sum of its row after what other
/// supernodes passed on to it, and then its entry of L⁻¹ A 1. What is on the diagonal is not read.
int64_t factor_panel_by_sums(double* x, int64_t columns, int64_t rows, double* z);

/// What factor_panel() does, by blocks of columns on all threads. The last bits differ from those of factor_panel(),
/// but not with the number of threads.
int64_t factor_panel_in_parallel(double* x, int64_t columns, int64_t rows);

/// C = X Yᵀ on and below its diagonal, with Y the first `width` rows of X; C is height × width and X height × inner,
/// `stride` values from column to column.
void multiply_by_top(const double* x, int64_t height, int64_t width, int64_t inner, int64_t stride, double* c);

}  // namespace gridiron
