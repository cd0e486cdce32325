// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Spectral condition numbers of the stiffness matrix of Q1 elements on the unit square, h = 2^-levels, h0 = 2^-level
/// (PSC paper, section 4.2): as it is, in the hierarchical basis, and with the Cholesky factor of the coarse unknowns
/// and unit diagonals elsewhere as well.
struct PrehandledConditions {
  double stiffness = 0, hierarchical = 0, prehandled = 0;
};
PrehandledConditions prehandled_conditions(int levels, int level);

}  // namespace gridiron
