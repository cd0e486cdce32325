// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/fields/slice.hpp"
#include "analysis/pde/model.hpp"
#include "grid/refined_mesh.hpp"

namespace gridiron {

/// −∆u = f on a refined mesh with u = `exact` on the boundary. Fields are called from several threads.
struct FemModel {
  std::shared_ptr<const RefinedMesh> mesh;
  ScalarField source;  ///< f
  ScalarField exact;   ///< the solution
  double spacing = 0;  ///< h, the length of an element's side; of flowsquare-p1, along the outer boundary
};

/// The stiffness matrix of the unknowns, linear (P1) or bilinear (Q1) elements.
CsrMatrix assemble(const RefinedMesh& mesh);

/// ∫ f φ_i by quadrature, less what the known values on the boundary contribute.
std::vector<double> right_hand_side(const FemModel& model);

/// l2: √∫(u_h − u)² over √∫u², by quadrature within the elements; the other norms over the unknowns.
PdeError error_against_exact(const FemModel& model, std::span<const double> solution);

/// The finite-element function, and |u_h − u|, at the points of a regular raster; NaN outside the domain.
struct Raster {
  Slice solution, error;
};
Raster rasterise(const FemModel& model, std::span<const double> solution);

}  // namespace gridiron
