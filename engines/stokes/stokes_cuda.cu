// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.cuh"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/stokes/stokes_on.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_stokes_on_cuda(const Settings& settings) {
  return stokes::make_stokes_on<CudaDevice>(settings);
}

}  // namespace gridiron
