// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/pde/choices.hpp"
#include "analysis/pde/finite_elements.hpp"

namespace gridiron {

/// −∆u = f with u = sin kπx sin kπy, on `size` elements per side of the unit square: bilinear, or linear on right
/// triangles. The coarse mesh is as coarse as halving allows: of one cell per side for a power of two.
FemModel make_poisson2d_q1(int64_t size, const PdeChoices& choices);
FemModel make_poisson2d_p1(int64_t size, const PdeChoices& choices);

/// −∆u = f with u = sin kπx sin kπy around a square, on the mesh of Fig. 15 of the PSC paper after `level` refinements.
FemModel make_flow_square(int64_t level, const PdeChoices& choices);
RegularGrid::Index flow_square_shape(int64_t level);

}  // namespace gridiron
