// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "engines/problem.hpp"

namespace gridiron {

using Point = std::array<double, 3>;
using ScalarField = std::function<double(const Point&)>;

/// ∇·(σ∇u) + a u = f in a box that starts at the origin; σ, a and the kind of condition on each face are the grid's. A
/// Neumann face lets nothing through. Fields that are empty are 0; they are called from several threads.
struct PdeModel {
  RegularGrid grid;
  ScalarField source;    ///< f
  ScalarField boundary;  ///< u on Dirichlet faces
  ScalarField exact;     ///< the solution; empty when nobody knows it
};

}  // namespace gridiron
