// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// The matrix described at RegularGrid, symmetric to the last bit. Deterministic; linear time.
CsrMatrix assemble(const RegularGrid& grid);

/// Right-hand side of one of the solutions, one entry per unknown: −f times the volume, what flows in through Neumann
/// faces, and what known neighbours contribute. Where u is determined only up to a constant (grid.grounded_unknown())
/// the entries must sum to 0. An imbalance of up to 4/n² of the total flow (n steps per axis), as discretising
/// compatible data may leave, is subtracted evenly; unless the exact solution is known, at most 1 %. More is an
/// InputError. `unbalanced` receives that fraction.
std::vector<double> right_hand_side(const PdeModel& model, int component = 0, double* unbalanced = nullptr);

/// A lower bound on the eigenvalues of the discrete −∇·(σ∇), exact for constant σ: the matrix is positive definite if a
/// is below it. It is the lowest eigenvalue for the smallest σ along each axis, whose eigenvector is a product of sine
/// or cosine waves (also for the radial stencil, including all their mirror images).
double eigenvalue_bound(const RegularGrid& grid);

/// Subtracts the mean over the box from a solution that is determined only up to a constant.
void remove_mean(const RegularGrid& grid, std::span<double> solution);

/// A lower bound on the memory that a grid needs: the matrix, right-hand side and solution of each component, and what
/// the model stores per point.
double system_bytes(const RegularGrid::Index& size, int dimensions, RegularGrid::Stencil stencil, int components = 1,
                    int values_per_point = 0);

}  // namespace gridiron
