// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/distributed/processes.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron::distributed {

/// The findings of all processes on the first one, each told once and not more of a kind than one process tells; none
/// on the others. What is told of an element that several hold counts for each of them.
std::vector<Finding> merge_findings(const Communicator& all, const std::vector<Finding>& mine);

}  // namespace gridiron::distributed
