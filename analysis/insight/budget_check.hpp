// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// Solves for the loads of every net's worst, which a budget allows, by a way that knows nothing of how they were
/// found: fills in check_drop_v and check_bound_v, and compares every node of every net under each with the ceiling of
/// its net. Errors: SolverError where one is above it by more than the certified errors: a false certificate is never
/// reported.
void check_over_budget(Solver& solver, const IrReport& report, std::vector<BudgetNet>& nets);

}  // namespace gridiron
