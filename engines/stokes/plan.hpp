// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/stokes/transfers.hpp"
#include "grid/stokes_grid.hpp"

namespace gridiron::stokes {

/// What viscosities are divided by: their geometric mean.
double reference_viscosity(const StokesGrid& grid);

/// A level in the scaled variables ν u and h p, h = √(hx hy), with the equations of p times ν / h: its matrix depends
/// only on hy / hx and on a h² / ν, so that levels of square elements without reaction all have the same coefficients.
struct LevelPlan {
  StokesGrid grid;            ///< viscosity over the reference, spacing hx / h and hy / h, reaction a h² / ν
  Transfer from_finer;        ///< of no meaning on the finest level
  double velocity_bound = 0;  ///< largest eigenvalue of D⁻¹ (a M + ν K)
  double schur_bound = 0;     ///< largest eigenvalue of diag(S)⁻¹ S, S = B D⁻¹ Bᵀ
};

/// Bounds of square elements without reaction; parameters of relaxations are given for these.
inline constexpr double kSquareBound = 1.55, kSquareVankaBound = 1.85;

/// The levels, finest first: both axes are halved, or only the one along which elements are much shorter, as long as
/// the number of elements is even and not two.
std::vector<LevelPlan> plan_levels(const StokesGrid& grid);

/// Whether plan_levels() gives the same levels for both, as far as it decides that without forming them.
bool has_same_levels(const StokesGrid& a, const StokesGrid& b);

/// The magnitude of the largest eigenvalue of Σ Vᵀ W (V A Vᵀ)⁻¹ V A on a level, by power iteration on a small grid of
/// the same elements.
double measure_vanka(const StokesGrid& scaled);

/// Errors: ResourceError if inverses for all patches of a grid, of so many bytes, do not fit in this machine's memory.
void require_memory(double bytes, const StokesGrid& grid);

/// Why the levels end too early for the coarsest one to be solved directly, in the user's words.
std::optional<std::string> hierarchy_declines(const StokesGrid& grid);

}  // namespace gridiron::stokes
