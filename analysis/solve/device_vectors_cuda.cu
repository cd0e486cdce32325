// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/device_vectors_on.hpp"
#include "device/cuda_device.cuh"

namespace gridiron {
namespace {

struct IrDevice : CudaDevice {};

}  // namespace

std::unique_ptr<DeviceVectors> make_vectors_on_cuda(void* stream) {
  return std::make_unique<DeviceVectorsOn<IrDevice>>(stream);
}

}  // namespace gridiron
