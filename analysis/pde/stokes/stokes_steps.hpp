// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/pde/stokes/stokes_model.hpp"

namespace gridiron {

/// Steps of backward Euler for ∂u/∂t + a u − ν∇²u + ∇p = f, ∇·u = 0. Each is a Stokes problem of the same matrix, with
/// a + 1/Δt for a. A known solution of the steady problem decays: u, p times e⁻ᵗ, with the f that belongs to it.
/// Without one, the fluid is at rest at first, and f and the boundary velocities are constant.
class StokesSteps {
 public:
  StokesSteps(const StokesModel& steady, double time_step);

  /// The grid of the matrix of every step.
  const StokesGrid& grid() const { return of_step_.grid; }

  /// The problem whose boundary velocities, and solution if it is known, are those after `steps` steps.
  StokesModel after(int steps) const;

  /// The unknowns at the beginning, with zero pressure.
  std::vector<double> start() const;

  /// Right-hand side of step `step`, from 1 on, given the unknowns after the step before (or start()).
  std::vector<double> right_hand_side(int step, const std::vector<double>& before) const;

 private:
  double factor(int steps) const;  ///< of the known solution

  StokesModel of_step_;
  double time_step_;
  std::vector<double> from_data_;  ///< what f and the boundary give at factor 1
  std::vector<double> from_rate_;  ///< what −∂u/∂t of the known solution, part of f, gives at factor 1; or empty
};

}  // namespace gridiron
