// SPDX-License-Identifier: Apache-2.0
#include "engines/aggamg/aggamg_cuda.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/device/cuda_device.cuh"

namespace gridiron::aggamg {

std::unique_ptr<Engine> make_on_cuda(AggAmgParams params) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    throw ResourceError("--device cuda: no CUDA device found; check nvidia-smi, or use --device cpu");
  if (params.precision == "double") return std::make_unique<AggAmgOn<CudaDevice, double>>(std::move(params));
  return std::make_unique<AggAmgOn<CudaDevice, float>>(std::move(params));
}

}  // namespace gridiron::aggamg
