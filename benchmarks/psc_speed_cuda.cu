// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/psc_speed.hpp"
#include "engines/psc/gemm_cuda.cuh"

namespace gridiron::bench {

std::vector<PscSpeed> psc_speed_on_cuda(const PscCase& what, const std::vector<std::vector<double>>& blocks) {
  return psc_speed_on<CudaDevice>(what, blocks, 8192);
}

}  // namespace gridiron::bench
