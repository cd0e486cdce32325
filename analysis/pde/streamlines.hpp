// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/pde/field_lines.hpp"

namespace gridiron {

/// Streamlines of a plane field, at most `separation` apart where that is possible: from the points of a lattice that
/// no line has come near, each until it closes, meets another or leaves the box (after B. Jobard, W. Lefer, "Creating
/// evenly-spaced streamlines of arbitrary density", 1997).
std::vector<Line> spaced_streamlines(const VectorGrid& field, double separation);

}  // namespace gridiron
