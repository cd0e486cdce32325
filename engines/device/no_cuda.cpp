// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

namespace gridiron {

Cuda cuda_state() { return Cuda::not_built; }

}  // namespace gridiron
