// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_circuit.hpp"

#include <algorithm>
#include <charconv>
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

/// What the name of a node tells.
struct Spot {
  std::int32_t layer;
  Point place;
  NodeKind kind;

  friend bool operator==(const Spot&, const Spot&) = default;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

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
  }

  /// Nodes of earlier nets keep their names: one of this net that would have the same is called by a place beside its
  /// own, or a resistor would lead from one net to the other.
  void begin(const Network& network) {
    others_.insert(others_.end(), own_.begin(), own_.end());
    std::sort(others_.begin(), others_.end());
    own_.clear();
    network_ = &network;
    id_.assign(static_cast<std::size_t>(network.nodes()), -1);
  }

  NodeId of(std::int32_t node) {
    if (id_[node] >= 0) return id_[node];
    // Nodes of one name follow each other, and the first has the id.
    const Spot spot{network_->node_layer[node], network_->node_place[node], network_->node_kind[node]};
    if (node > 0 &&
        spot == Spot{network_->node_layer[node - 1], network_->node_place[node - 1], network_->node_kind[node - 1]})
      return id_[node] = of(node - 1);
    return id_[node] = add(spot);
  }

  NodeId add(Spot spot) {
    if (!others_.empty())
      while (std::binary_search(others_.begin(), others_.end(), spot)) ++spot.place.x;
    own_.push_back(spot);
    const NodeId id = circuit_.nodes.size();
    circuit_.nodes.append(name(spot));
    return id;
  }

 private:
  std::string_view name(const Spot& spot) {
    text_.assign(word_of(spot.kind));
    text_ += library_.layers[spot.layer].name;
    for (const Dbu at : {spot.place.x, spot.place.y}) {
      char digits[16];
      text_ += '_';
      text_.append(digits, std::to_chars(digits, digits + sizeof digits, at).ptr);
    }
    return text_;
  }

  const Library& library_;
  Circuit& circuit_;
  const Network* network_ = nullptr;
  std::vector<NodeId> id_;
  std::vector<Spot> own_, others_;
  std::string text_;
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

  NetElements add(const NetGrid& grid) {
    NetElements elements{grid.net, circuit_.resistors.size(),       0, circuit_.current_sources.size(),
                         0,        circuit_.voltage_sources.size(), 0};
    const TextPlace place = chip_.nets[grid.net].place;
    circuit_.net_cards.push_back({chip_.nets[grid.net].name, {place.file, place.offset}});
    ids_.begin(grid.network);
    add_resistors(grid);
    add_sinks(grid);
    add_sources(grid);
    elements.last_resistor = circuit_.resistors.size();
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
    const auto first = r.size();
    const auto size = static_cast<std::size_t>(first + n.resistors());
    r.a.reserve(size), r.b.reserve(size);
    for (std::int64_t i = 0; i < n.resistors(); ++i) {
      r.a.push_back(ids_.of(n.from[i]));
      r.b.push_back(ids_.of(n.to[i]));
    }
    r.value.insert(r.value.end(), n.ohm.begin(), n.ohm.end());
    r.origin.resize(size, origin(grid));
    behind_resistor_.clear();
    if (!(grid.source_ohm > 0)) return;
    for (const std::int32_t node : grid.sources.node) {
      const NodeId inner = ids_.of(node);
      const NodeId outer = ids_.add({n.node_layer[node], n.node_place[node], NodeKind::source});
      add_element(r, inner, outer, grid.source_ohm, origin(grid));
      behind_resistor_.push_back(outer);
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
  std::vector<NodeId> behind_resistor_;  ///< the nodes that the sources of this net hold, if they have resistances
};

}  // namespace

Circuit make_circuit(const Library& library, std::shared_ptr<const Chip> chip, const std::vector<NetGrid>& grids,
                     const Powers& powers, std::vector<NetElements>* elements) {
  CircuitMaker maker(library, std::move(chip), powers);
  for (const NetGrid& grid : grids) {
    const NetElements added = maker.add(grid);
    if (elements) elements->push_back(added);
  }
  return maker.take();
}

}  // namespace gridiron::layout
