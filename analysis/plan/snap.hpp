// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/plan_step.hpp"

namespace gridiron {

/// The widths that a strap may have on a grid of widths, as factors, ascending: 1, and multiples of the grid.
std::vector<double> widths_on_grid(const Strap& strap, double grid_um);

/// A trial near `from` whose widths are on the grid, as cheap as a search by single widths and pairs of them finds;
/// none if none that keeps all limits was found. `model` is of `from`. Errors: the solver's.
std::optional<Trial> snap_to_grid(PlanGrid& grid, const Trial& from, const PlanModel& model);

}  // namespace gridiron
