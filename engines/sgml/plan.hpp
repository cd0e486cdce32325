// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/problem.hpp"
#include "engines/sgml/stencil.hpp"
#include "grid/coarsening.hpp"

namespace gridiron::sgml {

/// Eigenvalues of D⁻¹A that the relaxation of a level is to reduce.
struct Band {
  double lowest, highest;
};

/// One level as prepared.
template <class Field>
struct BasicLevelPlan {
  BasicStencilData<Field> stencil;
  Band band{};
  AxisMaps to_next;  ///< to the next coarser level, if any
  /// In an insulated box (all faces are Neumann faces) with a uniform reaction: its sum over the box, which may be 0. A
  /// cycle then accepts sources that sum to zero and leaves the mean of its result to the caller.
  std::optional<double> box_reaction{};
};
using LevelPlan = BasicLevelPlan<std::vector<double>>;
template <class D>
using LevelPlanOn = BasicLevelPlan<Array<D, double>>;

/// Why SGML cannot solve a problem, in the user's terms.
std::optional<std::string> not_a_grid_for_sgml(const Problem& problem);

/// All levels, finest first: the finest is the problem's own matrix without its ground, which is not a reaction term;
/// below, σ and the reaction are restricted from level to level and the operator is discretised anew. Coarsening ends
/// at three points per axis. Errors: SolverError when the matrix is not that of the grid.
std::vector<LevelPlan> plan_levels(const Problem& problem);

/// A note on axes that are embedded because they do not have 2ⁿ+1 points; empty if there are none.
std::string embedding_note(const std::vector<LevelPlan>& levels);

}  // namespace gridiron::sgml
