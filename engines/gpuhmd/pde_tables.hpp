// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/problem.hpp"
#include "regularize/tables.hpp"

namespace gridiron::gpuhmd {

/// The tables of a 2-D problem on a regular grid, one cell per unknown: they are its discretisation. What is left of a
/// row when its neighbours are taken out becomes gz. Only gh, gv, gz and the sizes are filled.
GridTables tables_of(const CsrMatrix& matrix, const RegularGrid& grid);

}  // namespace gridiron::gpuhmd
