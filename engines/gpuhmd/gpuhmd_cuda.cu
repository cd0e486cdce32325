// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.cuh"
#include "engines/gpuhmd/gmd_engine.hpp"
#include "engines/gpuhmd/gmd_on.hpp"
#include "engines/gpuhmd/gpuhmd_engine.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_gpuhmd_on_cuda(const Settings& settings) {
  return gpuhmd::make_gpuhmd_on<CudaDevice>(settings);
}

std::unique_ptr<Engine> make_gmd_on_cuda(const Settings& settings) { return gpuhmd::make_gmd_on<CudaDevice>(settings); }

}  // namespace gridiron
