// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu_device.hpp"
#include "engines/psc/gemm.hpp"

namespace gridiron::psc {

/// By OpenBLAS, on all threads: the product is divided into blocks of fixed size, so sums do not depend on the number
/// of threads. Operands of 16 bits become floats block by block; their products are then exact, as in Tensor Cores.
template <class T>
void gemm_on_cpu(const GemmShape& shape, double alpha, const T* a, const T* b, double beta, Sum<T>* c);

template <>
class Gemm<CpuDevice> {
 public:
  template <class T>
  void operator()(const GemmShape& shape, double alpha, View<CpuDevice, const T> a, View<CpuDevice, const T> b,
                  double beta, View<CpuDevice, Sum<T>> c) {
    if (!shape.is_empty()) gemm_on_cpu<T>(shape, alpha, a.data(), b.data(), beta, c.data());
  }
};

}  // namespace gridiron::psc
