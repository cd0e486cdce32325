// SPDX-License-Identifier: Apache-2.0
#include "device/cpu_device.hpp"
#include "engines/hybrid/hybrid_on.hpp"

namespace gridiron {

template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                std::unique_ptr<RegularGridSolver<CpuDevice, float>>);
template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                std::unique_ptr<RegularGridSolver<CpuDevice, double>>);

}  // namespace gridiron
