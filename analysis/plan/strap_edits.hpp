// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/plan/find_plan.hpp"
#include "analysis/plan/strap_stages.hpp"

namespace gridiron {

/// The edits that add the straps at these places, in this order, with their gains as find_edits() has them; `measures`:
/// whether stages are solved for that. Errors: the solver's.
std::vector<PlanEdit> find_strap_edits(StrapStages& stages, std::span<const StrapPlace> places,
                                       std::span<const int32_t> order, const IrReport& today, const PlanCosts& costs,
                                       bool measures);

}  // namespace gridiron
