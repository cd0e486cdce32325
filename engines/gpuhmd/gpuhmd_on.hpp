// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include "engines/gpuhmd/gmd.hpp"
#include "engines/gpuhmd/params.hpp"
#include "engines/gpuhmd/short_float.hpp"
#include "engines/hybrid/across_devices.hpp"
#include "engines/hybrid/hybrid_on.hpp"

namespace gridiron::gpuhmd {

template <class D, class T>
std::unique_ptr<RegularGridSolver<D, T>> make_tables_solver(const GpuHmdParams& params) {
  const bool relaxes_tiles = params.smoother == "tiles";
  if constexpr (std::is_same_v<T, float>)
    if (params.precision == "half") return std::make_unique<Gmd<D, T, ShortFloat>>(params.coarse_size, relaxes_tiles);
  return std::make_unique<Gmd<D, T>>(params.coarse_size, relaxes_tiles);
}

/// All work on device D.
template <class D, class T>
std::unique_ptr<Engine> make_hybrid(const GpuHmdParams& params) {
  return std::make_unique<HybridOn<D, T>>(params.hybrid, list_params(params), make_tables_solver<D, T>(params));
}

/// The paper's division of work: the tables on device D. For make_divided().
template <class D, class T>
std::unique_ptr<RegularGridSolver<CpuDevice, T>> make_distant_solver(const GpuHmdParams& params) {
  return std::make_unique<AcrossDevices<D, T>>(make_tables_solver<D, T>(params));
}

/// The original grid on the host. Not for nvcc, whose loops over host memory are slow.
template <class T>
std::unique_ptr<Engine> make_divided(const GpuHmdParams& params,
                                     std::unique_ptr<RegularGridSolver<CpuDevice, T>> solver) {
  return std::make_unique<HybridOn<CpuDevice, T>>(params.hybrid, list_params(params), std::move(solver));
}

}  // namespace gridiron::gpuhmd
