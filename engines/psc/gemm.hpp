// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"
#include "engines/psc/short_floats.hpp"

namespace gridiron::psc {

/// C = alpha op(A) B + beta C with op(A) of m × k, for `batch` matrices that are strides apart. Column after column.
struct GemmShape {
  int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false;
  int64_t lda = 0, ldb = 0, ldc = 0;
  int64_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;

  bool is_empty() const { return m <= 0 || n <= 0 || batch <= 0; }
};

/// Dense products on device D: operands in T, sums in Sum<T>. This form is the definition, as plain loops; CpuDevice
/// (gemm_cpu.hpp) and CudaDevice (gemm_cuda.cuh) have fast ones. Views begin at the first matrix.
template <class D>
class Gemm {
 public:
  template <class T>
  void operator()(const GemmShape& s, double alpha, View<D, const T> a, View<D, const T> b, double beta,
                  View<D, Sum<T>> c) {
    if (s.is_empty()) return;
    D::for_each(
        s.batch * s.m * s.n, GRIDIRON_KERNEL(int64_t at) {
          const int64_t i = at % s.m, j = at / s.m % s.n, g = at / (s.m * s.n);
          Sum<T> sum = 0;
          for (int64_t p = 0; p < s.k; ++p) {
            const int64_t of_a = g * s.stride_a + (s.transpose_a ? i * s.lda + p : p * s.lda + i);
            sum += static_cast<Sum<T>>(a[of_a]) * static_cast<Sum<T>>(b[g * s.stride_b + j * s.ldb + p]);
          }
          Sum<T>& out = c[g * s.stride_c + j * s.ldc + i];
          out = static_cast<Sum<T>>(alpha) * sum + (beta == 0 ? Sum<T>(0) : static_cast<Sum<T>>(beta) * out);
        });
  }
};

/// Part of a view from `first` on.
template <class D, class T>
View<D, T> from(const View<D, T>& view, int64_t first) {
  return D::view(view.data() + first, view.size() - first);
}

}  // namespace gridiron::psc
