// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

namespace gridiron::distributed {

NodeRow row_of(const LocalCircuit& local, const NodeTable& nodes, NodeId n) {
  return {local.serial[n], nodes.net[n],       nodes.layer[n],  nodes.x_um[n],
          nodes.y_um[n],   nodes.voltage_v[n], nodes.drop_v[n], nodes.state[n]};
}

std::vector<int64_t> set_nodes(const std::vector<Communicator::Bytes>& messages, IrReport& report) {
  constexpr double kUnknown = NAN;
  std::vector<std::pair<NodeRow, std::string_view>> rows = {
      {{0, -1, -1, kUnknown, kUnknown, 0, 0, NodeState::ground}, "0"}};
  for (const Communicator::Bytes& bytes : messages)
    for (Reader reader(bytes); !reader.is_done();) {
      const auto row = reader.take<NodeRow>();
      rows.emplace_back(row, reader.text());
    }
  std::ranges::sort(rows, {}, [](const auto& row) { return row.first.serial; });
  const auto own = std::make_shared<NodeList>();
  std::vector<int64_t> serials;
  NodeTable& nodes = report.nodes;
  for (const auto& [row, name] : rows) {
    serials.push_back(row.serial);
    own->names.intern(name);
    own->x_um.push_back(row.x_um);
    own->y_um.push_back(row.y_um);
    own->layer.push_back(row.layer);
    nodes.voltage_v.push_back(row.voltage_v);
    nodes.drop_v.push_back(row.drop_v);
    nodes.net.push_back(row.net);
    nodes.state.push_back(row.state);
  }
  nodes.x_um = own->x_um;
  nodes.y_um = own->y_um;
  nodes.layer = own->layer;
  report.own_nodes = own;
  return serials;
}

std::map<NodeId, NodeId> share_nodes(const Communicator& all, const LocalCircuit& local, const NodeTable& nodes,
                                     const std::set<NodeId>& named, IrReport& report) {
  Writer writer;
  for (const NodeId n : named) {
    if (n == kGround) continue;
    writer.put(row_of(local, nodes, n));
    writer.put(local.circuit.node_name(n));
  }
  const std::vector<int64_t> serials = set_nodes(all.gather(writer.bytes()), report);
  std::map<NodeId, NodeId> id;
  for (const NodeId n : named)
    id[n] = static_cast<NodeId>(std::ranges::lower_bound(serials, local.serial[n]) - serials.begin());
  return id;
}

}  // namespace gridiron::distributed
