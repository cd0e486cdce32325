// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// What a correct solution says against its netlist: no loads at all, currents of the wrong sign, nodes above their
/// supply or below ground.
std::vector<Finding> check_plausibility(const IrReport& report);

/// That no current source of the netlist draws anything, which needs no solution; empty otherwise.
std::vector<Finding> check_loads(const Circuit& circuit);

}  // namespace gridiron
