// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string_view>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

// Names for the indices of an IrReport; empty if there is none.

inline SpelledName node_name(const IrReport& result, NodeId node) { return result.node_name(node); }

inline std::string_view layer_name(const IrReport& result, int32_t layer) {
  return layer < 0 ? std::string_view() : std::string_view(result.layer_names[layer]);
}

inline std::string_view net_name(const IrReport& result, int32_t net) {
  return net < 0 ? std::string_view() : std::string_view(result.nets[net].name);
}

/// Whether the run has a drop for this node.
inline bool has_drop(const NodeTable& nodes, size_t node) {
  return nodes.state[node] == NodeState::solved && nodes.net[node] >= 0;
}

/// Drop in percent of the supply; NaN if the supply is unknown.
inline double percent_of_supply(const NetResult& net, double volts) {
  return net.supply_v > 0 ? 100 * volts / net.supply_v : NAN;
}

}  // namespace gridiron
