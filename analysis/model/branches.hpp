// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

struct Nets;
struct Finding;

/// What hangs on a grid without being of it: nodes inside of branches of several elements, and resistors to node 0
/// through which a ground net leaks. Such nodes have voltages, but are of no net. The resistor of a branch to node 0
/// through which direct current flows is a pad of the net that the branch feeds.
struct Branches {
  std::vector<uint8_t> inside;           ///< per node; empty: none
  std::vector<double> widest_to_ground;  ///< per part, S: see is_leak(); empty: no resistor ends at node 0

  bool has(NodeId n) const { return !inside.empty() && inside[n] != 0; }
  /// Of a resistor from node 0 to a part whose net is at 0 V: whether it has more than a hundred times the resistance
  /// of the widest way from there, which is another resistor to node 0, or one to a node that sources hold.
  bool is_leak(int32_t part, double conductance) const {
    constexpr double kLeast = 0.01;
    return conductance < kLeast * widest_to_ground[part];
  }
};

/// Inside of a branch is a node
///  - where capacitors meet resistors or inductors that all lead to one other node: no direct current flows through it;
///  - where an inductor meets a second inductor or a resistor, and nothing else,
/// unless a source or an element of 0 Ω or 0 H is there, or the node's name puts it on a layer, which tells the end of
/// a strap from a capacitor in series with a resistor. Nodes beyond `own` are left out, and what inductors hold at the
/// voltage of a source or node 0 is decided by keep_whole_grids().
std::vector<uint8_t> find_inside(const Circuit& circuit, const NodePlaces& places, const Merge& merge, int64_t own);

/// Per part: nodes that are not inside, which sources hold or do not.
struct PartNodes {
  std::vector<double> held, free;
};
PartNodes count_part_nodes(const std::vector<uint8_t>& inside, const Parts& parts, const Merge& merge, int64_t own);
/// Where a source feeds nothing else, what looks like a branch is all there is of the grid. Nodes that inductors hold
/// are of the grid, too, as beyond the inductor of a package, unless all of their part is inside: a decap's inductor.
void keep_whole_grids(const PartNodes& nodes, const Parts& parts, std::vector<uint8_t>& inside);

/// Branches::widest_to_ground.
std::vector<double> find_widest_to_ground(const Network& network, const Parts& parts, const Merge& merge);

/// All of these.
Branches find_branches(const Circuit& circuit, const NodePlaces& places, const Network& network, const Parts& parts,
                       const Merge& merge);

/// The resistors to node 0 of nets at 0 V that are leaks, an end each.
std::vector<NodeId> leaking_nodes(const Network& network, const Parts& parts, const Nets& nets,
                                  const Branches& branches);

/// Tells of so many nodes and leaks, the first one at `leaking`.
std::vector<Finding> branch_findings(int64_t inside, int64_t leaks, const std::string& leaking);

}  // namespace gridiron
