// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Nodes that have a drop, largest first; equal drops in the order of the netlist.
std::vector<NodeId> rank_nodes(const IrReport& result);

/// Per net the `count` worst nodes in that order. A single pass, without ranking all nodes.
std::vector<std::vector<NodeId>> worst_nodes(const IrReport& result, size_t count);

/// Indices of IrReport::hot_spots, worst first: about `count`, of which nets that exceed a limit share the places; each
/// of these nets has one at least.
std::vector<size_t> shown_hot_spots(const IrReport& result, size_t count);

}  // namespace gridiron
