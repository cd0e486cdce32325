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

/// One level as the host prepares it.
struct LevelPlan {
  StencilData stencil;
  Band band{};
  AxisMaps to_next;  ///< to the next coarser level, where there is one
  /// In an insulated box (all faces are Neumann faces) with a uniform reaction: its sum over the box, which may be 0. A
  /// cycle then takes sources that add up to nothing and leaves the mean of its answer to the caller.
  std::optional<double> box_reaction{};
};

/// Why a problem is not for SGML, in the user's words.
std::optional<std::string> not_a_grid_for_sgml(const Problem& problem);

/// All levels, finest first: the finest is the problem's own matrix, but without its ground, which is no reaction;
/// below, σ and the reaction are restricted from level to level and the operator is discretised anew. Coarsening ends
/// at three points per axis. Errors: SolverError when the matrix is not that of the grid.
std::vector<LevelPlan> plan_levels(const Problem& problem);

/// Tells of axes that are embedded as they have no 2ⁿ+1 points; empty when there is none.
std::string embedding_note(const std::vector<LevelPlan>& levels);

}  // namespace gridiron::sgml
