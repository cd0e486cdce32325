// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.cuh"
#include "engines/aggamg/aggamg_engine.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/eliminating_engine.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_aggamg_on_cuda(const Settings& settings) {
  return eliminating_first(aggamg::make_on<CudaDevice>(settings), EliminatedFor::gpu);
}

}  // namespace gridiron
