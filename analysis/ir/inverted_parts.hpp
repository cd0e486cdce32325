// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/ir/currents.hpp"
#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/topology.hpp"

namespace gridiron {

/// Turns the sinks of OpenROAD's ground nets round. Only loads drive such a part, so that all signs change with theirs.
/// `injection`: per node, A.
void turn_inverted_parts(const Topology& topology, NodeTable& nodes, std::vector<double>& injection,
                         std::vector<PadCurrent>& pads);

}  // namespace gridiron
