// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_circuit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// The instances and terminals of sinks.
class LayoutNames : public MadeNames {
 public:
  explicit LayoutNames(std::shared_ptr<const Chip> chip) : chip_(std::move(chip)) {}

  void add(const Network& network) {
    const auto first = static_cast<std::int32_t>(pin_names_.size());
    pin_names_.insert(pin_names_.end(), network.pin_names.begin(), network.pin_names.end());
    component_.insert(component_.end(), network.terminal_component.begin(), network.terminal_component.end());
    for (const std::int32_t pin : network.terminal_pin) pin_.push_back(first + pin);
  }

  Sink sink(std::int64_t i) const override { return {chip_->components.name[component_[i]], pin_names_[pin_[i]]}; }

 private:
  std::shared_ptr<const Chip> chip_;
  std::vector<std::string> pin_names_;
  std::vector<std::int32_t> component_, pin_;
};

/// What the name of a node tells, in the order of nodes.
struct Spot {
  std::int32_t layer;
  Point place;
  NodeKind kind;

  friend bool operator==(const Spot&, const Spot&) = default;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

Spot spot_of(const Network& n, std::int64_t node) {
  return {n.node_layer[node], n.node_place[node], n.node_kind[node]};
}

bool has_node_at(const Network& n, const Spot& spot) {
  std::int64_t low = 0, high = n.nodes();
  while (low < high) {
    const std::int64_t half = (low + high) / 2;
    if (spot_of(n, half) < spot)
      low = half + 1;
    else
      high = half;
  }
  return low < n.nodes() && spot_of(n, low) == spot;
}

std::string_view word_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::wire:
      return "Node_";
    case NodeKind::source:
      return "SourceNode_";
    case NodeKind::terminal:
      return "ITermNode_";
    default:
      return "BPinNode_";
  }
}

/// Gives the nodes of one net after the other their ids, in the order in which they are asked for.
class NodeIds {
 public:
  NodeIds(const Library& library, Circuit& circuit) : library_(library), circuit_(circuit) {
    circuit_.nodes.intern("0");
    for (std::vector<std::string>& stems : stems_) stems.resize(library.layers.size());
  }

  /// Nodes of earlier nets keep their names: one of this net that would have the same is called by a place beside its
  /// own, or a resistor would lead from one net to the other.
  void begin(const Network& network) {
    moved_.clear();
    for (const Network* earlier : networks_) move_away(network, *earlier);
    networks_.push_back(&network);
    id_.assign(static_cast<std::size_t>(network.nodes()), -1);
  }

  NodeId of(std::int32_t node) {
    if (id_[node] >= 0) return id_[node];
    // Nodes of one name follow each other, and the first of them is added.
    const Network& n = *networks_.back();
    std::int32_t first = node;
    while (first > 0 && spot_of(n, first - 1) == spot_of(n, node)) --first;
    if (id_[first] < 0) id_[first] = add(spot_of(n, first));
    return id_[node] = id_[first];
  }

  /// In series with a source at this node.
  NodeId add_source(std::int32_t node) {
    Spot spot = spot_of(*networks_.back(), node);
    if (const auto moved = moved_.find(spot); moved != moved_.end()) spot = moved->second;
    spot.kind = NodeKind::source;
    return add(spot);
  }

 private:
  NodeId add(Spot spot) {
    if (const auto moved = moved_.find(spot); moved != moved_.end()) spot = moved->second;
    const NodeId id = circuit_.nodes.size();
    circuit_.nodes.append(stem(spot), spot.place.x, spot.place.y);
    return id;
  }

  /// Both networks are sorted.
  void move_away(const Network& network, const Network& earlier) {
    for (std::int64_t i = 0, j = 0; i < network.nodes() && j < earlier.nodes();) {
      const Spot own = spot_of(network, i), other = spot_of(earlier, j);
      if (own == other && !moved_.contains(own)) moved_[own] = free_spot(own, network);
      own < other ? ++i : ++j;
    }
  }
  Spot free_spot(Spot spot, const Network& network) {
    const auto is_taken = [&] {
      return has_node_at(network, spot) || !taken_.insert(spot).second ||
             std::any_of(networks_.begin(), networks_.end(), [&](const Network* n) { return has_node_at(*n, spot); });
    };
    do ++spot.place.x;
    while (is_taken());
    return spot;
  }

  const std::string& stem(const Spot& spot) {
    std::string& stem = stems_[static_cast<std::size_t>(spot.kind)][static_cast<std::size_t>(spot.layer)];
    if (stem.empty()) stem.append(word_of(spot.kind)).append(library_.layers[spot.layer].name);
    return stem;
  }

  const Library& library_;
  Circuit& circuit_;
  std::vector<const Network*> networks_;  ///< up to this one
  std::vector<NodeId> id_;
  std::map<Spot, Spot> moved_;                     ///< of this net
  std::set<Spot> taken_;                           ///< by nodes that were moved
  std::array<std::vector<std::string>, 4> stems_;  ///< by kind and layer
};

