// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/shared_design.hpp"
#include "analysis/results/summarise.hpp"

namespace gridiron::distributed {

/// The results of all processes, the same on each of them: a report whose circuit and nodes are those only that it
/// names, the worst nodes and the pads. Instances, segments, with limits on them, and hot spots are left out. `nodes`:
/// those of the local circuit, filled in. Errors, on all processes: those of summarise().
IrReport summarise_shared(const Communicator& all, const SharedDesign& grid, const System& system, const Answer& answer,
                          const SummaryOptions& options, NodeTable& nodes);

}  // namespace gridiron::distributed
