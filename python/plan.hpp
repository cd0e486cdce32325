// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/plan/find_plan.hpp"

namespace gridiron::python {

/// A plan, and the grid that it changes.
struct SolverPlan {
  System before;
  PlanMeans means;
  Plan plan;

  /// Errors: InputError where there is none, or `system` is of another design.
  std::vector<Edit> changes_of(const System& system) const;
};

}  // namespace gridiron::python
