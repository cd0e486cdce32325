// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "reports/pictures/heat_map.hpp"
#include "reports/pictures/plot.hpp"

namespace gridiron {

/// Draws what a layout tells over the colours of a map: outlines of macros, and what is open on its net and layer, with
/// a cross. `per_um`: units of the plot's axes. Returns how many opens there are; nothing is drawn of a netlist.
int64_t draw_layout_marks(const IrReport& result, const HeatMap& map, double per_um, Plot& plot);

}  // namespace gridiron
