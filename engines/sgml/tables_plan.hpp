// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/sgml/plan.hpp"
#include "regularize/tables.hpp"

namespace gridiron::sgml {

/// Points of a lattice for the tables of a grid: cells, and behind the last ones as many dummies as it takes to halve
/// an axis down to 9 to 17 points. Layers are the third axis, which no level coarsens.
Lattice lattice_of(const GridTables& grid);

/// All levels for the conductance tables of a power grid, finest first. Cells without wire get the dummy conductance of
/// Feng and Li, ICCAD 2008, §III (1e-6 of the largest), so that relaxation fills them in between their neighbours, as
/// linear interpolation wants it. Conductances, which the paper of SGML restricts at points (eqs. 3 and 4), lie between
/// points here: across a wire they are weighted by hats, along it by the squared share of the coarse interval that each
/// carries, as if it were a chain.
std::vector<LevelPlan> plan_levels(const GridTables& grid);

}  // namespace gridiron::sgml
