// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/shared_design.hpp"
#include "analysis/results/summarise.hpp"

namespace gridiron::distributed {

/// The results of all processes, the same on each of them: a report without a netlist, whose nodes are those only that
/// it names, the worst ones and those of pads. It has no instances, tables of segments and hot spots. `nodes` becomes
/// those of the local circuit. Errors, on all processes: those of summarise().
IrReport summarise_shared(const Communicator& all, const SharedDesign& grid, const System& system, const Answer& answer,
                          const SummaryOptions& options, NodeTable& nodes);

}  // namespace gridiron::distributed
