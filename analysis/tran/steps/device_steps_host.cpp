// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/device_steps_on.hpp"
#include "device/cpu_device.hpp"

namespace gridiron {

std::unique_ptr<DeviceSteps> make_steps_on_host(const StepTables& tables) {
  return std::make_unique<DeviceStepsOn<CpuDevice>>(tables);
}

}  // namespace gridiron
