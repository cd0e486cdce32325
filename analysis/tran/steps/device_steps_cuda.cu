// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/device_steps_on.hpp"
#include "device/cuda_device.cuh"

namespace gridiron {
namespace {

struct TranDevice : CudaDevice {};

}  // namespace

std::unique_ptr<DeviceSteps> make_steps_on_cuda(const StepTables& tables, void* stream) {
  return std::make_unique<DeviceStepsOn<TranDevice>>(tables, stream);
}

}  // namespace gridiron
