// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "netlist/names/node_place.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr double kNone = NAN;

}  // namespace

SegmentTable find_segments(const Circuit& circuit, const Topology& topology, const NodeTable& nodes) {
  const Network& network = topology.grid.network;
  const Branches& branches = topology.branches;
  SegmentTable table;
  assign_in_parallel(table.current_a, circuit.resistors.size(), kNone);
  assign_in_parallel(table.power_w, circuit.resistors.size(), kNone);
  for_each_edge_in_parallel(circuit, [&](int64_t resistor, int64_t edge) {
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
  parallel_each(std::ssize(worst.current_a), [&](int64_t i) {
    if (!(std::abs(other.current_a[i]) > std::abs(worst.current_a[i]))) return;
    worst.current_a[i] = other.current_a[i];
    worst.power_w[i] = other.power_w[i];
  });
}

bool SegmentPlace::operator<(const SegmentPlace& other) const {
  const auto rank = [](const SegmentPlace& place) {
    const auto [layer, second] = place.layers;
    return std::tuple(place.net, static_cast<uint32_t>(layer), static_cast<uint32_t>(second));
  };
  return rank(*this) < rank(other);
}

SegmentsByLayer segments_by_layer(const Circuit& circuit, const NodeTable& nodes, const SegmentTable& segments) {
  const auto place_of = [&](int64_t resistor) {
    const NodeId a = circuit.resistors.a[resistor], b = circuit.resistors.b[resistor];
    return SegmentPlace{nodes.net[grid_end(circuit, resistor)], layers_between(nodes.layer, a, b)};
  };
  return joined_ranges<SegmentsByLayer>(
      circuit.resistors.size(),
      [&](int64_t begin, int64_t end) {
        SegmentsByLayer some;
        auto last = some.end();  // neighbours in the deck are mostly on one layer
        for (int64_t i = begin; i < end; ++i) {
          if (!segments.has(i)) continue;
          if (const SegmentPlace place = place_of(i); last == some.end() || last->first != place)
            last = some.try_emplace(place).first;
          last->second.currents.add(std::abs(segments.current_a[i]), i);
          last->second.power_w += segments.power_w[i];
        }
        return some;
      },
      [](SegmentsByLayer& all, const SegmentsByLayer& some) {
        for (const auto& [place, layer] : some) all[place].take(layer);
      });
}

std::vector<SegmentLayerResult> layer_results(const SegmentsByLayer& layers) {
  std::vector<SegmentLayerResult> list;
  for (const auto& [place, layer] : layers) {
    const auto& [count, sum, least, largest] = layer.currents;
    list.push_back(
        {place.net, place.layers, count, largest.at, largest.value, layer.currents.average(), layer.power_w});
  }
  return list;
}

std::string layer_text(const std::vector<std::string>& layer_names, LayerPair layers) {
  if (layers.layer < 0) return "";
  const std::string& name = layer_names[layers.layer];
  if (layers.layer == layers.other) return name;
  return name + "-" + (layers.other < 0 ? "?" : layer_names[layers.other]);
}

bool names_layers(std::string_view text, const std::vector<std::string>& layer_names, LayerPair layers) {
  return same_name(text, layer_text(layer_names, layers)) ||
         (layers.layer >= 0 && layers.other >= 0 && layers.layer != layers.other &&
          same_name(text, layer_names[layers.other] + "-" + layer_names[layers.layer]));
}

SegmentSection section_of(const IrReport& report, int64_t resistor) {
  SegmentSection section;
  const Placement* placement = report.circuit ? report.circuit->placement.get() : nullptr;
  if (!placement || resistor >= std::ssize(placement->width)) return section;
  section.cuts = placement->cuts[resistor];
  section.width_um = placement->width_um(resistor);
  if (!(section.width_um > 0)) return section;
  section.a_per_um = std::abs(report.segments.current_a[resistor]) / section.width_um;
  const int32_t layer = layers_of(report, resistor).layer;
  if (layer < 0) return section;
  const auto of_layout = std::ranges::find(placement->layers, report.layer_names[layer], &Placement::Layer::name);
  if (of_layout != placement->layers.end() && of_layout->thickness_um > 0)
    section.a_per_um2 = section.a_per_um / of_layout->thickness_um;
  return section;
}

std::vector<int64_t> densest_segments(const IrReport& report) {
  using OfPlaces = std::map<SegmentPlace, Largest>;
  const SegmentTable& segments = report.segments;
  const auto densest = joined_ranges<OfPlaces>(
      std::ssize(segments.current_a),
      [&](int64_t begin, int64_t end) {
        OfPlaces some;
        for (int64_t i = begin; i < end; ++i) {
          if (!segments.has(i)) continue;
          const double density = section_of(report, i).a_per_um;
          if (!(density >= 0)) continue;
          some[{report.nodes.net[grid_end(*report.circuit, i)], layers_of(report, i)}].take({density, i});
        }
        return some;
      },
      [](OfPlaces& all, const OfPlaces& some) {
        for (const auto& [place, largest] : some) all[place].take(largest);
      });
  std::vector<int64_t> rows;
  for (const SegmentLayerResult& layer : report.segment_layers) {
    const auto found = densest.find({layer.net, layer.layers});
    rows.push_back(found == densest.end() ? -1 : found->second.at);
  }
  return rows;
}

TerminalNodes::TerminalNodes(const Circuit& circuit) : names_(circuit.nodes), resistors_(circuit.resistors) {
  for (const std::string& stem : names_.stems().names()) of_stem_.push_back(is_terminal(stem + "_0_0") ? 1 : 0);
  has_any_ = std::ranges::find(of_stem_, 1) != of_stem_.end();
  for (int32_t text = 0; !has_any_ && text < names_.texts().size(); ++text)
    has_any_ = is_terminal(names_.texts()[text]);
}

bool TerminalNodes::is_terminal(std::string_view name) {
  // Of most names the first letter tells that they are none.
  if (name.empty() || std::string_view("IiBbSs").find(name.front()) == name.npos) return false;
  if (parse_node_name(name).style != NodeName::Style::openroad) return false;
  return !same_name(name.substr(0, name.find('_')), "Node");
}

int64_t count_unjudged_segments(const IrReport& report, const std::function<bool(NodeId, NodeId)>& counts) {
  const Elements& resistors = report.circuit->resistors;
  const std::vector<NodeState>& state = report.nodes.state;
  std::map<std::pair<int32_t, int32_t>, bool> is_limited;
  const auto has_limit = [&](LayerPair layers) {
    const auto [it, is_new] = is_limited.try_emplace({layers.layer, layers.other}, false);
    if (is_new)
      it->second = std::ranges::any_of(report.em_limits, [&](const EmLimitResult& limit) {
        return limit.layer == layer_text(report.layer_names, layers);
      });
    return it->second;
  };
  int64_t count = 0;
  for (int64_t i = 0; i < resistors.size() && !report.em_limits.empty(); ++i) {
    const NodeId a = resistors.a[i], b = resistors.b[i];
    const bool is_unlisted = state[a] == NodeState::unlisted || state[b] == NodeState::unlisted;
    if (!report.segments.has(i) && a != b && !is_unlisted && counts(a, b)) count += has_limit(layers_of(report, i));
  }
  return count;
}

std::vector<Finding> tell_unjudged_segments(int64_t count) {
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
