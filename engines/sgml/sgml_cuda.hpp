// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"
#include "engines/sgml/params.hpp"

namespace gridiron::sgml {

/// The engine on the GPU. Errors: InputError when this build has no CUDA.
std::unique_ptr<Engine> make_on_cuda(SgmlParams params);

}  // namespace gridiron::sgml
