// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_inverse.hpp"

#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

SolverError singular(std::string_view engine) {
  return solver_error(
      "{}: the matrix of the coarsest grid is singular; is part of the system not tied to any fixed value?", engine);
}

}  // namespace

std::vector<double> invert(int64_t n, std::vector<double> a, std::string_view engine) {
  if (n == 0) return a;
  const OneThread one_thread;  // the same bits on any number of threads
  const int size = static_cast<int>(n), work_size = 64 * size;
  std::vector<int> pivots(n);
  std::vector<double> work(work_size);
  int info = 0;
  dgetrf_(&size, &size, a.data(), &size, pivots.data(), &info);
  if (info == 0) dgetri_(&size, a.data(), &size, pivots.data(), work.data(), &work_size, &info);
  if (info != 0) throw singular(engine);
  return a;  // LAPACK reads columns where we wrote rows: the inverse of the transpose, transposed again
}

std::vector<double> invert_by_sums(int64_t n, std::vector<double> a, std::vector<double> row_sums,
                                   std::string_view engine) {
  std::vector<double> pivot(n);
  for (int64_t k = 0; k < n; ++k) {  // A = L D Lᵀ; below the diagonal a comes to hold L
    pivot[k] = row_sums[k];
    for (int64_t i = k + 1; i < n; ++i) pivot[k] -= a[i * n + k];
    if (!(pivot[k] > 0)) throw singular(engine);
    for (int64_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / pivot[k];
      row_sums[i] -= factor * row_sums[k];
      for (int64_t j = k + 1; j < i; ++j) a[i * n + j] -= factor * a[j * n + k];
    }
    for (int64_t i = k + 1; i < n; ++i) a[i * n + k] /= pivot[k];
  }
  std::vector<double> inverse(n * n, 0.0);
  for (int64_t c = 0; c < n; ++c) {
    double* const x = inverse.data() + c * n;  // column c, which is row c
    x[c] = 1;
    for (int64_t k = c; k < n; ++k)
      for (int64_t i = k + 1; i < n; ++i) x[i] -= a[i * n + k] * x[k];
    for (int64_t k = n - 1; k >= 0; --k) {
      x[k] /= pivot[k];
      for (int64_t i = k + 1; i < n; ++i) x[k] -= a[i * n + k] * x[i];
    }
  }
  return inverse;
}

}  // namespace gridiron
