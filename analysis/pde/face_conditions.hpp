// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pde/known_solution.hpp"

namespace gridiron {

/// The `--bc` condition on one face.
struct FaceCondition {
  int axis = 0, end = 0;
  RegularGrid::Boundary kind = RegularGrid::Boundary::dirichlet;
  std::optional<double> value;    ///< u, or σ ∂u/∂n outwards; otherwise the problem's own value there, or 0
  bool takes_known_flux = false;  ///< Neumann with the flux of the known solution
};

/// `x0=dirichlet,y1=neumann:0.5`: FACE=KIND or FACE=KIND:VALUE with commas between; faces are x0, x1, y0, y1, z0, z1
/// and `all`, kinds dirichlet and neumann, VALUE a number, or `exact` for neumann. Errors: InputError.
std::vector<FaceCondition> parse_face_conditions(std::string_view text, int dimensions);

/// Applies the conditions to a model. `known` with the model's σ supplies the flux where a condition asks for it;
/// without a known solution that is an InputError. The model keeps its exact solution only if every face agrees with
/// it.
void apply(const std::vector<FaceCondition>& conditions, const KnownSolution* known, const Conductivity& sigma,
           const Point& factors, PdeModel& model);

}  // namespace gridiron
