// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/instances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridiron {
namespace {

/// One half of a load pair.
struct Half {
  std::string stem;
  std::int64_t source;
  bool is_power;
};

NodeId far_end(const Sources& sources, std::int64_t i) { return sources.a[i] == kGround ? sources.b[i] : sources.a[i]; }

}  // namespace

std::vector<InstancePins> find_instance_pins(const Circuit& circuit) {
  const Sources& sources = circuit.current_sources;
  std::vector<InstancePins> pins;
  const auto add_pair = [&](std::int64_t v, std::int64_t g) {
    pins.push_back({far_end(sources, v), far_end(sources, g), v, true, g});
  };
  const auto add_single = [&](std::int64_t i) { pins.push_back({far_end(sources, i), kGround, i, false}); };
  // `…_v` and `…_g` are usually adjacent; the rest are matched through a sorted list of unpaired halves.
  std::vector<Half> open;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    const NodeId a = sources.a[i], b = sources.b[i];
    if (a != kGround && b != kGround) {
      pins.push_back({a, b, i, false});
      continue;
    }
    std::string name = circuit.element_name(kCurrentSource, i);
    const char side = name.size() < 3 || name[name.size() - 2] != '_' ? ' ' : static_cast<char>(name.back() | 0x20);
    if (side != 'v' && side != 'g') {
      add_single(i);
      continue;
    }
    name.resize(name.size() - 2);
    const bool is_power = side == 'v';
    if (!open.empty() && open.back().stem == name && open.back().is_power != is_power) {
      const std::int64_t j = open.back().source;
      add_pair(is_power ? i : j, is_power ? j : i);
      open.pop_back();
    } else {
      open.push_back({std::move(name), i, is_power});
    }
  }
  std::stable_sort(open.begin(), open.end(), [](const Half& a, const Half& b) { return a.stem < b.stem; });
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (i + 1 == open.size() || open[i].stem != open[i + 1].stem || open[i].is_power == open[i + 1].is_power) {
      add_single(open[i].source);
      continue;
    }
    const std::size_t v = open[i].is_power ? i : i + 1, g = open[i].is_power ? i + 1 : i;
    add_pair(open[v].source, open[g].source);
    ++i;
  }
  return pins;
}

std::optional<InstanceResult> instance_at(const InstancePins& pins, std::span<const double> amperes,
                                          const NodeTable& nodes, std::span<const NetResult> nets) {
  NodeId power = pins.power, ground = pins.ground;
  if (nodes.net[power] < 0 || nodes.net[power] == nodes.net[ground]) return std::nullopt;
  if (nodes.net[ground] < 0 && !pins.is_one_ended()) return std::nullopt;
  if (!pins.is_pair && nets[nodes.net[power]].is_ground) std::swap(power, ground);
  const double drop = power == kGround ? 0 : nodes.drop_v[power], bounce = ground == kGround ? 0 : nodes.drop_v[ground];
  return InstanceResult{power,       ground,      drop, bounce, drop + bounce, std::abs(amperes[pins.source]),
                        pins.source, pins.is_pair};
}

std::vector<InstanceResult> instances_at(std::span<const InstancePins> pins, std::span<const double> amperes,
                                         const NodeTable& nodes, std::span<const NetResult> nets) {
  std::vector<InstanceResult> instances;
  instances.reserve(pins.size());
  for (const InstancePins& pin : pins)
    if (auto instance = instance_at(pin, amperes, nodes, nets)) instances.push_back(std::move(*instance));
  return instances;
}

SinkName instance_name(const Circuit& circuit, const InstanceResult& instance) {
  std::string name = circuit.element_name(kCurrentSource, instance.source);
  if (instance.is_pair) name.resize(name.size() - 2);
  const bool is_on_one_net = instance.power == kGround || instance.ground == kGround;
  SinkName sink = is_on_one_net ? sink_name(circuit, instance.source) : SinkName{};
  return sink.instance.empty() ? SinkName{std::move(name), ""} : sink;
}

void sort_instances(std::vector<InstanceResult>& instances) {
  std::vector<std::pair<double, std::size_t>> order;  // far smaller than what it orders
  order.reserve(instances.size());
  for (std::size_t i = 0; i < instances.size(); ++i) order.emplace_back(-instances[i].combined_v, i);
  std::sort(order.begin(), order.end());
  std::vector<InstanceResult> sorted;
  sorted.reserve(instances.size());
  for (const auto& [_, i] : order) sorted.push_back(instances[i]);
  instances = std::move(sorted);
}

}  // namespace gridiron
