// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/pde/model.hpp"

namespace gridiron {

/// A manufactured solution, with the derivatives needed for its source and fluxes: so it stays the exact solution under
/// any σ and any kind of condition, and orders of convergence can be measured for all of them.
struct KnownSolution {
  ScalarField value;
  VectorField gradient;
  VectorField curvature;  ///< ∂²u/∂x², ∂²u/∂y², ∂²u/∂z²
};

/// −x²(1−x²) y²(1−y²), eq. (7) of the SGML paper, and in 3-D the same with z²(1−z²); zero on the faces of the unit box.
KnownSolution polynomial_bump(int dimensions);

/// cos πx cos πy (cos πz): no flow through the faces of the unit box, and zero mean.
KnownSolution cosine_waves(int dimensions);

/// σ as a function of position, with its gradient.
struct Conductivity {
  ScalarField value;
  VectorField gradient;
};
Conductivity constant_conductivity(double value);

/// The source that makes `u` the solution: f = Σ over the axes of s (∂σ ∂u + σ ∂²u), plus a u, where s are the factors
/// of σ.
ScalarField source_of(const KnownSolution& u, const Conductivity& sigma, const Point& factors, double shift);

}  // namespace gridiron
