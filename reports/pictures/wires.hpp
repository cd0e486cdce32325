// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/pictures/heat_map.hpp"

namespace gridiron {

/// Redraws the maps of single layers on which wires can be told apart, covering a third of the pixels at most: the
/// wires themselves in the colours of the drops along them, and nodes without a wire as dots, instead of areas around
/// nodes.
void draw_wires(const IrReport& result, std::vector<HeatMap>& maps);

}  // namespace gridiron
