// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analysis/distributed/local_circuit.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron::distributed {

/// A node as processes tell each other of it, with its name beside it.
struct NodeRow {
  int64_t serial;  ///< as LocalCircuit has it
  int32_t net, layer;
  double x_um, y_um, voltage_v, drop_v;
  NodeState state;
};
NodeRow row_of(const LocalCircuit& local, const NodeTable& nodes, NodeId n);

/// Gives a report nodes of its own: ground, then those of which messages have a row and a name, one after the other, by
/// serial number. Returns these numbers.
std::vector<int64_t> set_nodes(const std::vector<Communicator::Bytes>& messages, IrReport& report);

/// Gives a report the nodes that all processes name, and returns what those of this process are there. Node 0 is ground
/// there, too.
std::map<NodeId, NodeId> share_nodes(const Communicator& all, const LocalCircuit& local, const NodeTable& nodes,
                                     const std::set<NodeId>& named, IrReport& report);

}  // namespace gridiron::distributed
