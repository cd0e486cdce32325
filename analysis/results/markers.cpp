// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/markers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/open_markers.hpp"
#include "analysis/results/plausibility.hpp"
#include "analysis/results/segments.hpp"

namespace gridiron {
namespace {

/// Where nodes are, and what they are on.
struct Places {
  const Circuit& circuit;
  std::span<const int32_t> layer;
  const std::vector<std::string>& layers;
  std::span<const double> x_um, y_um;
  double half_um = 0.5;  ///< half the side of a node's marker

  bool known(NodeId n) const { return n != kGround && std::isfinite(x_um[n]) && std::isfinite(y_um[n]); }

  Marker between(Marker::Kind kind, std::string net, NodeId a, NodeId b) const {
    return {kind,
            std::move(net),
            layer[a] < 0 ? "" : layers[layer[a]],
            std::string(circuit.node_name(a)),
            std::min(x_um[a], x_um[b]) - half_um,
            std::min(y_um[a], y_um[b]) - half_um,
            std::max(x_um[a], x_um[b]) + half_um,
            std::max(y_um[a], y_um[b]) + half_um};
  }
  Marker at(Marker::Kind kind, std::string net, NodeId n) const { return between(kind, std::move(net), n, n); }
};

/// The longer side of the chip.
double extent_of(const Places& places) {
  double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
  for (size_t n = 1; n < places.x_um.size(); ++n) {
    if (!places.known(static_cast<NodeId>(n))) continue;
    left = std::min(left, places.x_um[n]), right = std::max(right, places.x_um[n]);
    bottom = std::min(bottom, places.y_um[n]), top = std::max(top, places.y_um[n]);
  }
  return std::max({right - left, top - bottom, 0.0});
}

/// Markers 1 µm wide, smaller on a small chip.
Places with_markers_that_fit(Places places) {
  const double extent = extent_of(places);
  if (extent > 0) places.half_um = std::min(0.5, extent / 1000);
  return places;
}

using IsFloating = std::function<bool(NodeId)>;
using NetOf = std::function<std::string(NodeId)>;

/// Wires that no path connects to a source, nodes without wires among them, and the loads at such nodes.
void mark_what_floats(const Places& places, const IsFloating& floats, const NetOf& net_of, Markers& out) {
  const Circuit& circuit = places.circuit;
  const Sources& loads = circuit.current_sources;
  ShownMarkers of_loads{Marker::Kind::unconnected_load, {}, {}}, of_shapes{Marker::Kind::unconnected_shape, {}, {}};
  const auto has_room = [](ShownMarkers& markers, bool has_place) {
    ++markers.of;
    const bool is_shown = has_place && markers.shown < static_cast<int64_t>(kMostMarkers);
    markers.shown += is_shown;
    return is_shown;
  };
  for (int64_t i = 0; i < loads.size(); ++i)
    for (const NodeId n : {loads.a[i], loads.b[i]}) {
      if (loads.value[i] == 0 || n == kGround || !floats(n) || !has_room(of_loads, places.known(n))) continue;
      Marker& marker = out.list.emplace_back(places.at(Marker::Kind::unconnected_load, net_of(n), n));
      marker.value = std::abs(loads.value[i]);
    }

  const Elements& wires = circuit.resistors;
  std::vector<uint8_t> on_a_wire(places.x_um.size(), 0);
  const auto is_marked = [&](NodeId n) { return n != kGround && floats(n); };
  for (int64_t i = 0; i < wires.size(); ++i) {
    const NodeId a = wires.a[i], b = wires.b[i];
    if (a == b || !is_marked(a) || !is_marked(b) || places.layer[a] != places.layer[b]) continue;
    on_a_wire[a] = on_a_wire[b] = 1;
    if (has_room(of_shapes, places.known(a) && places.known(b)))
      out.list.push_back(places.between(Marker::Kind::unconnected_shape, net_of(a), a, b));
  }
  for (size_t n = 1; n < on_a_wire.size(); ++n) {
    const NodeId node = n;
    if (on_a_wire[n] || !is_marked(node) || !has_room(of_shapes, places.known(node))) continue;
    out.list.push_back(places.at(Marker::Kind::unconnected_shape, net_of(node), node));
  }
  for (const ShownMarkers& markers : {of_loads, of_shapes})
    if (markers.shown < markers.of) out.cut.push_back(markers);
}

/// The nodes for which value(n) is above `least`, largest first, kMostMarkers at most.
std::vector<NodeId> worst_first(size_t nodes, double least, auto&& value) {
  std::vector<NodeId> found;
  for (size_t n = 0; n < nodes; ++n)
    if (value(n) > least) found.push_back(static_cast<NodeId>(n));
  const size_t kept = std::min(found.size(), kMostMarkers);
  std::partial_sort(found.begin(), found.begin() + kept, found.end(), [&](NodeId a, NodeId b) {
    const double of_a = value(static_cast<size_t>(a)), of_b = value(static_cast<size_t>(b));
    return of_a != of_b ? of_a > of_b : a < b;
  });
  found.resize(kept);
  return found;
}

class DropMarkers {
 public:
  DropMarkers(const IrReport& report, const Places& places, Markers& out)
      : report_(report), places_(places), out_(out), is_over_limit_(report.nodes.net.size(), 0) {}

