// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "grid/axis_map.hpp"
#include "grid/regular_grid.hpp"

namespace gridiron {

/// Points of the next coarser grid along an axis: every second one, or, where that leaves half an interval, the 2ⁿ+1
/// points into which the axis is embedded.
int64_t coarser(int64_t points);

/// How a grid of points is coarsened, down to three per axis. Semi-coarsening: axes with much weaker coupling than the
/// strongest are kept until the couplings are comparable.
AxisMaps coarsening(const RegularGrid& grid);

/// Whether neighbours along all axes are coupled alike.
bool is_isotropic(const RegularGrid& grid);

/// The coarse grid over the same box, with σ fully weighted (eqs. 3 and 4 of the SGML paper, mirror images at every
/// face).
RegularGrid restricted(const RegularGrid& fine, const AxisMaps& maps);

/// Restricts quantities integrated over the volumes of a grid's unknowns to the coarse grid.
std::vector<double> restricted(const std::vector<double>& integrated, const RegularGrid& fine, const AxisMaps& maps);

}  // namespace gridiron
