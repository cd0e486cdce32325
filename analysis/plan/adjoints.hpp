// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/plan/watched.hpp"

namespace gridiron {

/// How a watched quantity, whose function of the voltages is fᵀv, answers to the grid: with G λ = f,
///
///     ∂(fᵀv)/∂g_ab = −(λ_a − λ_b)(v_a − v_b),
///
/// and a pad of V volts behind R at node m, of effective resistance R_mm, adds λ_m (V − v_m) / (R + R_mm) exactly
/// (Sherman and Morrison, Ann. Math. Statist. 21, 1950).
struct Adjoint {
  double sign = 1;              ///< ∂value/∂(fᵀv)
  std::vector<double> of_node;  ///< λ, per node of the netlist; 0 where sources hold the potential
};

/// One per watched quantity. Here and below the solver of the grid must be of the trial's setting. Errors: the
/// solver's.
std::vector<Adjoint> find_adjoints(PlanGrid& grid, const Trial& trial, std::span<const Watched> watched);

/// Per strap: ∂value/∂ln(width) of a watched quantity.
std::vector<double> strap_slopes(const PlanGrid& grid, const Trial& trial, const Watched& watched,
                                 const Adjoint& adjoint);

}  // namespace gridiron
