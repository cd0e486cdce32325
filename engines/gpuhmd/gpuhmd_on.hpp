// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <memory>
#include <type_traits>

#include "engines/gpuhmd/gmd.hpp"
#include "engines/gpuhmd/params.hpp"
#include "engines/gpuhmd/short_float.hpp"
#include "engines/hybrid/make_hybrid.hpp"
#include "engines/precision.hpp"

namespace gridiron::gpuhmd {

template <class D, class T>
std::unique_ptr<RegularGridSolver<D, T>> make_tables_solver(const GpuHmdParams& params) {
  const GmdOptions options{.coarse_size = params.coarse_size,
                           .relaxes_tiles = params.smoother == "tiles",
                           .averages = params.coarsening == "average",
                           .pads_within = true,
                           .gmin = params.gmin};
  if constexpr (std::is_same_v<T, float>)
    if (params.precision == "half") return std::make_unique<Gmd<D, T, ShortFloat>>(options);
  return std::make_unique<Gmd<D, T>>(options);
}

template <class D>
std::unique_ptr<Engine> make_gpuhmd_on(const GpuHmdParams& params) {
  return with_precision(params.precision, [&]<class P>(P) {
    return make_hybrid(params.hybrid, list_params(params), make_tables_solver<D, typename P::Vector>(params));
  });
}
template <class D>
std::unique_ptr<Engine> make_gpuhmd_on(const Settings& settings) {
  return make_gpuhmd_on<D>(read_gpuhmd(settings));
}

}  // namespace gridiron::gpuhmd
