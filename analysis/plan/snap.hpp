// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/plan_step.hpp"

namespace gridiron {

/// The widths that a strap may have, as factors, ascending: 1, and multiples of PlanMeans::grid_um with which the edges
/// of its wires are on the manufacturing grid, where its middle stays; without the former the latter alone.
std::vector<double> widths_on_grid(const Strap& strap, const PlanMeans& means);

/// A trial near `from` whose widths are such ones, as cheap as a search by single widths and pairs of them finds, a
/// short one on the manufacturing grid alone; none if none that keeps all limits was found. `model` is of `from`.
/// Errors: the solver's.
std::optional<Trial> snap_to_grid(PlanGrid& grid, const Trial& from, const PlanModel& model);

}  // namespace gridiron
