// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include "engines/gpuhmd/gmd.hpp"
#include "engines/gpuhmd/params.hpp"
#include "engines/hybrid/across_devices.hpp"
#include "engines/hybrid/hybrid_on.hpp"

namespace gridiron::gpuhmd {

template <class D, class T>
std::unique_ptr<Engine> make_hybrid(const GpuHmdParams& params) {
  auto gmd = std::make_unique<Gmd<D, T>>(params.coarse_size, params.smoother == "tiles");
  if (params.hybrid.hybrid == "paper")
    return std::make_unique<HybridOn<CpuDevice, T>>(params.hybrid, list_params(params),
                                                    std::make_unique<AcrossDevices<D, T>>(std::move(gmd)));
  return std::make_unique<HybridOn<D, T>>(params.hybrid, list_params(params), std::move(gmd));
}

}  // namespace gridiron::gpuhmd