  void add_over(const LimitResult& limit) {
    const NodeTable& nodes = report_.nodes;
    const std::vector<NodeId> over = worst_first(nodes.net.size(), limit.limit_v, [&](size_t n) {
      const bool counts =
          is_shown(n) && report_.nets[nodes.net[n]].name == limit.net &&
          (limit.layer.empty() || (nodes.layer[n] >= 0 && report_.layer_names[nodes.layer[n]] == limit.layer));
      return counts ? nodes.drop_v[n] : -INFINITY;
    });
    for (const NodeId n : over) {
      add(Marker::Kind::over_limit, n, nodes.drop_v[n]).limit = limit.limit_v;
      is_over_limit_[n] = 1;
    }
    cut_if(Marker::Kind::over_limit, limit.net, limit.layer, std::ssize(over), limit.failed);
  }

  void add_hot_spots(int32_t net) {
    for (const HotSpot& spot : report_.hot_spots)
      if (spot.net == net && places_.known(spot.node)) add(Marker::Kind::hot_spot, spot.node, spot.drop_v);
  }

  void add_over(const EmLimitResult& limit) {
    const Elements& wires = report_.circuit->resistors;
    std::vector<std::pair<double, int64_t>> over;
    for (int64_t i = 0; i < wires.size() && !report_.segments.current_a.empty(); ++i) {
      const double amperes = std::abs(report_.segments.current_a[i]);
      const NodeId end = grid_end(*report_.circuit, i), other = other_end(i);
      if (!(amperes > limit.limit_a) || !places_.known(end) || !places_.known(other)) continue;
      const int32_t net = report_.nodes.net[end];
      if (net >= 0 && report_.nets[net].name == limit.net &&
          layer_text(report_.layer_names, layers_of(report_, i)) == limit.layer)
        over.emplace_back(-amperes, i);
    }
    std::ranges::sort(over);
    over.resize(std::min(over.size(), kMostMarkers));
    cut_if(Marker::Kind::over_em_limit, limit.net, limit.layer, std::ssize(over), limit.failed);
    for (const auto& [less, i] : over) {
      Marker& marker = out_.list.emplace_back(
          places_.between(Marker::Kind::over_em_limit, limit.net, grid_end(*report_.circuit, i), other_end(i)));
      marker.value = -less;
      marker.limit = limit.limit_a;
    }
  }

  /// Segments above their limit by rules, worst first.
  void add_over(const EmReport& em) {
    int64_t shown = 0;
    if (em.violated == 0) return;
    for (const int64_t i : em_worst_first(report_, em, 2 * kMostMarkers)) {
      if (em.verdict[i] != EmVerdict::violated || shown == static_cast<int64_t>(kMostMarkers)) break;
      const NodeId end = grid_end(*report_.circuit, i), other = other_end(i);
      if (!places_.known(end) || !places_.known(other)) continue;
      const std::string& net = report_.nets[report_.nodes.net[end]].name;
      Marker& marker = out_.list.emplace_back(places_.between(Marker::Kind::over_em_rule, net, end, other));
      marker.value = em_row(report_, em, i).ratio;
      marker.limit = em.share;
      ++shown;
    }
    cut_if(Marker::Kind::over_em_rule, "", "", shown, em.violated);
  }

