// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

/// Where unknowns are, in any unit: two or three finite coordinates each. Single precision, as orderings need no more.
struct Coordinates {
  int axes = 2;
  std::array<std::vector<float>, 3> at;  ///< [axis][unknown]; the third is empty in the plane

  int64_t count() const { return std::ssize(at[0]); }
};

/// Coordinates of a problem's unknowns: the nodes of its power grid or mesh, or the points of its regular grid in units
/// of its spacings. A node of a power grid whose place is not known gets that of the nearest node that it is coupled
/// to. None where the problem has no geometry, or where fewer than half of the nodes are placed.
std::optional<Coordinates> coordinates_of(const Problem& problem);

}  // namespace gridiron
