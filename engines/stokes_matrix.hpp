// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/problem.hpp"

namespace gridiron {

/// The matrix of (13) of the Stokes paper, with B = −∫ q ∇·v and the pressure's ground: unknowns and sign as described
/// at StokesGrid. Boundary velocities are eliminated. Symmetric to the last bit.
CsrMatrix stokes_matrix(const StokesGrid& grid);

/// The number of its nonzeros, without forming it.
int64_t stokes_nonzeros(const StokesGrid& grid);

/// The problem without its matrix: the number of rows only, for engines that do not need it (EngineInfo::needs_matrix).
/// Errors: InputError for a viscosity that is not positive.
Problem stokes_problem_without_matrix(std::shared_ptr<const StokesGrid> grid);

/// The problem with this matrix. Errors: the same.
Problem stokes_problem(std::shared_ptr<const StokesGrid> grid);

/// Row of the element matrix a M + ν K of one velocity component: between nodes a and b of an element, numbered
/// 3 J + I, I, J in {0, 1, 2}.
double stokes_element_velocity(const StokesGrid& grid, double viscosity, int a, int b);

/// −∫ q ∂ψ/∂x (component 0) or ∂/∂y (1) for corner q, numbered 2 J + I, and node a of an element.
double stokes_element_divergence(const StokesGrid& grid, int component, int corner, int a);

}  // namespace gridiron