  /// The node of each tree with the largest stress, worst first.
  void add_over(const StressReport& stress) {
    const double limit_pa = stress.limit ? stress.limit->limit_pa : stress.metal.critical_stress_pa;
    std::vector<std::pair<double, NodeId>> over;
    for (const StressTree& tree : stress.trees)
      if (tree.is_known && tree.stress_pa > limit_pa) over.emplace_back(-tree.stress_pa, tree.worst);
    const int64_t shown = add_worst(Marker::Kind::over_stress, over);
    for (Marker& marker : std::span(out_.list).last(static_cast<size_t>(shown))) marker.limit = limit_pa;
  }

  /// Where voids nucleate, the first ones first.
  void add_voids(const LifetimeReport& lifetime) {
    std::vector<std::pair<double, NodeId>> voids;
    for (const TreeLifetime& tree : lifetime.trees)
      if (tree.nucleates()) voids.emplace_back(tree.time_s, tree.node);
    add_worst(Marker::Kind::void_nucleation, voids);
  }

  /// Segments in the order in which they fail.
  void add_failures(const CascadeReport& cascade) {
    int64_t shown = 0;
    for (const CascadeStage& stage : cascade.stages) {
      if (shown == static_cast<int64_t>(kMostMarkers)) break;
      const NodeId end = grid_end(*report_.circuit, stage.resistor), other = other_end(stage.resistor);
      if (!places_.known(end) || !places_.known(other)) continue;
      const std::string net = stage.net < 0 ? "" : report_.nets[stage.net].name;
      out_.list.push_back(places_.between(Marker::Kind::failing_segment, net, end, other));
      out_.list.back().value = stage.time_s;
      ++shown;
    }
    cut_if(Marker::Kind::failing_segment, "", "", shown, std::ssize(cascade.stages));
  }

  void add_overvoltages() {
    const NodeTable& nodes = report_.nodes;
    const auto beyond = [&](size_t n) -> double {
      if (!is_shown(n) || is_over_limit_[n]) return -INFINITY;  // below 0 V, a ground node is both
      const NetResult& net = report_.nets[nodes.net[n]];
      const double volts = overshoot(net, nodes.voltage_v[n]);
      return volts > overshoot_slack(report_.certificate, net) ? volts : -INFINITY;
    };
    const std::vector<NodeId> worst = worst_first(nodes.net.size(), 0, beyond);
    for (const NodeId n : worst) add(Marker::Kind::overvoltage, n, beyond(static_cast<size_t>(n)));
    if (worst.size() < kMostMarkers) return;
    int64_t all = 0;
    for (size_t n = 0; n < nodes.net.size(); ++n) all += beyond(n) > 0;
    cut_if(Marker::Kind::overvoltage, "", "", std::ssize(worst), all);
  }

 private:
  /// The end that grid_end() is not; where that one is node 0, grid_end() again.
  NodeId other_end(int64_t resistor) const {
    const NodeId b = report_.circuit->resistors.b[resistor];
    return b == kGround ? report_.circuit->resistors.a[resistor] : b;
  }
  bool is_shown(size_t n) const {
    return report_.nodes.state[n] == NodeState::solved && report_.nodes.net[n] >= 0 &&
           places_.known(static_cast<NodeId>(n));
  }
  /// The least values first, kMostMarkers at most; returns how many are shown.
  int64_t add_worst(Marker::Kind kind, std::vector<std::pair<double, NodeId>> some) {
    std::ranges::sort(some);
    int64_t shown = 0;
    for (const auto& [value, n] : some) {
      if (shown == static_cast<int64_t>(kMostMarkers)) break;
      if (!places_.known(n)) continue;
      const int32_t net = report_.nodes.net[n];
      out_.list.push_back(places_.at(kind, net < 0 ? "" : report_.nets[net].name, n));
      out_.list.back().value = std::abs(value);
      ++shown;
    }
    cut_if(kind, "", "", shown, std::ssize(some));
    return shown;
  }
  Marker& add(Marker::Kind kind, NodeId n, double value) {
    out_.list.push_back(places_.at(kind, report_.nets[report_.nodes.net[n]].name, n));
    out_.list.back().value = value;
    return out_.list.back();
  }
  void cut_if(Marker::Kind kind, const std::string& net, const std::string& layer, int64_t shown, int64_t of) {
    if (shown < of) out_.cut.push_back({kind, net, layer, shown, of});
  }

