// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/metal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "analysis/results/segments.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/names/node_place.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/union_find.hpp"

namespace gridiron {
namespace {

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

/// Of wires with a volume: the largest cross-section, and how far a wire is from the origin, along x and y.
struct Extremes {
  double outermost_um = 0, area_um2 = 0;

  void note(const NodeTable& nodes, NodeId a, double length, double area) {
    outermost_um = std::max(outermost_um, std::abs(nodes.x_um[a]) + std::abs(nodes.y_um[a]) + length);
    area_um2 = std::max(area_um2, area);
  }
  void take(const Extremes& other) {
    outermost_um = std::max(outermost_um, other.outermost_um);
    area_um2 = std::max(area_um2, other.area_um2);
  }
  /// Of a volume, by that of the coordinates of both ends.
  double rounding_um3() const { return 2 * outermost_um * (0.5 * std::numeric_limits<double>::epsilon()) * area_um2; }
};

/// Resistors that need a second look.
struct Exceptions {
  std::vector<int64_t> ties, grounded;
  int64_t no_section = 0, no_place = 0;
  Extremes extremes;

  void note(const Elements& resistors, int64_t i, MetalKind kind) {
    switch (kind) {
      case MetalKind::metal:
        return;
      case MetalKind::no_section:
        ++no_section;
        return;
      case MetalKind::no_place:
        ++no_place;
        return;
      case MetalKind::joint:
      case MetalKind::loose:
        ties.push_back(i);
        return;
      case MetalKind::none:
        break;
    }
    if ((resistors.a[i] == kGround || resistors.b[i] == kGround) && resistors.value[i] == 0) grounded.push_back(i);
  }
  void take(const Exceptions& other) {
    append(ties, other.ties);
    append(grounded, other.grounded);
    no_section += other.no_section, no_place += other.no_place;
    extremes.take(other.extremes);
  }
};

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
  if (!placement_ || placement_->width[resistor] == 0) return width_um_[layer];
  // Of a sliver beside unknown metal its own is known to be there.
  const double width = placement_->metal_width_um(resistor);
  return width > 0 ? width : placement_->width_um(resistor);
}

bool MetalSections::may_be_link(int64_t resistor) const { return !placement_ || placement_->width[resistor] == 0; }

Metal find_metal(const IrReport& report, const Topology& topology, const MetalSections& sections) {
  const Circuit& circuit = *report.circuit;
  const NodeTable& nodes = report.nodes;
  const TerminalNodes terminals(circuit);
  Metal metal;
  metal.dead = find_dead(circuit, topology.branches);
  const auto has_net = [&](NodeId n) { return nodes.net[n] >= 0 || topology.branches.has(n); };
  const auto are_of_nets = [&](int64_t i, NodeId a, NodeId b) {
    return nodes.net[a] != nodes.net[b] && nodes.net[a] >= 0 && nodes.net[b] >= 0 && sections.may_be_link(i) &&
           !have_one_net_by_name(circuit, a, b);
  };
  const auto kind_of = [&](int64_t i, double& volume_um3, Extremes& extremes) {
    const NodeId a = circuit.resistors.a[i], b = circuit.resistors.b[i];
    if (a == b || a == kGround || b == kGround || metal.is_dead(a) || metal.is_dead(b)) return MetalKind::none;
    const int32_t layer = nodes.layer[a], other = nodes.layer[b];
    if (!has_net(a) || !has_net(b) || (layer != other && layer >= 0 && other >= 0)) return MetalKind::none;
    if (sections.may_be_link(i) && (terminals.has(a) || terminals.has(b))) return MetalKind::none;
    if (layer != other) return MetalKind::loose;
    if (layer < 0) return MetalKind::no_place;
    if (are_of_nets(i, a, b)) return MetalKind::joint;
    const double length = length_um(nodes, a, b);
    if (length == 0) return circuit.resistors.value[i] == 0 ? MetalKind::metal : MetalKind::joint;
    if (!std::isfinite(length)) return MetalKind::no_place;
    const double section = sections.width_um(i, layer) * sections.thickness_um(layer) * circuit.copies_of(i);
    const double volume = length * section;
    if (!(volume > 0) || !std::isfinite(volume)) return MetalKind::no_section;
    volume_um3 = volume;
    extremes.note(nodes, a, length, section);
    return MetalKind::metal;
  };
  const int64_t resistors = circuit.resistors.size();
  make_room_in_parallel(metal.kind, resistors);
  make_room_in_parallel(metal.volume_um3, resistors);
  Exceptions found = joined_ranges<Exceptions>(
      resistors,
      [&](int64_t begin, int64_t end) {
        Exceptions some;
        for (int64_t i = begin; i < end; ++i) {
          metal.volume_um3[i] = 0;
          metal.kind[i] = kind_of(i, metal.volume_um3[i], some.extremes);
          some.note(circuit.resistors, i, metal.kind[i]);
        }
        return some;
      },
      [](Exceptions& all, const Exceptions& some) { all.take(some); });
  metal.ties = std::move(found.ties);
  metal.grounded = std::move(found.grounded);
  metal.no_section = found.no_section, metal.no_place = found.no_place;
  metal.rounding_um3 = found.extremes.rounding_um3();
  return metal;
}

}  // namespace gridiron
