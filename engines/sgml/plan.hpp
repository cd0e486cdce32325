// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/problem.hpp"
#include "engines/sgml/axis_map.hpp"
#include "engines/sgml/stencil.hpp"

namespace gridiron::sgml {

/// Eigenvalues of D⁻¹A that the relaxation of a level is to reduce.
struct Band {
  double lowest, highest;
};

/// One level as the host prepares it.
struct LevelPlan {
  StencilData stencil;
  Band band{};
  std::array<AxisMap, 3> to_next;  ///< to the next coarser level, where there is one
  /// In an insulated box (all faces are Neumann faces) with a uniform reaction: its sum over the box, which may be 0. A
  /// cycle then takes sources that add up to nothing and leaves the mean of its answer to the caller.
  std::optional<double> box_reaction{};
};

/// The pad that holds RegularGrid::grounded_unknown() at zero.
struct Ground {
  std::int64_t unknown = -1;  ///< −1: there is none
  double conductance = 0;
};
Ground ground_of(const Problem& problem);

/// Points of the next coarser grid along an axis: every second one, or where that leaves half an interval the 2ⁿ+1 into
/// which the axis is embedded.
std::int64_t coarser(std::int64_t points);

/// Why a problem is not for SGML, in the user's words.
std::optional<std::string> not_a_grid_for_sgml(const Problem& problem);

/// All levels, finest first: the finest is the problem's own matrix, but without its ground, which is no reaction;
/// below, σ and the reaction are restricted from level to level and the operator is discretised anew. Coarsening ends
/// at three points per axis. Errors: SolverError when the matrix is not that of the grid.
std::vector<LevelPlan> plan_levels(const Problem& problem);

/// Tells of axes that are embedded as they have no 2ⁿ+1 points; empty when there is none.
std::string embedding_note(const std::vector<LevelPlan>& levels);

/// The operator of a coarse grid.
/// `unit`: per axis, conductance between neighbours along it at σ = 1. `sigma`: one value, or one per point, x fastest.
/// `reaction`: integrated over the cell; one value for a whole cell, or one per unknown, x fastest.
struct Coefficients {
  Lattice lattice;
  std::array<double, 3> unit{1, 1, 1};
  std::vector<double> sigma{1.0};
  std::vector<double> reaction{0.0};
};

/// Full weighting of σ (eqs. 3 and 4 of the paper, mirror images at every face) and of the reaction.
Coefficients restricted(const Coefficients& fine, const std::array<AxisMap, 3>& maps);

/// The all-around stencil where all axes are alike, else the one along the axes. `radial`: with the weights of eq. (5).
StencilData discretised(const Coefficients& coefficients, bool radial);

}  // namespace gridiron::sgml
