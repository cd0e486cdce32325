// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/distributed/shared_design.hpp"
#include "analysis/run/ir_drop.hpp"

namespace gridiron::distributed {

/// The result of an analysis that processes share.
struct SharedIr {
  IrReport report;  ///< the same on all processes; findings are on the first one
  SharedDesign grid;
  NodeTable nodes;                   ///< of the local circuit
  int64_t most_nodes = 0;            ///< that a process owns
  int64_t largest_memory_bytes = 0;  ///< peak of a process; the report has the sum
};

/// Reads a netlist, which may be cut into several files, and solves it with all processes, each of which calls this:
/// reading, merging, reduction, the solve, its certificate and the summary hold what belongs to 1/P of the nodes on
/// each. Errors, on all processes: those of analyse_ir_drop(), and InputError for what is not available to several
/// processes.
SharedIr analyse_shared_ir_drop(const Communicator& all, const std::vector<std::string>& paths, const ReadOptions& read,
                                const IrOptions& options);

}  // namespace gridiron::distributed
