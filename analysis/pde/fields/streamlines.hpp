// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/pde/fields/field_lines.hpp"

namespace gridiron {

/// Streamlines of a plane field: one through every square of side `separation` that no other has crossed, once around
/// if it is closed, unless most of it would run along others.
std::vector<Line> spaced_streamlines(const VectorGrid& field, double separation);

}  // namespace gridiron
