// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/distributed/shared_design.hpp"
#include "analysis/results/em_limits.hpp"

namespace gridiron::distributed {

/// The currents of segments that this process counts, which has both their ends; of others there is none.
SegmentTable find_shared_segments(const Communicator& all, const SharedDesign& grid, const NodeTable& nodes);

/// Adds to `report` the limits on the segments of all processes and what else there is to say of them; `nodes`: those
/// of this process, which are the same afterwards. Called by all processes. Errors, on all of them: those of
/// check_em_limits().
void check_shared_segments(const Communicator& all, const SharedDesign& grid, SegmentTable segments,
                           const std::vector<EmLimit>& limits, NodeTable& nodes, IrReport& report);

}  // namespace gridiron::distributed
