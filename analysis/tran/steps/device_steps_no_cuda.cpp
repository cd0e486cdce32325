// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/device_steps.hpp"
#include "support/error.hpp"

namespace gridiron {

std::unique_ptr<DeviceSteps> make_steps_on_cuda(const StepTables&, void*) {
  throw ResourceError("this is a build without CUDA");
}

}  // namespace gridiron
