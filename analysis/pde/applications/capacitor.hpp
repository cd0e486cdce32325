// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/pde/fields/field_lines.hpp"
#include "analysis/pde/known_solution.hpp"

namespace gridiron {

/// 0.55 ± 0.45 tanh((r − 0.2) / 0.1), r from the middle of the unit cube: eq. (16) of the SGML paper. With + the middle
/// conducts less than its surroundings.
Conductivity capacitor_conductivity(bool plus);

/// ∇·(σ∇u) = 0 in the unit cube, u = −1 on its bottom and 1 on its top, nothing flows through the other faces.
PdeModel capacitor_model(const RegularGrid& grid);

struct CapacitorLines {
  GridField gradient;               ///< ∇u, the opposite of the electric field
  std::vector<Line> lines;          ///< field lines of ∇u from a lattice of points on the bottom
  std::vector<Line> in_the_middle;  ///< the same from a row of points in the plane y = ½, which they do not leave
};
CapacitorLines capacitor_lines(const PdeModel& model, std::span<const double> solution);

}  // namespace gridiron
