// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/device_vectors.hpp"
#include "support/error.hpp"

namespace gridiron {

std::unique_ptr<DeviceVectors> make_vectors_on_cuda(void*) { throw ResourceError("this is a build without CUDA"); }

}  // namespace gridiron
