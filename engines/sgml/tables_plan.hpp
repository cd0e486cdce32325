// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/sgml/plan.hpp"
#include "regularize/tables.hpp"

namespace gridiron::sgml {

/// Points of a lattice for the tables of a grid: cells, followed by as many dummies as it takes to halve an axis down
/// to 9 to 17 points. Layers are the third axis, which no level coarsens.
Lattice lattice_of(const GridTables& grid);

/// All levels for the conductance tables of a power grid, finest first. Cells without wire get the dummy conductance of
/// Feng and Li, ICCAD 2008, §III (1e-6 of the largest), so that relaxation interpolates them between their neighbours,
/// as linear interpolation requires. Conductances, which the SGML paper restricts at points (eqs. 3 and 4), lie between
/// points here: across a wire they are weighted by hat functions, along it by the squared fraction of the coarse
/// interval that each covers, as in a series chain.
std::vector<LevelPlan> plan_levels(const GridTables& grid);

}  // namespace gridiron::sgml
