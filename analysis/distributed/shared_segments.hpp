// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/distributed/shared_design.hpp"
#include "analysis/results/em_limits.hpp"

namespace gridiron::distributed {

/// The currents of segments where processes share a grid: each one counts at one process, which has both its ends.
class SharedSegments {
 public:
  /// `nodes`: with the voltages of the netlist, before parts are turned round. Called by all processes.
  SharedSegments(const Communicator& all, const SharedDesign& grid, const NodeTable& nodes);

  /// Where the cards are of the resistors with the largest current of each net and layer. In `report`, which has these
  /// and no other resistors, they have the same numbers.
  const std::vector<Origin>& worst() const { return worst_; }

  /// Of the others nothing is left.
  void keep_only_net(std::int32_t net);

  /// Adds to `report` the limits of all processes and what else there is to say; `nodes`: those of this process. Called
  /// by all processes, once. Errors, on all of them: those of check_em_limits().
  void check(const std::vector<EmLimit>& limits, NodeTable& nodes, IrReport& report);

 private:
  const Communicator& all_;
  const SharedDesign& grid_;
  SegmentTable segments_;                   ///< of this process; those that count elsewhere have no current
  std::vector<SegmentLayerResult> layers_;  ///< of all processes, without averages and power
  std::vector<Origin> worst_;
};

}  // namespace gridiron::distributed
