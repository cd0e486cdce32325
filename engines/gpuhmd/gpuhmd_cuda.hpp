// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"
#include "engines/gpuhmd/params.hpp"

namespace gridiron::gpuhmd {

/// The engines on the GPU. Errors: InputError when this build has no CUDA, ResourceError when the machine has no
/// device.
std::unique_ptr<Engine> make_on_cuda(const GpuHmdParams& params);
std::unique_ptr<Engine> make_on_cuda(const GmdParams& params);

}  // namespace gridiron::gpuhmd
