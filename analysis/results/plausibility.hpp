// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// What a correct solution says against its netlist: no loads at all, currents of the wrong sign, nodes above their
/// supply or below ground.
std::vector<Finding> check_plausibility(const IrReport& report);

/// Of a net: how many nodes are beyond its nominal voltage by more than the certified bound, and which is by most.
struct Overshoot {
  double volts = 0;
  NodeId node = kGround;
  std::int64_t nodes = 0;
};
std::vector<Overshoot> find_overshoots(const IrReport& report);
/// The same for those.
std::vector<Finding> check_plausibility(const IrReport& report, const std::vector<Overshoot>& worst);

/// Of a net whose loads drive current the wrong way.
std::optional<Finding> reversed_load(const Circuit& circuit, const NetResult& net);
/// Of a net with nodes beyond its nominal voltage.
std::optional<Finding> overvoltage(const Circuit& circuit, const NetResult& net, const Overshoot& worst);

/// That no current source of the netlist draws anything at any time, which needs no solution; empty otherwise.
std::vector<Finding> check_loads(const Circuit& circuit);

/// How far a node lies beyond what loads of the right sign can do, V: above a power net's supply, below a ground net.
double overshoot(const NetResult& net, double voltage);

/// What is beyond this, V, is an overvoltage; less may be an error of the solution.
double overshoot_slack(const IrReport& report, const NetResult& net);

}  // namespace gridiron
