// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/plan/find_plan.hpp"

namespace gridiron {

/// Of how many edits it is found by solves what they do.
size_t most_edits_to_try(const PlanGrid& grid);

/// The edits of a plan, those first that gain most for their cost to first order, with what each gains: of the limit of
/// its net that is exceeded most today, in V, or A of a current, alone and in this order beside those before it. Solved
/// for the first of them (most_edits_to_try()), if it `measures`; NaN for the others. The solver is of another setting
/// afterwards. Errors: the solver's.
std::vector<PlanEdit> find_edits(PlanGrid& grid, const Trial& today, const Setting& plan,
                                 const std::vector<double>& first_order_gain, bool measures);

}  // namespace gridiron
