// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/pde_system.hpp"

#include <algorithm>

#include "analysis/pde/discretise.hpp"
#include "engines/stokes_matrix.hpp"
#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron {

PdeSystem system_of(const std::shared_ptr<const PdeModel>& model) {
  const RegularGrid& grid = model->grid;
  PdeSystem system{std::make_shared<Problem>(), {}};
  system.problem->structure = std::shared_ptr<const RegularGrid>(model, &grid);
  system.problem->matrix = assemble(grid);
  system.problem->symmetric_positive_definite = grid.shift <= 0 || grid.shift < eigenvalue_bound(grid);
  for (int c = 0; c < model->components(); ++c) {
    double unbalanced = 0;
    const std::vector<double> column = right_hand_side(*model, c, &unbalanced);
    append(system.b, column);
    system.unbalanced = std::max(system.unbalanced, unbalanced);
  }
  return system;
}

PdeSystem system_of(const FemModel& model) {
  PdeSystem system{std::make_shared<Problem>(), right_hand_side(model)};
  system.problem->structure = model.mesh;
  system.problem->matrix = assemble(*model.mesh);
  return system;
}

PdeSystem system_of(const StokesModel& model) {
  const auto grid = std::make_shared<const StokesGrid>(model.grid);
  return {std::make_shared<Problem>(stokes_problem_without_matrix(grid)), right_hand_side(model)};
}

PdeSystem make_system(const PdeProblem& problem, const PdeChoices& choices) {
  if (problem.make_fem) return system_of(make_fem_model(problem, choices));
  if (choices.steps) throw InputError(field("steps") + " asks for several systems; leave it out where one is solved");
  if (!problem.make_stokes) return system_of(std::make_shared<const PdeModel>(make_model(problem, choices)));
  const StokesModel model = make_stokes_model(problem, choices);
  const auto grid = std::make_shared<const StokesGrid>(model.grid);
  return {std::make_shared<Problem>(stokes_problem(grid)), right_hand_side(model)};
}

}  // namespace gridiron
