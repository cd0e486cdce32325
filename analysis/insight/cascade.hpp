// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model/loads.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/stress/cascade_report.hpp"
#include "analysis/results/stress/stress.hpp"
#include "analysis/results/summarise.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// How segments fail one after the other by voids that electromigration leaves, until one of `summary`'s limits on
/// drops is exceeded: each stage is another grid, solved and certified, with the stress of all trees going on. `report`
/// is that of `loads`, one vector, with its stress by `options`, which have a lifetime and a cascade. The solver then
/// goes back to its own system. `findings` gets what a reader should know. Costs an update of the engine and a solve
/// per stage. Errors: InputError for a report of another design; the solver's.
CascadeReport find_cascade(Solver& solver, const Loads& loads, const IrReport& report, const StressOptions& options,
                           const SummaryOptions& summary, std::vector<Finding>& findings);

}  // namespace gridiron
