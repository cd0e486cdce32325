// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "engines/hybrid/across_devices.hpp"
#include "engines/hybrid/params.hpp"

namespace gridiron {

/// The hybrid iteration on device D around `solver`; `all_parameters` are what the engine reports. One translation unit
/// per device, hybrid_DEVICE, defines it for T = float and double, so that engines do not compile the iteration again.
template <class D, class T>
std::unique_ptr<Engine> make_hybrid_on(const HybridParams& params, ParamList all_parameters,
                                       std::unique_ptr<RegularGridSolver<D, T>> solver);

extern template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                       std::unique_ptr<RegularGridSolver<CpuDevice, float>>);
extern template std::unique_ptr<Engine> make_hybrid_on(const HybridParams&, ParamList,
                                                       std::unique_ptr<RegularGridSolver<CpuDevice, double>>);

/// The hybrid iteration around `solver`, with the original grid where `params` puts it: on the device of the regular
/// grids, or on the host.
template <class D, class T>
std::unique_ptr<Engine> make_hybrid(const HybridParams& params, ParamList all_parameters,
                                    std::unique_ptr<RegularGridSolver<D, T>> solver) {
  if (params.hybrid == "paper")
    return make_hybrid_on<CpuDevice, T>(params, std::move(all_parameters),
                                        std::make_unique<AcrossDevices<D, T>>(std::move(solver)));
  return make_hybrid_on<D, T>(params, std::move(all_parameters), std::move(solver));
}

}  // namespace gridiron
