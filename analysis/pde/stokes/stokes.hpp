// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/pde/pde.hpp"
#include "analysis/pde/problems.hpp"

namespace gridiron {

/// solve_pde() for a problem with PdeProblem::make_stokes.
PdeResult solve_stokes(const PdeProblem& problem, const PdeOptions& options);

}  // namespace gridiron