class CircuitMaker {
 public:
  CircuitMaker(const Library& library, std::shared_ptr<const Chip> chip, const Powers& powers)
      : chip_(*chip), powers_(powers), names_(std::make_shared<LayoutNames>(chip)), ids_(library, circuit_) {
    circuit_.title = chip_.name;
    circuit_.dbu_card = chip_.dbu_per_um;
    circuit_.files = chip_.texts;
    circuit_.files.insert(circuit_.files.end(), library.texts.begin(), library.texts.end());
    circuit_.made_names = names_;
  }

  /// Makes room for the resistors of all nets.
  void expect(const std::vector<NetGrid>& grids) {
    std::size_t resistors = 0;
    for (const NetGrid& grid : grids)
      resistors += grid.network.ohm.size() + (grid.source_ohm > 0 ? grid.sources.node.size() : 0);
    Elements& r = circuit_.resistors;
    resize_untouched(r.a, resistors);
    resize_untouched(r.b, resistors);
    resize_untouched(r.value, resistors);
    resize_untouched(r.origin, resistors);
  }

  NetElements add(const NetGrid& grid) {
    NetElements elements;
    elements.net = grid.net;
    elements.first_resistor = resistors_;
    elements.first_sink = circuit_.current_sources.size();
    elements.first_source = circuit_.voltage_sources.size();
    const TextPlace place = chip_.nets[grid.net].place;
    circuit_.net_cards.push_back({chip_.nets[grid.net].name, {place.file, place.offset}});
    ids_.begin(grid.network);
    add_resistors(grid);
    add_sinks(grid);
    add_sources(grid);
    elements.last_resistor = resistors_;
    elements.last_sink = circuit_.current_sources.size();
    elements.last_source = circuit_.voltage_sources.size();
    return elements;
  }

  Circuit take() { return std::move(circuit_); }

 private:
  /// Of what a net is made of: behind its card, as sources of a deck follow its `* Netlist for`.
  Origin origin(const NetGrid& grid) const {
    const TextPlace place = chip_.nets[grid.net].place;
    return {place.file, place.offset + 1};
  }

  static void add_element(Elements& to, NodeId a, NodeId b, double value, Origin origin) {
    to.a.push_back(a);
    to.b.push_back(b);
    to.value.push_back(value);
    to.origin.push_back(origin);
  }

  void add_resistors(const NetGrid& grid) {
    const Network& n = grid.network;
    Elements& r = circuit_.resistors;
    const std::int64_t first = resistors_;
    resistors_ += n.resistors();
    for (std::int64_t i = 0; i < n.resistors(); ++i) {
      r.a[first + i] = ids_.of(n.from[i]);
      r.b[first + i] = ids_.of(n.to[i]);
    }
    parallel_each(n.resistors(), [&](std::int64_t i) {
      r.value[first + i] = n.ohm[i];
      r.origin[first + i] = origin(grid);
    });
    behind_resistor_.clear();
    if (!(grid.source_ohm > 0)) return;
    for (const std::int32_t node : grid.sources.node) {
      r.a[resistors_] = ids_.of(node);
      r.b[resistors_] = ids_.add_source(node);
      behind_resistor_.push_back(r.b[resistors_]);
      r.value[resistors_] = grid.source_ohm;
      r.origin[resistors_++] = origin(grid);
    }
  }

  void add_sinks(const NetGrid& grid) {
    const Network& n = grid.network;
    Sources& sinks = circuit_.current_sources;
    for (std::int64_t t = 0; t < n.terminals();) {
      const std::int32_t component = n.terminal_component[t];
      std::int64_t last = t + 1;
      while (last < n.terminals() && n.terminal_component[last] == component) ++last;
      const double amperes = grid.power_volts > 0 || !powers_.has_watts()
                                 ? powers_.amperes(component, grid.power_volts > 0 ? grid.power_volts : 1)
                                 : 0;
      const Origin where{0, chip_.components.offset[component]};
      for (const std::int64_t all = last - t; t < last; ++t) {
        add_element(sinks, ids_.of(n.terminal_node[t]), kGround, amperes / static_cast<double>(all), where);
        sinks.waveform.push_back(-1);
      }
    }
    names_->add(n);
  }

  void add_sources(const NetGrid& grid) {
    Sources& sources = circuit_.voltage_sources;
    for (std::size_t i = 0; i < grid.sources.node.size(); ++i) {
      const NodeId held = behind_resistor_.empty() ? ids_.of(grid.sources.node[i]) : behind_resistor_[i];
      add_element(sources, held, kGround, grid.volts, origin(grid));
      sources.waveform.push_back(-1);
    }
  }

  const Chip& chip_;
  const Powers& powers_;
  Circuit circuit_;
  std::shared_ptr<LayoutNames> names_;
  NodeIds ids_;
  std::int64_t resistors_ = 0;           ///< so far
  std::vector<NodeId> behind_resistor_;  ///< the nodes that the sources of this net hold, if they have resistances
};

}  // namespace

Circuit make_circuit(const Library& library, std::shared_ptr<const Chip> chip, const std::vector<NetGrid>& grids,
                     const Powers& powers, std::vector<NetElements>* elements) {
  CircuitMaker maker(library, std::move(chip), powers);
  maker.expect(grids);
  for (const NetGrid& grid : grids) {
    const NetElements added = maker.add(grid);
    if (elements) elements->push_back(added);
  }
  return maker.take();
}

}  // namespace gridiron::layout
