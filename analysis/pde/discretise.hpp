// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// The matrix that RegularGrid promises, symmetric to the last bit. Deterministic; linear time.
CsrMatrix assemble(const RegularGrid& grid);

/// Right-hand side of one of the solutions, one entry per unknown: −f times the volume, what flows in through Neumann
/// faces, and what known neighbours contribute. Where nothing fixes the level of u (grid.grounded_unknown()) the
/// entries must add up to 0. A sum of up to 4/n² of all that flows (n steps per axis), which discretising compatible
/// data may leave, is taken off evenly; unless the exact solution is known, up to 1 % at most. More is an InputError.
/// `unbalanced` takes that share.
std::vector<double> right_hand_side(const PdeModel& model, int component = 0, double* unbalanced = nullptr);

/// A lower bound on the eigenvalues of the discrete −∇·(σ∇), exact where σ is constant: while a stays below it, the
/// matrix is positive definite. It is that of σ's least value along each axis, whose lowest eigenvector is a product of
/// sine or cosine waves (for the radial stencil, of waves with all their mirror images, too).
double eigenvalue_bound(const RegularGrid& grid);

/// Takes the mean over the box off a solution whose level nothing fixes.
void remove_mean(const RegularGrid& grid, std::span<double> solution);

/// Memory that a grid will take at least: the matrix, right-hand side and solution of each component, and what the
/// model stores per point.
double system_bytes(const RegularGrid::Index& size, int dimensions, RegularGrid::Stencil stencil, int components = 1,
                    int values_per_point = 0);

}  // namespace gridiron
