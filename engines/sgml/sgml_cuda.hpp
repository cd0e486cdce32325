// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"
#include "engines/sgml/params.hpp"

namespace gridiron::sgml {

/// The engine on the GPU, for grids of points. Errors of all: InputError when this build has no CUDA.
std::unique_ptr<Engine> make_on_cuda(const SgmlParams& params);

/// The same for power grids.
std::unique_ptr<Engine> make_hybrid_on_cuda(const SgmlHybridParams& params);

}  // namespace gridiron::sgml
