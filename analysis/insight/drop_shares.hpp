// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/results/explanation.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// Where the drops of nodes fall: with G λ = e_k, a resistor of conductance g between a and b has the share
/// g (λ_a − λ_b)(v_a − v_b), which is the current that a unit current into node k sends through it times its voltage
/// (Tellegen). What is left is where that current leaves the net: sources away from the nominal voltage, and
/// resistors to other nets. `report` is that of `loads`. Costs a solve per node, and one per load vector where there
/// are several. Errors: InputError for a node without drop and for a report of another design; the solver's.
std::vector<DropShares> find_drop_shares(Solver& solver, const Loads& loads, const IrReport& report,
                                         std::span<const NodeId> nodes);

/// Per net that exceeds a limit on drops the worst node of what the limits are on.
std::vector<NodeId> worst_beyond_limits(const IrReport& report);

}  // namespace gridiron
