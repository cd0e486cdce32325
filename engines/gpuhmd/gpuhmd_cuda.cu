// SPDX-License-Identifier: Apache-2.0
#include "engines/device/cuda_device.cuh"
#include "engines/gpuhmd/gmd_on.hpp"
#include "engines/gpuhmd/gpuhmd_cuda.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"

namespace gridiron::gpuhmd {
namespace {

void require_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    throw ResourceError("--device cuda: no CUDA device found; check nvidia-smi, or use --device cpu");
}

}  // namespace

std::unique_ptr<Engine> make_on_cuda(const GpuHmdParams& params) {
  require_device();
  return make_gpuhmd_on<CudaDevice>(params);
}

std::unique_ptr<Engine> make_on_cuda(const GmdParams& params) {
  require_device();
  if (params.precision == "double") return std::make_unique<GmdOn<CudaDevice, double>>(params);
  if (params.precision == "half") return std::make_unique<GmdOn<CudaDevice, float, ShortFloat>>(params);
  return std::make_unique<GmdOn<CudaDevice, float>>(params);
}

}  // namespace gridiron::gpuhmd
