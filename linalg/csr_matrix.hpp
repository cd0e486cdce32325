// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gridiron {

/// Compressed sparse rows; columns ascend within a row; both triangles of a symmetric matrix are stored.
struct CsrMatrix {
  int64_t rows = 0;
  std::vector<int64_t> row_ptr;  ///< rows + 1
  std::vector<int32_t> col;
  std::vector<double> value;

  int64_t nonzeros() const { return row_ptr.empty() ? 0 : row_ptr.back(); }
};

/// y = A x.
void multiply(const CsrMatrix& a, const double* x, double* y);

}  // namespace gridiron
