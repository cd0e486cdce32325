// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// A host matrix as kernels see it.
template <class D>
struct CsrView {
  int64_t rows = 0;
  View<D, const int64_t> row_ptr;
  View<D, const int32_t> col;
  View<D, const double> value;

  /// f(column, value) for the entries of a row, in their order.
  template <class F>
  GRIDIRON_HOST_DEVICE void for_each_entry(int64_t i, F f) const {
    for (int64_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k) f(col[k], value[k]);
  }
};

/// A copy of a host matrix on device D; must not outlive it.
template <class D>
class CsrOn {
 public:
  explicit CsrOn(const CsrMatrix& host)
      : rows_(host.rows), row_ptr_(host.row_ptr), col_(host.col), value_(host.value) {}
  CsrView<D> view() const { return {rows_, row_ptr_.view(), col_.view(), value_.view()}; }

 private:
  int64_t rows_;
  Upload<D, int64_t> row_ptr_;
  Upload<D, int32_t> col_;
  Upload<D, double> value_;
};

}  // namespace gridiron
