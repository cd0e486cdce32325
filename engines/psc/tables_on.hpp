// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine for power grids on a device D; instantiated once per device.

#include <type_traits>

#include "engines/hybrid/make_hybrid.hpp"
#include "engines/psc/tables_solver.hpp"

namespace gridiron::psc {

template <class D>
std::unique_ptr<Engine> make_hybrid_with_tables(const Settings& settings) {
  const PscHybridParams params = read_psc_on_power_grids(settings);
  return with_stored(params.tables.precision, [&]<class T>(T) {
    using V = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return make_hybrid<D, V>(params.hybrid, list_params(params),
                             std::make_unique<TablesSolver<D, V, T>>(params.tables));
  });
}

}  // namespace gridiron::psc
