// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sgml_cycles.hpp"
#include "device/cuda_device.cuh"

namespace gridiron {

CycleRates measure_cycles_on_cuda(const Problem& problem, const std::vector<double>& right_side,
                                  const SgmlParams& params) {
  return measure_cycles_on<CudaDevice>(problem, right_side, params);
}

}  // namespace gridiron
