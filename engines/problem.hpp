// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron {

/// Compressed sparse rows; columns ascend within a row; a symmetric matrix is stored whole.
struct CsrMatrix {
  std::int64_t rows = 0;
  std::vector<std::int64_t> row_ptr;  ///< rows + 1
  std::vector<std::int32_t> col;
  std::vector<double> value;

  std::int64_t nonzeros() const { return row_ptr.empty() ? 0 : row_ptr.back(); }
};

/// y = A x.
void multiply(const CsrMatrix& a, const double* x, double* y);

/// The problem is a power grid: unknown i is node i of `network` and lies at entry i of `geometry`. Fixed potentials
/// and loads are already folded into pads, injections, matrix and right-hand side.
struct PowerGrid {
  const MergedNetwork* network = nullptr;
  Geometry geometry;
};

/// What some engines exploit beside the matrix.
using Structure = std::variant<std::monostate, PowerGrid>;

/// What an engine is given: the matrix always, and where it came from when that helps.
struct Problem {
  CsrMatrix matrix;
  bool symmetric_positive_definite = true;
  Structure structure;
};

}  // namespace gridiron
