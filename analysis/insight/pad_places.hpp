// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/insight/pad_gains.hpp"
#include "analysis/insight/solved_nets.hpp"

namespace gridiron {

/// What one more pad of a net may be.
struct PadPlaces {
  double ohm = 0;
  int64_t median_of = 0;        ///< pads of the net; 0: the resistance was given
  std::vector<int32_t> layers;  ///< ascending; empty: any
  /// Nodes without fixed potential that a current into the worst node of the net reaches, one of those that ties join.
  std::vector<NodeId> nodes;
};

/// `worst`: the node of the net with its worst drop. Errors: those of find_pad_gains() for options.
PadPlaces find_pad_places(const System& system, const SolvedNets& solved, const IrReport& report, NodeId worst,
                          const PadGainOptions& options);

}  // namespace gridiron
