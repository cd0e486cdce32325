// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/device_vectors_on.hpp"
#include "device/cpu_device.hpp"

namespace gridiron {

std::unique_ptr<DeviceVectors> make_vectors_on_host() { return std::make_unique<DeviceVectorsOn<CpuDevice>>(); }

std::unique_ptr<DeviceVectors> vectors_on_engine_device(bool is_on_gpu, void* stream) {
  return is_on_gpu ? make_vectors_on_cuda(stream) : nullptr;
}

}  // namespace gridiron
