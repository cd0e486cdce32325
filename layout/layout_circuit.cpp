// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_circuit.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "layout/node_ids.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// The instances and terminals of sinks.
class LayoutNames : public MadeNames {
 public:
  LayoutNames(const Library& library, std::shared_ptr<const Chip> chip) : chip_(std::move(chip)) {
    for (const Macro& macro : library.macros) cells_.push_back(macro.name);
  }

  void expect(size_t sinks) {
    resize_untouched(component_, sinks);
    resize_untouched(pin_, sinks);
  }

  /// The terminals of a network, behind those of others.
  void add(const Network& network, int64_t first_sink) {
    const auto first = static_cast<int32_t>(pin_names_.size());
    pin_names_.insert(pin_names_.end(), network.pin_names.begin(), network.pin_names.end());
    parallel_each(network.terminals(), [&](int64_t t) {
      component_[first_sink + t] = network.terminal_component[t];
      pin_[first_sink + t] = first + network.terminal_pin[t];
    });
  }

  /// Those that draw are counted first; `amperes` of all sinks.
  void count(std::span<const double> amperes) {
    const auto draws = [](double a) { return std::abs(a) >= kLeastCurrent; };
    int64_t drawing = 0, idle = std::ranges::count_if(amperes, draws);
    if (idle == std::ssize(amperes)) return;
    number_.reserve(amperes.size());
    for (const double a : amperes) number_.push_back(draws(a) ? drawing++ : idle++);
  }

  int64_t number(int64_t i) const override { return number_.empty() ? i : number_[i]; }

  Sink sink(int64_t i) const override {
    const Components& all = chip_->components;
    const int32_t component = component_[i];
    return {all.name[component], pin_names_[pin_[i]], cells_[all.macro[component]], component};
  }

 private:
  std::shared_ptr<const Chip> chip_;
  std::vector<std::string> cells_;  ///< by macro of the library
  std::vector<std::string> pin_names_;
  std::vector<int32_t> component_, pin_;
  std::vector<int64_t> number_;  ///< by sink; empty where all draw
};

class CircuitMaker {
 public:
  CircuitMaker(const Library& library, std::shared_ptr<const Chip> chip, const Powers& powers)
      : chip_(*chip), powers_(powers), names_(std::make_shared<LayoutNames>(library, chip)), ids_(library, circuit_) {
    circuit_.title = chip_.name;
    circuit_.dbu_card = chip_.dbu_per_um;
    circuit_.files = chip_.texts;
    circuit_.files.insert(circuit_.files.end(), library.texts.begin(), library.texts.end());
    circuit_.made_names = names_;
  }

  /// Makes room for the resistors and sinks of all nets.
  void expect(const std::vector<NetGrid>& grids) {
    size_t resistors = 0, sinks = 0;
    for (const NetGrid& grid : grids) {
      resistors += grid.network.ohm.size() + (grid.source_ohm > 0 ? grid.sources.node.size() : 0);
      sinks += grid.network.terminal_node.size();
    }
    make_room(circuit_.resistors, resistors);
    make_room(circuit_.current_sources, sinks);
    assign_in_parallel(circuit_.current_sources.waveform, static_cast<int64_t>(sinks), -1);
    names_->expect(sinks);
  }

  NetElements add(const NetGrid& grid) {
    NetElements elements;
    elements.net = grid.net;
    elements.first_resistor = resistors_;
    elements.first_sink = sinks_;
    elements.first_source = circuit_.voltage_sources.size();
    const TextPlace place = chip_.nets[grid.net].place;
    circuit_.net_cards.push_back({chip_.nets[grid.net].name, {place.file, place.offset}});
    ids_.begin(grid.network);
    add_resistors(grid);
    add_sinks(grid);
    add_sources(grid);
    elements.last_resistor = resistors_;
    elements.last_sink = sinks_;
    elements.last_source = circuit_.voltage_sources.size();
    return elements;
  }

  Circuit take() {
    names_->count(circuit_.current_sources.value);
    return std::move(circuit_);
  }

 private:
  /// Of what a net is made of: behind its card, as sources of a deck follow its `* Netlist for`.
  Origin origin(const NetGrid& grid) const {
    const TextPlace place = chip_.nets[grid.net].place;
    return {place.file, place.offset + 1};
  }

  static void make_room(Elements& of, size_t size) {
    resize_untouched(of.a, size);
    resize_untouched(of.b, size);
    resize_untouched(of.value, size);
    resize_untouched(of.origin, size);
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
    const int64_t first = resistors_;
    resistors_ += n.resistors();
    parallel_each(n.resistors(), [&](int64_t i) {
      r.a[first + i] = ids_.of_added(n.from[i]);
      r.b[first + i] = ids_.of_added(n.to[i]);
      r.value[first + i] = n.ohm[i];
      r.origin[first + i] = origin(grid);
    });
    behind_resistor_.clear();
    if (!(grid.source_ohm > 0)) return;
    for (size_t i = 0; i < grid.sources.node.size(); ++i) {
      const int32_t node = grid.sources.node[i];
      r.a[resistors_] = ids_.of(node);
      r.b[resistors_] = ids_.add_source(node);
      behind_resistor_.push_back(r.b[resistors_]);
      r.value[resistors_] = grid.source_ohm * grid.sources.sharing[i];
      r.origin[resistors_++] = origin(grid);
    }
  }

  void add_sinks(const NetGrid& grid) {
    const Network& n = grid.network;
    const std::vector<int64_t> without_resistors = parallel_list<int64_t>(n.terminals(), [&](int64_t t, auto& list) {
      if (ids_.of_added(n.terminal_node[t]) < 0) list.push_back(t);
    });
    for (const int64_t t : without_resistors) ids_.of(n.terminal_node[t]);
    Sources& sinks = circuit_.current_sources;
    const int64_t first = sinks_;
    sinks_ += n.terminals();
    parallel_each(n.terminals(), [&](int64_t t) {
      const int32_t component = n.terminal_component[t];
      if (t > 0 && n.terminal_component[t - 1] == component) return;  // done with its first terminal
      int64_t last = t + 1;
      while (last < n.terminals() && n.terminal_component[last] == component) ++last;
      const double amperes = amperes_of(grid, component);
      const Origin where{0, chip_.components.offset[component]};
      for (int64_t i = t; i < last; ++i) {
        sinks.a[first + i] = ids_.of_added(n.terminal_node[i]);
        sinks.b[first + i] = kGround;
        sinks.value[first + i] = amperes / static_cast<double>(last - t);
        sinks.origin[first + i] = where;
      }
    });
    names_->add(n, first);
  }

  double amperes_of(const NetGrid& grid, int32_t component) const {
    const double volts = grid.component_volts.empty() ? grid.power_volts : grid.component_volts[component];
    if (volts == 0 && powers_.has_watts()) return 0;
    return powers_.amperes(component, volts != 0 ? volts : 1);
  }

  void add_sources(const NetGrid& grid) {
    Sources& sources = circuit_.voltage_sources;
    for (size_t i = 0; i < grid.sources.node.size(); ++i) {
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
  int64_t resistors_ = 0, sinks_ = 0;    ///< so far
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
