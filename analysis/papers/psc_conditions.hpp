// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engines/psc/cell_matrices.hpp"

namespace gridiron {

/// Spectral condition numbers of the stiffness matrix of Q1 elements on the unit square, h = 2^-levels, h0 = 2^-level
/// (PSC paper, section 4.2): as it is, in the hierarchical basis, and with the Cholesky factor of the coarse unknowns
/// and unit diagonals elsewhere as well.
struct PrehandledConditions {
  double stiffness = 0, hierarchical = 0, prehandled = 0;
};
PrehandledConditions prehandled_conditions(int levels, int level);

/// For prehandle(): forms the Schur complement alone, by the Cholesky factor of C, which takes a third of the
/// operations of its inverse; C and its inverse are gone then.
void eliminate_without_inverse(int64_t interior, int64_t edge, psc::CondensedCell& cell);

}  // namespace gridiron
