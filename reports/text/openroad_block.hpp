// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// What OpenROAD takes the average over of a layout's net: the nodes of its wires and vias, without terminals, pins of
/// the block and nodes behind the resistances of sources. Our own averages, and those of decks, are over all nodes.
struct OpenRoadAverages {
  double voltage_v = 0, drop_v = 0;
};
std::vector<OpenRoadAverages> openroad_averages(const IrReport& result);  ///< per net

/// The block that OpenROAD's analyze_power_grid prints, line for line, so that existing greps keep working, for each
/// net.
std::string openroad_ir_blocks(const IrReport& result);

}  // namespace gridiron
