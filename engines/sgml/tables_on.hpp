// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine for power grids on a device D; instantiated once per device.

#include "engines/hybrid/make_hybrid.hpp"
#include "engines/sgml/tables_solver.hpp"

namespace gridiron::sgml {

template <class D>
std::unique_ptr<Engine> make_hybrid_with_tables(const SgmlHybridParams& params) {
  if (params.cycle.precision == "double")
    return make_hybrid<D, double>(params.hybrid, list_params(params),
                                  std::make_unique<TablesSolver<D, double>>(params.cycle));
  return make_hybrid<D, float>(params.hybrid, list_params(params),
                               std::make_unique<TablesSolver<D, float>>(params.cycle));
}

}  // namespace gridiron::sgml
