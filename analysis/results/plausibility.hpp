// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/model/statistics.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// What a correct solution says against its netlist: no loads at all, currents of the wrong sign, nodes above their
/// supply or below ground.
std::vector<Finding> check_plausibility(const IrReport& report);

/// By how many volts the nodes of each net are beyond its nominal voltage that are so by more than the certified bound.
std::vector<Statistics> find_overshoots(const NodeTable& nodes, const std::vector<NetResult>& nets,
                                        const Certificate& certificate);
/// What check_plausibility() says of a report whose overshoots are known.
std::vector<Finding> check_plausibility(const IrReport& report, const std::vector<Statistics>& overshoots);

/// A warning of a net whose loads drive current the wrong way; the report names its nodes.
std::optional<Finding> reversed_load(const IrReport& report, const NetResult& net);
/// A warning of a net with nodes beyond its nominal voltage.
std::optional<Finding> overvoltage(const IrReport& report, const NetResult& net, const Statistics& overshoots);

/// A warning if no current source of the netlist draws anything at any time, which needs no solution.
std::vector<Finding> check_loads(const Circuit& circuit);

/// How far a node lies beyond what loads of the right sign can do, V: above a power net's supply, below a ground net.
double overshoot(const NetResult& net, double voltage);

/// What is beyond this, V, is an overvoltage; less may be an error of the solution.
double overshoot_slack(const Certificate& certificate, const NetResult& net);

}  // namespace gridiron
