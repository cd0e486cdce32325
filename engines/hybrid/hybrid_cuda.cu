// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.cuh"
#include "engines/hybrid/hybrid_on.hpp"

namespace gridiron {

template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                std::unique_ptr<RegularGridSolver<CudaDevice, float>>);
template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                std::unique_ptr<RegularGridSolver<CudaDevice, double>>);

}  // namespace gridiron
