// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/aggamg/params.hpp"
#include "engines/engine.hpp"

namespace gridiron::aggamg {

/// The engine on the GPU. Errors: InputError when this build has no CUDA.
std::unique_ptr<Engine> make_on_cuda(AggAmgParams params);

}  // namespace gridiron::aggamg
