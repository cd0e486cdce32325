// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

using ScalarField = std::function<double(const Point&)>;
using VectorField = std::function<Point(const Point&)>;

/// A value on each face of the box: the axis it is normal to, and 0 at its start or 1 at its end.
using FaceField = std::function<double(const Point&, int axis, int end)>;

/// Norms square their terms, so coefficients and data may use only half of the exponent range of a double.
inline constexpr double kLeastMagnitude = 1e-100, kLargestMagnitude = 1e100;

/// ∇·(σ∇u) + a u = f in a box that starts at the origin; σ, a and the kind of condition on each face are stored in the
/// grid. Empty fields are 0; they are called from several threads. Several sources mean several solutions of the same
/// operator.
struct PdeModel {
  RegularGrid grid;
  ScalarField source;    ///< f
  ScalarField boundary;  ///< u on Dirichlet faces
  FaceField flux;        ///< σ ∂u/∂n on Neumann faces, n pointing outwards
  ScalarField exact;     ///< the solution; empty if unknown
  std::string
      why_unknown;  ///< the user's choice because of which the problem's known solution does not apply to this model

  /// Sources too concentrated to be given as functions: per solution and point of the grid, ∫ f over the point's
  /// volume, added to `source`. Empty: one solution, nothing to add.
  std::vector<std::vector<double>> spread;

  int components() const { return spread.empty() ? 1 : static_cast<int>(spread.size()); }
};

}  // namespace gridiron
