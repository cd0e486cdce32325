// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "analysis/pde/problems.hpp"
#include "engines/problem.hpp"

namespace gridiron {

/// What engines are given of a model.
struct PdeSystem {
  std::shared_ptr<Problem> problem;
  std::vector<double> b;  ///< right-hand sides, column after column
  double unbalanced = 0;  ///< right_hand_side()
};

PdeSystem system_of(const std::shared_ptr<const PdeModel>& model);
PdeSystem system_of(const FemModel& model);
/// Without its matrix, which not all engines need.
PdeSystem system_of(const StokesModel& model);

/// The system of any problem, matrix included. Errors: those of the functions that make models; InputError for steps
/// in time.
PdeSystem make_system(const PdeProblem& problem, const PdeChoices& choices);

}  // namespace gridiron
