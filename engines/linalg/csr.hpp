// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/device/device.hpp"
#include "engines/problem.hpp"

namespace gridiron {

/// What kernels see of a sparse matrix.
template <class D, class T>
struct CsrView {
  std::int64_t rows;
  View<D, const std::int64_t> row_ptr;
  View<D, const std::int32_t> col;
  View<D, const T> value;
};

/// Compressed sparse rows in device memory; values in fp64 or fp32.
template <class D, class T>
struct DeviceCsr {
  std::int64_t rows = 0;
  Array<D, std::int64_t> row_ptr;
  Array<D, std::int32_t> col;
  Array<D, T> value;

  DeviceCsr() = default;
  explicit DeviceCsr(const CsrMatrix& host)
      : rows(host.rows), row_ptr(host.row_ptr), col(host.col), value(host.nonzeros()) {
    copy_values(host);
  }

  void copy_values(const CsrMatrix& host) {
    if constexpr (std::is_same_v<T, double>) {
      value.copy_from(host.value);
    } else {
      const std::vector<T> narrowed(host.value.begin(), host.value.end());
      value.copy_from(narrowed);
    }
  }

  std::int64_t nonzeros() const { return col.size(); }
  std::int64_t bytes() const { return row_ptr.bytes() + col.bytes() + value.bytes(); }
  CsrView<D, T> view() const { return {rows, row_ptr.view(), col.view(), value.view()}; }
};

/// Entry i of A x in the precision X of the vector, summed in the order of the row.
template <class D, class T, class X>
GRIDIRON_HOST_DEVICE X row_product(const CsrView<D, T>& a, std::int64_t i, View<D, const X> x) {
  X sum = 0;
  for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) sum += static_cast<X>(a.value[k]) * x[a.col[k]];
  return sum;
}

}  // namespace gridiron
