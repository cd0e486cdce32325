// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "analysis/plan/plan_grid.hpp"

namespace gridiron {

/// The same factor for all straps, up to the most of each; on a grid of widths as rounded_up() makes of it.
Setting uniform_widths(const PlanGrid& grid, double factor);

/// To widths that straps may have, or the largest of these.
Setting rounded_up(const PlanGrid& grid, Setting setting);

/// The least such factor that keeps all limits: by the secant of the excess over 1/factor, within the bounds that
/// bisection would have. `kept` is told of each trial that does, the last one of the least factor, which is returned;
/// none where no factor does. `today` is of the grid without changes. Errors: the solver's.
std::optional<double> find_uniform_factor(PlanGrid& grid, const Trial& today,
                                          const std::function<void(const Trial&)>& kept);

}  // namespace gridiron
