// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/pde/fields/field_lines.hpp"
#include "analysis/pde/fields/grid_field.hpp"

namespace gridiron {

/// The side of the cube around the knot. Eq. (13) with r = 0.2 extends 0.6 from its centre, too far for a unit cube.
inline constexpr double kVortexSide = 2;

/// The trefoil knot (13) of the SGML paper, r = 0.2, around the middle of the cube; theta in [0, 2π).
Point trefoil(double theta);

/// ∇²ψ = −ω for the three components of a vector potential, zero on the faces of the cube (so that nothing flows
/// through them): a vortex of circulation 1 along the knot.
PdeModel vortex_model(const RegularGrid& grid);

struct Vortex {
  VectorGrid velocity;  ///< ∇×ψ

  double largest_speed = 0;
  /// Root mean square of |∇×v| over that of |∇v|, at the points farther than 0.2 from the knot and 0.4 from the faces:
  /// the flow must be irrotational except along the knot. The remainder is due to the spacing, to the engine's
  /// tolerance and, since ψ vanishes there, to the faces. NaN if nothing flows.
  double stray_rotation = 0;
  /// Circulation of the velocity around a square of side r that the knot passes through once; 1 for a vortex in
  /// unbounded space.
  double circulation = 0;

  std::vector<Line> streamlines;
  Line knot;
};

/// `potential`: the three components one after the other, per unknown.
Vortex vortex_of(const PdeModel& model, std::span<const double> potential);

}  // namespace gridiron
