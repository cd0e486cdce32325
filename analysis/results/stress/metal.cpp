// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/metal.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "analysis/results/segments.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/names/node_place.hpp"
#include "support/parallel_arrays.hpp"
#include "support/union_find.hpp"

namespace gridiron {
namespace {

/// is_terminal() of a node; of most names the first letter tells that it is none.
bool is_terminal_node(const Circuit& circuit, NodeId node) {
  const SpelledName name = circuit.node_name(node);
  const std::string_view text = name;
  return !text.empty() && std::string_view("IiBbSs").find(text.front()) != std::string_view::npos && is_terminal(text);
}

/// A wire of a net that two sources feed is one all the same.
bool have_one_net_by_name(const Circuit& circuit, NodeId a, NodeId b) {
  const SpelledName name = circuit.node_name(a), other = circuit.node_name(b);
  const std::string_view net = parse_node_name(name).net;
  return !net.empty() && same_name(net, parse_node_name(other).net);
}

/// Nodes inside of branches that lead to one node only. Others lead from node to node, as where wires have inductance.
std::vector<uint8_t> find_dead(const Circuit& circuit, const Branches& branches) {
  if (branches.inside.empty()) return {};
  const int64_t nodes = circuit.node_count();
  UnionFind sets(nodes);
  const auto for_each_way = [&](auto f) {
    for (const Elements* elements : {&circuit.resistors, &circuit.inductors})
      for (int64_t i = 0; i < elements->size(); ++i)
        if (elements->a[i] != elements->b[i]) f(elements->a[i], elements->b[i]);
  };
  for_each_way([&](NodeId a, NodeId b) {
    if (branches.has(a) && branches.has(b)) sets.join(a, b);
  });
  constexpr NodeId kNone = -2;
  std::vector<NodeId> leads_to(nodes, kNone);
  std::vector<uint8_t> is_way(nodes, 0);
  for_each_way([&](NodeId a, NodeId b) {
    if (branches.has(a) == branches.has(b)) return;
    if (branches.has(b)) std::swap(a, b);
    const int32_t set = sets.find(a);
    if (leads_to[set] == kNone) leads_to[set] = b;
    is_way[set] |= leads_to[set] != b;
  });
  std::vector<uint8_t> dead(nodes, 0);
  for (NodeId n = 0; n < nodes; ++n) dead[n] = branches.has(n) && !is_way[sets.find(n)];
  return dead;
}

}  // namespace

MetalSections::MetalSections(const IrReport& report, std::span<const MetalLayer> table)
    : placement_(report.circuit->placement.get()),
      width_um_(report.layer_names.size(), NAN),
      thickness_um_(report.layer_names.size(), NAN) {
  for (size_t layer = 0; layer < report.layer_names.size(); ++layer) {
    const std::string& name = report.layer_names[layer];
    if (placement_)
      for (const Placement::Layer& known : placement_->layers)
        if (known.thickness_um > 0 && same_name(known.name, name)) thickness_um_[layer] = known.thickness_um;
    for (const MetalLayer& row : table) {
      if (!same_name(row.layer, name)) continue;
      if (row.width_um > 0) width_um_[layer] = row.width_um;
      if (row.thickness_um > 0) thickness_um_[layer] = row.thickness_um;
    }
  }
  if (placement_ && std::ssize(placement_->width) != report.circuit->resistors.size()) placement_ = nullptr;
}

double MetalSections::width_um(int64_t resistor, int32_t layer) const {
  const double width = placement_ ? placement_->width_um(resistor) : 0;
  return width > 0 ? width : width_um_[layer];
}

bool MetalSections::may_be_link(int64_t resistor) const { return !placement_ || placement_->width[resistor] == 0; }

double length_um(const NodeTable& nodes, NodeId a, NodeId b) {
  return std::hypot(nodes.x_um[a] - nodes.x_um[b], nodes.y_um[a] - nodes.y_um[b]);
}

Metal find_metal(const IrReport& report, const Topology& topology, const MetalSections& sections) {
  const Circuit& circuit = *report.circuit;
  const NodeTable& nodes = report.nodes;
  Metal metal;
  metal.dead = find_dead(circuit, topology.branches);
  const auto has_net = [&](NodeId n) { return nodes.net[n] >= 0 || topology.branches.has(n); };
  const auto are_of_nets = [&](int64_t i, NodeId a, NodeId b) {
    return nodes.net[a] != nodes.net[b] && nodes.net[a] >= 0 && nodes.net[b] >= 0 && sections.may_be_link(i) &&
           !have_one_net_by_name(circuit, a, b);
  };
  const auto kind_of = [&](int64_t i, double& volume_um3) {
    const NodeId a = circuit.resistors.a[i], b = circuit.resistors.b[i];
    if (a == b || a == kGround || b == kGround || metal.is_dead(a) || metal.is_dead(b)) return MetalKind::none;
    const int32_t layer = nodes.layer[a], other = nodes.layer[b];
    if (!has_net(a) || !has_net(b) || (layer != other && layer >= 0 && other >= 0)) return MetalKind::none;
    if (sections.may_be_link(i) && (is_terminal_node(circuit, a) || is_terminal_node(circuit, b)))
      return MetalKind::none;
    if (layer != other) return MetalKind::loose;
    if (layer < 0) return MetalKind::no_place;
    if (are_of_nets(i, a, b)) return MetalKind::joint;
    const double length = length_um(nodes, a, b);
    if (length == 0) return circuit.resistors.value[i] == 0 ? MetalKind::metal : MetalKind::joint;
    if (!std::isfinite(length)) return MetalKind::no_place;
    const double volume = length * sections.width_um(i, layer) * sections.thickness_um(layer);
    if (!(volume > 0) || !std::isfinite(volume)) return MetalKind::no_section;
    volume_um3 = volume;
    return MetalKind::metal;
  };
  assign_in_parallel(metal.kind, circuit.resistors.size(), MetalKind::none);
  assign_in_parallel(metal.volume_um3, circuit.resistors.size(), 0.0);
  parallel_each(circuit.resistors.size(), [&](int64_t i) { metal.kind[i] = kind_of(i, metal.volume_um3[i]); });
  return metal;
}

}  // namespace gridiron
