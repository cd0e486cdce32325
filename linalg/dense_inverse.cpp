// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_inverse.hpp"

#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/error_text.hpp"

namespace gridiron {

std::vector<double> invert(int64_t n, std::vector<double> a, std::string_view engine) {
  if (n == 0) return a;
  const OneThread one_thread;  // the same bits on any number of threads
  const int size = static_cast<int>(n), work_size = 64 * size;
  std::vector<int> pivots(n);
  std::vector<double> work(work_size);
  int info = 0;
  dgetrf_(&size, &size, a.data(), &size, pivots.data(), &info);
  if (info == 0) dgetri_(&size, a.data(), &size, pivots.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw solver_error(
        "{}: the matrix of the coarsest grid is singular; is part of the system not tied to any fixed value?", engine);
  return a;  // LAPACK reads columns where we wrote rows: the inverse of the transpose, transposed again
}

}  // namespace gridiron
