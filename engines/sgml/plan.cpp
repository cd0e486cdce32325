// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engines/sgml/grid_matrix.hpp"

namespace gridiron::sgml {
namespace {

/// Where high frequencies begin and the spectrum ends; measured, except for anisotropic grids.
Band band_of(const StencilData& stencil, bool isotropic) {
  const bool flat = stencil.lattice.dimensions == 2;
  if (stencil.all_around) return flat ? Band{0.67, 1.42} : Band{0.6, 1.45};
  if (!isotropic) return {0.25, 2.0};
  return flat ? Band{0.4, 2.0} : Band{0.18, 2.0};
}

std::optional<double> box_reaction_of(const RegularGrid& grid, const Reaction& reaction) {
  if (!reaction.integrated.empty()) return std::nullopt;
  double sum = reaction.density;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    for (const RegularGrid::Boundary face : grid.boundary[axis])
      if (face == RegularGrid::Boundary::dirichlet) return std::nullopt;
    sum *= (grid.size[axis] - 1) * grid.spacing[axis];
  }
  return sum;
}

/// Whether the matrix is positive definite for values of zero mean, in an insulated box: the mean follows from the
/// sources, whatever the sign of the reaction. The next mode spans half a wavelength along one axis.
bool is_definite_without_mean(const RegularGrid& grid) {
  double lowest = INFINITY;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    for (const RegularGrid::Boundary face : grid.boundary[axis])
      if (face == RegularGrid::Boundary::dirichlet) return false;
    const double least = *std::ranges::min_element(grid.sigma[axis]);
    const double h = grid.spacing[axis], length = h * (grid.size[axis] - 1);
    lowest = std::min(lowest, least * 2 * (1 - std::cos(std::numbers::pi * h / length)) / (h * h));
  }
  const double weights = grid.stencil == RegularGrid::Stencil::axes ? 1 : 0.5;  // at least, of radial ones
  return grid.shift < weights * lowest;
}

LevelPlan plan_of(const RegularGrid& grid, const Reaction& reaction, StencilData stencil) {
  const Band band = band_of(stencil, is_isotropic(grid));
  return {std::move(stencil), band, coarsening(grid), box_reaction_of(grid, reaction)};
}

bool is_coarsest(const LevelPlan& level) {
  return std::ranges::all_of(level.to_next, [](const AxisMap& map) { return map.is_kept(); });
}

/// Weights of coarse grids.
StencilWeights coarse_weights(const RegularGrid& grid, bool radial) {
  if (!is_isotropic(grid)) return weights_along_axes(StencilWeights::Mean::arithmetic);
  return radial ? radial_weights(grid.dimensions) : balanced_weights(grid.dimensions);
}

}  // namespace

std::string embedding_note(const std::vector<LevelPlan>& levels) {
  for (const LevelPlan& level : levels)
    for (int axis = 0; axis < 3; ++axis) {
      const AxisMap& map = level.to_next[axis];
      if (map.is_nested()) continue;
      return fmt::format(
          "{} points along {} are not 2^n+1: {} of them are embedded in {} coarse ones, which costs some iterations",
          levels[0].to_next[axis].fine, "xyz"[axis], map.fine, map.coarse);
    }
  return {};
}

std::optional<std::string> not_a_grid_for_sgml(const Problem& problem) {
  const RegularGrid* const grid = problem.regular_grid();
  if (!grid) return "needs a problem on a regular grid";
  if (!problem.symmetric_positive_definite && !is_definite_without_mean(*grid))
    return "needs a symmetric positive definite matrix";
  if (grid->places != RegularGrid::Places::points) return "needs values at grid points, not at cell centres";
  for (int axis = 0; axis < grid->dimensions; ++axis)
    if (grid->size[axis] < 3) return fmt::format("needs at least 3 points along each axis, got {}", grid->size[axis]);
  const bool varies = !is_uniform(*grid);
  for (int axis = 1; varies && axis < grid->dimensions; ++axis)
    if (grid->sigma[axis] != grid->sigma[0]) return "needs the same sigma along all axes where it varies";
  const Lattice lattice = lattice_of(*grid);
  const int64_t entries = problem.matrix.nonzeros(), along_axes = entries_of(lattice, false);
  if (problem.matrix.rows != lattice.unknowns() || (entries != along_axes && entries != entries_of(lattice, true)))
    return "needs a matrix that couples neighbouring grid points, along the axes or all around";
  if (entries != along_axes && !is_isotropic(*grid))
    return "needs the same spacing and sigma along all axes where a matrix couples points all around";
  return std::nullopt;
}

std::vector<LevelPlan> plan_levels(const Problem& problem) {
  const RegularGrid& finest = *problem.regular_grid();
  Reaction reaction;
  StencilData own = stencil_of(problem, reaction);
  const bool radial = own.all_around;
  std::vector<LevelPlan> levels;
  levels.push_back(plan_of(finest, reaction, std::move(own)));
  RegularGrid grid;
  for (const RegularGrid* fine = &finest; !is_coarsest(levels.back()); fine = &grid) {
    const AxisMaps& maps = levels.back().to_next;
    if (!reaction.integrated.empty()) reaction.integrated = restricted(reaction.integrated, *fine, maps);
    grid = restricted(*fine, maps);
    levels.push_back(plan_of(grid, reaction, stencil_of(grid, coarse_weights(grid, radial), reaction)));
  }
  return levels;
}

}  // namespace gridiron::sgml
