// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "engines/engine.hpp"

namespace gridiron {

Cuda cuda_state() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 ? Cuda::ready : Cuda::no_device;
}

}  // namespace gridiron