  const IrReport& report_;
  const Places& places_;
  Markers& out_;
  std::vector<uint8_t> is_over_limit_;  ///< per node
};

NetOf names_of(const Design* design) {
  return [design](NodeId n) -> std::string {
    if (design == nullptr || design->places.net[n] < 0) return "";
    return design->places.nets[design->places.net[n]];
  };
}

}  // namespace

std::string left_out_markers(const IrReport& report) {
  std::string all;
  const auto add = [&](const auto& limit, std::string_view what) {
    if (limit.failed <= static_cast<int64_t>(kMostMarkers)) return;
    all += fmt::format("{}the worst {} of {} {} of net {}{}{} above the limit", all.empty() ? "markers show " : ", ",
                       kMostMarkers, limit.failed, what, limit.net, limit.layer.empty() ? "" : " layer ", limit.layer);
  };
  for (const LimitResult& limit : report.limits)
    if (limit.quantity == "worst") add(limit, "nodes");
  for (const EmLimitResult& limit : report.em_limits) add(limit, "segments");
  if (report.em && report.em->violated > static_cast<int64_t>(kMostMarkers))
    all += fmt::format("{}the worst {} of {} segments above their rules", all.empty() ? "markers show " : ", ",
                       kMostMarkers, report.em->violated);
  return all;
}

Markers markers_of(const IrReport& report) {
  const Places places = with_markers_that_fit(
      {*report.circuit, report.nodes.layer, report.layer_names, report.nodes.x_um, report.nodes.y_um});
  Markers markers;
  DropMarkers drops(report, places, markers);
  for (size_t net = 0; net < report.nets.size(); ++net) {
    bool has_limit = false;
    for (const LimitResult& limit : report.limits) {
      if (limit.quantity != "worst" || limit.net != report.nets[net].name) continue;
      has_limit = true;
      drops.add_over(limit);
    }
    if (!has_limit) drops.add_hot_spots(static_cast<int32_t>(net));
  }
  for (const EmLimitResult& limit : report.em_limits) drops.add_over(limit);
  if (report.em) drops.add_over(*report.em);
  if (report.stress) {
    drops.add_over(*report.stress);
    if (report.stress->lifetime) drops.add_voids(*report.stress->lifetime);
    if (report.stress->cascade) drops.add_failures(*report.stress->cascade);
  }
  drops.add_overvoltages();
  mark_shorts(report.circuit->placement.get(), markers);
  if (mark_opens(report.circuit->placement.get(), places.half_um, markers)) return markers;
  mark_what_floats(
      places, [&](NodeId n) { return report.nodes.state[n] == NodeState::floating; }, names_of(report.design.get()),
      markers);
  return markers;
}

Markers markers_of(const Design& design) {
  Markers markers;
  if (!design.topology) return markers;
  const Parts& parts = design.topology->parts;
  const Places places = with_markers_that_fit(
      {*design.circuit, design.places.layer, design.places.layers, design.places.x_um, design.places.y_um});
  mark_shorts(design.circuit->placement.get(), markers);
  if (mark_opens(design.circuit->placement.get(), places.half_um, markers)) return markers;
  mark_what_floats(
      places, [&](NodeId n) { return !parts.anchored[parts.part[n]]; }, names_of(&design), markers);
  return markers;
}

}  // namespace gridiron
