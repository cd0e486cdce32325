// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gridiron::psc {

/// In errors.
inline constexpr const char* kCellMatrix = "the matrix of a cell";

// Dense matrices on the host in fp64, column after column. Work is divided by size alone, so results have the same bits
// on any number of threads.

/// A ← A⁻¹ for a symmetric positive definite n × n matrix, of which the lower triangle is read; both are written. By
/// blocks, on all threads: n³ multiplications. Errors: SolverError that names `what` if it is not positive definite.
void invert_spd(int64_t n, double* a, const std::string& what);

/// A ← its Cholesky factor L in the lower triangle; the upper one is set to 0. Errors: the same.
void factor_spd(int64_t n, double* a, const std::string& what);

/// L ← L⁻¹ for a lower triangular matrix.
void invert_lower(int64_t n, double* l);

/// Throws the SolverError of a matrix that is not positive definite.
[[noreturn]] void throw_not_definite(const std::string& what);

/// C += alpha op(A) op(B), of m × k and k × n.
struct Product {
  int64_t m, n, k;
  bool transpose_a = false, transpose_b = false;
};
void add_product(const Product& shape, double alpha, const double* a, int64_t lda, const double* b, int64_t ldb,
                 double* c, int64_t ldc);

/// Least and largest eigenvalue of a symmetric operator y = A x of size n, by Lanczos iteration from a fixed start with
/// full reorthogonalisation until both have changed by less than 1e-7 of themselves
/// ten times, or for at most so many steps.
struct Extremes {
  double least = 0, largest = 0;
};
Extremes extreme_eigenvalues(int64_t n, const std::function<void(const double* x, double* y)>& apply,
                             int most_steps = 500);

}  // namespace gridiron::psc
