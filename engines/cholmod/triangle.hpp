// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cholmod.h>

#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// The lower triangle of a symmetric matrix by rows, which CHOLMOD takes as the upper triangle by columns, the form
/// that it permutes fastest.
class Triangle {
 public:
  explicit Triangle(const CsrMatrix& a) : start_(a.rows + 1) {
    row_.reserve((a.nonzeros() + a.rows) / 2 + 1);  // CHOLMOD needs an array even for no entries
    value_.reserve(row_.capacity());
    for (int64_t row = 0; row < a.rows; ++row) {
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1] && a.col[k] <= row; ++k) {
        row_.push_back(a.col[k]);
        value_.push_back(a.value[k]);
      }
      start_[row + 1] = static_cast<SuiteSparse_long>(row_.size());
    }
  }

  /// Valid as long as this object.
  cholmod_sparse view() {
    cholmod_sparse a{};
    a.nrow = a.ncol = start_.size() - 1;
    a.nzmax = row_.size();
    a.p = start_.data();
    a.i = row_.data();
    a.x = value_.data();
    a.stype = 1;
    a.itype = CHOLMOD_LONG;
    a.xtype = CHOLMOD_REAL;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = a.packed = 1;
    return a;
  }

 private:
  std::vector<SuiteSparse_long> start_, row_;
  std::vector<double> value_;
};

}  // namespace gridiron
