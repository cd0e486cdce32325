// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine for power grids on a device D; instantiated once per device.

#include "engines/hybrid/make_hybrid.hpp"
#include "engines/precision.hpp"
#include "engines/sgml/tables_solver.hpp"

namespace gridiron::sgml {

template <class D>
std::unique_ptr<Engine> make_hybrid_with_tables(const SgmlHybridParams& params) {
  return with_precision(params.cycle.precision, [&]<class P>(P) {
    using T = typename P::Vector;
    return make_hybrid<D, T>(params.hybrid, list_params(params), std::make_unique<TablesSolver<D, T>>(params.cycle));
  });
}

}  // namespace gridiron::sgml
