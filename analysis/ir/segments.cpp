// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/segments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "netlist/node_place.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_terminal(std::string_view name) {
  if (parse_node_name(name).style != NodeName::Style::openroad) return false;
  return !same_name(name.substr(0, name.find('_')), "Node");
}

}  // namespace

LayerPair ascending(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint32_t>(a) <= static_cast<std::uint32_t>(b) ? LayerPair{a, b} : LayerPair{b, a};
}

SegmentTable find_segments(const Circuit& circuit, const Topology& topology, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  SegmentTable table;
  table.current_a.assign(static_cast<std::size_t>(circuit.resistors.size()), kNone);
  table.power_w.assign(table.current_a.size(), kNone);
  for_each_edge(circuit, [&](std::int64_t resistor, std::int64_t edge) {
    const NodeId a = network.a[edge], b = network.b[edge];
    if (nodes.state[a] != NodeState::solved || nodes.state[b] != NodeState::solved) return;
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
    return std::pair(nodes.net[a], ascending(nodes.layer[a], nodes.layer[b]));
  };
  const auto before = [](const auto& p, const auto& q) {
    const auto rank = [](const auto& key) {
      return std::tuple(key.first, static_cast<std::uint32_t>(key.second.layer),
                        static_cast<std::uint32_t>(key.second.other));
    };
    return rank(p) < rank(q);
  };
  std::map<std::pair<std::int32_t, LayerPair>, SegmentLayerResult, decltype(before)> layers(before);
  auto last = layers.end();  // neighbours in the deck are mostly on one layer
  for (std::int64_t i = 0; i < circuit.resistors.size(); ++i) {
    if (!segments.has(i)) continue;
    if (const auto key = key_of(i); last == layers.end() || last->first != key) {
      last = layers.try_emplace(key).first;
      last->second.net = key.first;
      last->second.layers = key.second;
    }
    SegmentLayerResult& layer = last->second;
    const double current = std::abs(segments.current_a[i]);
    ++layer.segments;
    layer.average_current_a += current;
    layer.power_w += segments.power_w[i];
    if (layer.worst >= 0 && !(current > layer.largest_current_a)) continue;
    layer.worst = i;
    layer.largest_current_a = current;
  }
  std::vector<SegmentLayerResult> list;
  for (auto& [key, layer] : layers) {
    layer.average_current_a /= static_cast<double>(layer.segments);
    list.push_back(layer);
  }
  return list;
}

LayerPair layers_of(const IrReport& report, std::int64_t resistor) {
  const Elements& r = report.circuit->resistors;
  return ascending(report.nodes.layer[r.a[resistor]], report.nodes.layer[r.b[resistor]]);
}

std::string layer_text(const std::vector<std::string>& layer_names, LayerPair layers) {
  if (layers.layer < 0) return "";
  const std::string& name = layer_names[layers.layer];
  if (layers.layer == layers.other) return name;
  return name + "-" + (layers.other < 0 ? "?" : layer_names[layers.other]);
}

bool is_terminal_link(const Circuit& circuit, std::int64_t resistor) {
  return is_terminal(circuit.node_name(circuit.resistors.a[resistor])) ||
         is_terminal(circuit.node_name(circuit.resistors.b[resistor]));
}

}  // namespace gridiron
