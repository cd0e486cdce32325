// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// The matrix that RegularGrid promises, symmetric to the last bit. Deterministic; linear time.
CsrMatrix assemble(const RegularGrid& grid);

/// Right-hand side, one entry per unknown: −f times the volume, and what known neighbours contribute.
std::vector<double> right_hand_side(const PdeModel& model);

/// Memory that matrix, right-hand side and solution of a grid will take.
double system_bytes(const RegularGrid::Index& size, int dimensions);

}  // namespace gridiron
