// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <type_traits>

#include "netlist/names/node_place.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_terminal(std::string_view name) {
  if (parse_node_name(name).style != NodeName::Style::openroad) return false;
  return !same_name(name.substr(0, name.find('_')), "Node");
}

/// `average_current_a` is a sum here.
void join(const SegmentLayerResult& some, SegmentLayerResult& all) {
  all.net = some.net;
  all.layers = some.layers;
  all.segments += some.segments;
  all.average_current_a += some.average_current_a;
  all.power_w += some.power_w;
  if (all.worst >= 0 && !(some.largest_current_a > all.largest_current_a)) return;
  all.worst = some.worst;
  all.largest_current_a = some.largest_current_a;
}

}  // namespace

LayerPair ascending(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint32_t>(a) <= static_cast<std::uint32_t>(b) ? LayerPair{a, b} : LayerPair{b, a};
}

LayerPair layers_between(std::span<const std::int32_t> layer, NodeId a, NodeId b) {
  return ascending(layer[a == kGround ? b : a], layer[b == kGround ? a : b]);
}

SegmentTable find_segments(const Circuit& circuit, const Topology& topology, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  const Branches& branches = topology.branches;
  SegmentTable table;
  assign_in_parallel(table.current_a, circuit.resistors.size(), kNone);
  assign_in_parallel(table.power_w, circuit.resistors.size(), kNone);
  for_each_edge_in_parallel(circuit, [&](std::int64_t resistor, std::int64_t edge) {
    const NodeId a = network.a[edge], b = network.b[edge];
    const auto is_wire_from = [&](NodeId end, NodeId other) {
      if (nodes.state[end] != NodeState::solved || branches.has(end)) return false;
      if (other != kGround) return nodes.state[other] == NodeState::solved && !branches.has(other);
      return !branches.is_leak(topology.parts.part[end], network.conductance[edge]) && nodes.net[end] >= 0 &&
             topology.nets.nets[nodes.net[end]].is_ground();
    };
    if (!(a == kGround ? is_wire_from(b, a) : is_wire_from(a, b))) return;
    const double volts = nodes.voltage_v[a] - nodes.voltage_v[b];
    table.current_a[resistor] = network.conductance[edge] * volts;
    table.power_w[resistor] = table.current_a[resistor] * volts;
  });
  return table;
}

void join(const SegmentTable& other, SegmentTable& worst) {
  parallel_ranges(static_cast<std::int64_t>(worst.current_a.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (!(std::abs(other.current_a[i]) > std::abs(worst.current_a[i]))) continue;
      worst.current_a[i] = other.current_a[i];
      worst.power_w[i] = other.power_w[i];
    }
  });
}

std::vector<SegmentLayerResult> segments_by_layer(const Circuit& circuit, const NodeTable& nodes,
                                                  const SegmentTable& segments) {
  const auto key_of = [&](std::int64_t resistor) {
    const NodeId a = circuit.resistors.a[resistor], b = circuit.resistors.b[resistor];
    return std::pair(nodes.net[grid_end(circuit, resistor)], layers_between(nodes.layer, a, b));
  };
  const auto before = [](const auto& p, const auto& q) {
    const auto rank = [](const auto& key) {
      return std::tuple(key.first, static_cast<std::uint32_t>(key.second.layer),
                        static_cast<std::uint32_t>(key.second.other));
    };
    return rank(p) < rank(q);
  };
  using Layers =
      std::map<std::pair<std::int32_t, LayerPair>, SegmentLayerResult, std::remove_const_t<decltype(before)>>;
  const auto layers = joined_ranges<Layers>(
      circuit.resistors.size(),
      [&](std::int64_t begin, std::int64_t end) {
        Layers some;
        auto last = some.end();  // neighbours in the deck are mostly on one layer
        for (std::int64_t i = begin; i < end; ++i) {
          if (!segments.has(i)) continue;
          if (const auto key = key_of(i); last == some.end() || last->first != key) last = some.try_emplace(key).first;
          const double current = std::abs(segments.current_a[i]);
          join({last->first.first, last->first.second, 1, i, current, current, segments.power_w[i]}, last->second);
        }
        return some;
      },
      [](Layers& all, const Layers& some) {
        for (const auto& [key, layer] : some) join(layer, all[key]);
      });
  std::vector<SegmentLayerResult> list;
  for (const auto& [key, layer] : layers) {
    list.push_back(layer);
    list.back().average_current_a /= static_cast<double>(layer.segments);
  }
  return list;
}

LayerPair layers_of(const IrReport& report, std::int64_t resistor) {
  const Elements& r = report.circuit->resistors;
  return layers_between(report.nodes.layer, r.a[resistor], r.b[resistor]);
}

std::string layer_text(const std::vector<std::string>& layer_names, LayerPair layers) {
  if (layers.layer < 0) return "";
  const std::string& name = layer_names[layers.layer];
  if (layers.layer == layers.other) return name;
  return name + "-" + (layers.other < 0 ? "?" : layer_names[layers.other]);
}

bool is_terminal_link(const Circuit& circuit, std::int64_t resistor) {
  const auto is_outside = [&](NodeId n) { return n == kGround || is_terminal(circuit.node_name(n)); };
  return is_outside(circuit.resistors.a[resistor]) || is_outside(circuit.resistors.b[resistor]);
}

std::int64_t count_unjudged_segments(const IrReport& report, const std::function<bool(NodeId, NodeId)>& counts) {
  const Elements& resistors = report.circuit->resistors;
  const std::vector<NodeState>& state = report.nodes.state;
  std::map<std::pair<std::int32_t, std::int32_t>, bool> is_limited;
  const auto has_limit = [&](LayerPair layers) {
    const auto [it, is_new] = is_limited.try_emplace({layers.layer, layers.other}, false);
    if (is_new)
      it->second = std::any_of(report.em_limits.begin(), report.em_limits.end(), [&](const EmLimitResult& limit) {
        return limit.layer == layer_text(report.layer_names, layers);
      });
    return it->second;
  };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < resistors.size() && !report.em_limits.empty(); ++i) {
    const NodeId a = resistors.a[i], b = resistors.b[i];
    const bool is_unlisted = state[a] == NodeState::unlisted || state[b] == NodeState::unlisted;
    if (!report.segments.has(i) && a != b && !is_unlisted && counts(a, b)) count += has_limit(layers_of(report, i));
  }
  return count;
}

std::vector<Finding> tell_unjudged_segments(std::int64_t count) {
  if (count == 0) return {};
  return {
      {Finding::Severity::info, "segments-without-current",
       fmt::format(
           "{} on layers with a current limit {} not checked, as shorts, floating ones, and those from a power net to "
           "node 0, which are loads, are no segments",
           counted(count, "resistor"), count == 1 ? "is" : "are"),
       ""}};
}

}  // namespace gridiron
