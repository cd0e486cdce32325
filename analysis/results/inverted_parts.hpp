// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/currents.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Turns the sinks of OpenROAD's ground nets round. Only loads drive such a part, so that all signs change with theirs.
/// It is done to results: circuit, solver and certificate keep to the netlist as it is written. `injection`: per node,
/// A.
void turn_inverted_parts(const Topology& topology, NodeTable& nodes, std::vector<double>& injection,
                         std::vector<PadCurrent>& pads);

}  // namespace gridiron
