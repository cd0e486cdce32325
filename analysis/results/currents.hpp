// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// What feeds a net: a tie, a resistor from a ground net to node 0, or an added pad. The others are −1.
struct PadCurrent {
  int64_t tie = -1, edge = -1;  ///< of the network
  int64_t added = -1;           ///< index into Topology::added_pads
  NodeId node = kGround;
  int32_t net = -1;
  double voltage_v = 0, current_a = 0;  ///< current into the grid
};

struct Currents {
  std::vector<PadCurrent> pads;  ///< in the order of the ties, of the resistors, then the added ones
  double imbalance_a = 0;        ///< Σ pad currents − Σ loads
  double sources_w = 0;          ///< what voltage sources and added pads deliver
};

/// The currents of all pads from the voltages of the nodes. `injection`: per node, A.
/// `do_sources_follow`: sources hold what the voltages of the nodes say, as controlled ones stand among them.
Currents find_currents(const Topology& topology, std::span<const double> injection, const NodeTable& nodes,
                       bool do_sources_follow = false);

/// Where the power of the sources goes. `amperes`: per current source.
PowerBalance find_power(const Circuit& circuit, const Topology& topology, const NodeTable& nodes,
                        std::span<const double> amperes, double sources_w);

/// Pads with their names, in the same order, and with their places: to find a place, all of the text before it is read.
std::vector<PadResult> named_pads(const Circuit& circuit, const Topology& topology, std::span<const PadCurrent> pads,
                                  bool with_places = true);

/// Pads with their shares of the current of their net, the largest current first.
std::vector<PadResult> ranked(std::vector<PadResult> pads);

}  // namespace gridiron
