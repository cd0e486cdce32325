// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/pads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/model/findings.hpp"
#include "analysis/model/grid.hpp"
#include "netlist/names/node_place.hpp"
#include "support/error_text.hpp"
#include "support/field.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

using Pad = PadTable::Pad;

/// The nodes of a layer by x, for the nearest one to a place.
class NodesOfLayer {
 public:
  NodesOfLayer(const NodePlaces& places, int32_t layer) : places_(places) {
    for (size_t n = 1; n < places.layer.size(); ++n)
      if (places.layer[n] == layer && !std::isnan(places.x_um[n])) nodes_.push_back(static_cast<NodeId>(n));
    std::ranges::sort(
        nodes_, [&](NodeId a, NodeId b) { return std::pair(places_.x_um[a], a) < std::pair(places_.x_um[b], b); });
  }

  struct Nearest {
    NodeId node = -1, of_other_net = -1;  ///< the second as near as the first
    double um = std::numeric_limits<double>::infinity();
  };

  /// `net`: index of the net that it must be of; −1: any.
  Nearest nearest(double x, double y, int32_t net) const {
    Nearest best;
    const auto middle = std::ranges::lower_bound(nodes_, x, {}, [&](NodeId n) { return places_.x_um[n]; });
    for (auto node = middle; node != nodes_.end() && places_.x_um[*node] - x <= best.um; ++node)
      consider(*node, x, y, net, best);
    for (auto node = middle; node != nodes_.begin() && x - places_.x_um[*std::prev(node)] <= best.um; --node)
      consider(*std::prev(node), x, y, net, best);
    return best;
  }

 private:
  void consider(NodeId node, double x, double y, int32_t net, Nearest& best) const {
    if (net >= 0 && places_.net[node] != net) return;
    const double um = std::hypot(places_.x_um[node] - x, places_.y_um[node] - y);
    if (um < best.um)
      best = {node, -1, um};
    else if (um == best.um && places_.net[node] != places_.net[best.node])
      best.of_other_net = node;
  }

  const NodePlaces& places_;
  std::vector<NodeId> nodes_;
};

/// Finds the nodes of pads, and adds the elements.
class PadMaker {
 public:
  PadMaker(Circuit& circuit, const PadTable& table, std::optional<double> dbu_per_um, const std::string& pattern)
      : circuit_(circuit), table_(table), places_(place_nodes(circuit, dbu_per_um, pattern)) {}

  void run() {
    for (const Pad& pad : table_.pads) nodes_.push_back(node_of(pad));
    require_one_each();
    require_one_voltage();
    tell_distance();
    const auto file = static_cast<uint64_t>(circuit_.files.size());
    circuit_.files.push_back(table_.text);
    for (size_t k = 0; k < nodes_.size(); ++k) add(table_.pads[k], nodes_[k], file);
  }

 private:
  NodeId node_of(const Pad& pad) {
    if (pad.node.empty()) return node_at(pad);
    const NodeId node = circuit_.nodes.find(pad.node);
    if (node < 0) fail(pad, fmt::format("the netlist has no node {}", shown(pad.node)));
    if (node == kGround) fail(pad, "node 0 is the reference; name a node of the grid");
    return node;
  }

  NodeId node_at(const Pad& pad) {
    if (places_.placed == 0)
      fail(pad, places_.matched < 0
                    ? "no name of a node of the netlist tells a place; name the nodes of pads: name,ohm,volts"
                    : fmt::format("{} tells no place of a node; give it groups x and y, or name the nodes of pads: "
                                  "name,ohm,volts",
                                  field("node_pattern")));
    const int32_t layer = index_of(places_.layers, pad.layer);
    if (layer < 0)
      fail(pad, fmt::format("the netlist has no layer {}; it has {}", shown(pad.layer),
                            places_.layers.empty() ? "none" : names_near(pad.layer, places_.layers)));
    const int32_t net = pad.net.empty() ? -1 : index_of(places_.nets, pad.net);
    if (net < 0 && !pad.net.empty())
      fail(pad, fmt::format("no name of a node tells a net {}; they tell {}", shown(pad.net),
                            places_.nets.empty() ? "none" : names_near(pad.net, places_.nets)));
    const auto layer_nodes = layers_.try_emplace(layer, places_, layer).first;
    const NodesOfLayer::Nearest nearest = layer_nodes->second.nearest(pad.x_um, pad.y_um, net);
    if (nearest.node < 0) fail(pad, fmt::format("net {} has no node on layer {}", pad.net, pad.layer));
    if (nearest.of_other_net >= 0)
      fail(pad, fmt::format("nodes of two nets are equally near, {} and {}; add a column net",
                            shown(circuit_.node_name(nearest.node)), shown(circuit_.node_name(nearest.of_other_net))));
    if (nearest.um > 0) ++beside_;
    if (nearest.um > farthest_um_) {
      farthest_um_ = nearest.um;
      farthest_ = {&pad, nearest.node};
    }
    return nearest.node;
  }

