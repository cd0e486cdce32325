// SPDX-License-Identifier: Apache-2.0
#include "engines/aggamg/aggamg_cuda.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/device/cuda_device.cuh"

namespace gridiron::aggamg {

std::unique_ptr<Engine> make_on_cuda(AggAmgParams params) {
  if (params.precision == "double") return std::make_unique<AggAmgOn<CudaDevice, double>>(std::move(params));
  return std::make_unique<AggAmgOn<CudaDevice, float>>(std::move(params));
}

}  // namespace gridiron::aggamg
