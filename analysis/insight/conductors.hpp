// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/explanation.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// The resistors and shorts of a grid by node, for searches. It refers to circuit, topology and nodes, which must stay
/// alive; voltages are those of the solution, before ground nets with inverted loads are turned round;
/// currents of paths are those after.
class Conductors {
 public:
  /// `injection`: per node, A.
  Conductors(const Circuit& circuit, const Topology& topology, const NodeTable& nodes,
             std::span<const double> injection);

  /// The path of least resistance to a pad of the node's net (Dijkstra 1959), the resistance of the pad itself, where
  /// it was added or leads to ground, included in Path::ohm. `sign`: what the drop rises by per volt. O(E log N) at
  /// most; it ends at the pad. Drops and currents of its steps are those of `nodes`.
  Path path_to_pad(NodeId from, double sign) const;

 private:
  struct Conductor {
    NodeId to;
    int64_t edge;  ///< of the network; −1: a short
  };
  const Topology& topology_;
  const NodeTable& nodes_;
  std::vector<int64_t> start_;  ///< per node, one entry more
  std::vector<Conductor> conductor_;
  std::vector<int64_t> resistor_of_;  ///< per edge
  std::map<NodeId, double> pads_;     ///< with the resistance between node and potential, Ω
};

}  // namespace gridiron