  static int32_t index_of(const std::vector<std::string>& names, const std::string& wanted) {
    const auto found = std::ranges::find_if(names, [&](const std::string& name) { return same_name(name, wanted); });
    return found == names.end() ? -1 : static_cast<int32_t>(found - names.begin());
  }

  void require_one_each() const {
    std::map<NodeId, const Pad*> first;
    for (size_t k = 0; k < nodes_.size(); ++k)
      if (const auto [pad, is_new] = first.emplace(nodes_[k], &table_.pads[k]); !is_new)
        fail(table_.pads[k], fmt::format("node {} has a pad already, at {}; keep one of them",
                                         shown(circuit_.node_name(nodes_[k])), place(*pad->second)));
  }

  /// Nets of other names may be joined by resistors, which is told of later on.
  void require_one_voltage() const {
    const Parts parts = find_parts(make_grid(circuit_).network);
    std::map<std::pair<int32_t, int32_t>, const Pad*> first;
    for (size_t k = 0; k < nodes_.size(); ++k) {
      const Pad& pad = table_.pads[k];
      const auto other = first.emplace(std::pair(parts.part[nodes_[k]], places_.net[nodes_[k]]), &pad).first->second;
      if (other->volts != pad.volts)
        fail(pad, fmt::format("{} V at {}, but the pad at {} holds the same net, to which resistors lead, at {} V; "
                              "give both the same",
                              pad.volts, shown(circuit_.node_name(nodes_[k])), place(*other), other->volts));
    }
  }

  void tell_distance() {
    if (beside_ == 0) return;
    circuit_.findings.push_back(
        {false, "pads-beside-nodes",
         fmt::format(
             "{} of {} pads lie beside nodes and are taken to the nearest ones of their layers, this one to {}, "
             "the farthest, {:.4g} µm away",
             beside_, table_.pads.size(), shown(circuit_.node_name(farthest_.second)), farthest_um_),
         place(*farthest_.first)});
  }

  void add(const Pad& pad, NodeId node, uint64_t file) {
    const std::string name(circuit_.node_name(node).view());
    NodeId held = node;
    if (pad.ohm > 0) {
      std::string behind = name + ".pad";
      while (circuit_.nodes.find(behind) >= 0) behind += "_";
      held = circuit_.nodes.intern(behind);
      add_element(kResistor, node, held, pad.ohm, "rpad." + name, {file, pad.after_first});
    }
    add_element(kVoltageSource, held, kGround, pad.volts, "pad." + name, {file, pad.after_first});
    circuit_.voltage_sources.waveform.push_back(-1);
    if (!circuit_.dc_v.empty()) circuit_.dc_v.push_back(pad.volts);
  }

  /// The name is that of the instance that the element is of, as the table has no name at its origin.
  void add_element(Kind kind, NodeId a, NodeId b, double value, std::string name, Origin origin) {
    Elements& elements = circuit_.elements(kind);
    circuit_.instances[kind].push_back({elements.size(), std::move(name)});
    elements.a.push_back(a);
    elements.b.push_back(b);
    elements.value.push_back(value);
    elements.origin.push_back(origin);
  }

  std::string place(const Pad& pad) const { return table_.text->describe(pad.offset); }
  [[noreturn]] void fail(const Pad& pad, const std::string& what) const {
    throw input_error("{}: {}", place(pad), what);
  }

  Circuit& circuit_;
  const PadTable& table_;
  const NodePlaces places_;
  std::map<int32_t, NodesOfLayer> layers_;
  std::vector<NodeId> nodes_;
  int64_t beside_ = 0;
  double farthest_um_ = 0;
  std::pair<const Pad*, NodeId> farthest_{};
};

}  // namespace

void apply_pads(Circuit& circuit, const PadTable& table, std::optional<double> dbu_per_um, const std::string& pattern) {
  PadMaker(circuit, table, dbu_per_um, pattern).run();
}

}  // namespace gridiron
