// SPDX-License-Identifier: Apache-2.0
#include "linalg/csr_matrix.hpp"

namespace gridiron {
namespace {

constexpr int64_t kRowsWorthThreads = 10'000;

}  // namespace

void multiply(const CsrMatrix& a, const double* x, double* y) {
#pragma omp parallel for schedule(static) if (a.rows > kRowsWorthThreads)
  for (int64_t row = 0; row < a.rows; ++row) {
    double sum = 0;
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) sum += a.value[k] * x[a.col[k]];
    y[row] = sum;
  }
}

}  // namespace gridiron
