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

/// How far a node lies beyond what loads of the right sign can do, V: above a power net's supply, below a ground net.
double overshoot(const NetResult& net, double voltage);

/// What is beyond this, V, is an overvoltage; less may be an error of the solution.
double overshoot_slack(const IrReport& report, const NetResult& net);

}  // namespace gridiron
