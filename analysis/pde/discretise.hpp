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
/// entries must add up to 0: a sum within the error of discretising compatible data is taken off evenly, more is an
/// InputError.
std::vector<double> right_hand_side(const PdeModel& model, int component = 0);

/// Takes the mean over the box off a solution whose level nothing fixes.
void remove_mean(const RegularGrid& grid, std::span<double> solution);

/// Memory that matrix, right-hand side and solution of a grid will take.
double system_bytes(const RegularGrid::Index& size, int dimensions, RegularGrid::Stencil stencil);

}  // namespace gridiron
