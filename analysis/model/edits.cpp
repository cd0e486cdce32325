// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/model/findings.hpp"
#include "support/error_text.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// A topology on the way to another one.
class Editor {
 public:
  Editor(const Design& design, const Topology& before)
      : design_(design), before_(before), grid_(before.grid), pads_(before.added_pads) {}

  void operator()(const SetResistor& edit) {
    set(edit.resistor, [&](double) { return edit.ohm; });
  }
  void operator()(const ScaleResistor& edit) {
    set(edit.resistor, [&](double ohm) { return ohm * edit.factor; });
  }
  void operator()(const ScaleResistors& edit) {
    for (const int64_t resistor : edit.resistors) {
      if (resistor < 0 || resistor >= design_.circuit->resistors.size())
        throw input_error("resistor number {}: the netlist has {}, numbered from 0", resistor,
                          design_.circuit->resistors.size());
      set(resistor, design_.circuit->element_name(kResistor, resistor), [&](double ohm) { return ohm * edit.factor; });
    }
  }

  void operator()(const AddPad& edit) {
    const NodeId node = design_.find_node(edit.node);
    if (node < 0) throw unknown_node(*design_.circuit, edit.node, fmt::format("pad at {}: {}", edit.node, kNoNode));
    if (node == kGround) throw InputError("pad at ground: ground is the reference");
    if (!std::isfinite(edit.volts)) throw input_error("pad at {}: {} V is no potential", edit.node, edit.volts);
    const std::string default_name = fmt::format("added at {}", design_.circuit->node_name(node));
    if (!edit.name.empty()) require_new(edit.name);
    pads_.push_back({edit.name.empty() ? default_name : edit.name, node, edit.volts,
                     conductance_of("pad at " + edit.node, edit.ohm)});
    pads_changed_ = true;
  }

  void operator()(const DropPad& edit) {
    if (!drop_added(edit.pad)) drop_source(edit.pad);
    pads_changed_ = true;
  }

  Topology take() && {
    if (!pads_changed_)
      return {std::move(grid_), before_.merge, before_.parts,    before_.branches,
              std::move(pads_), before_.nets,  before_.left_out, before_.findings};
    Topology edited = with_other_pads(*design_.circuit, design_.places, design_.options.nominal_v, *design_.topology,
                                      std::move(grid_), std::move(pads_));
    throw_first_error(edited.findings);
    return edited;
  }

 private:
  static double conductance_of(const std::string& what, double ohm) {
    if (!(ohm > 0) || !std::isfinite(ohm) || !std::isfinite(1 / ohm))
      throw input_error("{}: {} ohm; a resistance must be finite and above 0", what, ohm);
    return 1 / ohm;
  }

  int64_t added_pads_called(const std::string& name) const {
    return std::ranges::count_if(pads_, [&](const AddedPad& pad) { return same_name(pad.name, name); });
  }

  void require_new(const std::string& name) const {
    if (added_pads_called(name) > 0 || design_.find_element(kVoltageSource, name) >= 0)
      throw input_error("pad {}: there is a pad of that name; choose another one", name);
  }

  bool drop_added(const std::string& name) {
    const int64_t found = added_pads_called(name);
    if (found > 1) throw input_error("pad {}: there are {}; name pads that are to be dropped", name, found);
    std::erase_if(pads_, [&](const AddedPad& pad) { return same_name(pad.name, name); });
    return found > 0;
  }

  void drop_source(const std::string& name) {
    const int64_t source = design_.find_element(kVoltageSource, name);
    if (source < 0)
      throw unknown_element(
          *design_.circuit, kVoltageSource, name,
          fmt::format("pad {}: the netlist has no voltage source of that name, and no such pad was added", name));
    const Sources& sources = design_.circuit->voltage_sources;
    if (sources.a[source] != kGround && sources.b[source] != kGround)
      throw input_error("pad {}: the source joins two nodes of the grid, it is no pad", name);
    const auto found = std::ranges::find_if(
        grid_.tie_elements, [&](const Grid::TieElement& e) { return e.kind == kVoltageSource && e.index == source; });
    if (found == grid_.tie_elements.end()) throw input_error("pad {} is gone already", name);
    const auto tie = found - grid_.tie_elements.begin();
    Network& network = grid_.network;
    grid_.tie_elements.erase(found);
    for (std::vector<int32_t>* ends : {&network.tie_a, &network.tie_b}) ends->erase(ends->begin() + tie);
    network.tie_volts.erase(network.tie_volts.begin() + tie);
  }

  template <class F>
  void set(const std::string& name, F new_ohm) {
    const int64_t resistor = design_.find_element(kResistor, name);
    if (resistor < 0)
      throw unknown_element(*design_.circuit, kResistor, name,
                            fmt::format("resistor {}: the netlist has none of that name", name));
    set(resistor, name, new_ohm);
  }

  template <class F>
  void set(int64_t resistor, const std::string& name, F new_ohm) {
    const int64_t edge = edge_of(resistor);
    if (edge < 0) throw input_error("resistor {} is a short, which joins nodes; change it in the netlist", name);
    double& conductance = grid_.network.conductance[edge];
    conductance = conductance_of("resistor " + name, new_ohm(1 / conductance));
  }

  /// −1 for shorts. make_grid() turns resistors into edges in their order, without shorts.
  int64_t edge_of(int64_t resistor) {
    const Elements& r = design_.circuit->resistors;
    int64_t edges = 0;
    if (edge_of_.empty())
      for (int64_t i = 0; i < r.size(); ++i) edge_of_.push_back(r.a[i] != r.b[i] && r.value[i] != 0 ? edges++ : -1);
    return edge_of_[resistor];
  }

  const Design& design_;
  const Topology& before_;
  Grid grid_;
  std::vector<AddedPad> pads_;
  bool pads_changed_ = false;
  std::vector<int64_t> edge_of_;  ///< per resistor; empty until it is needed
};

struct Described {
  std::string operator()(const SetResistor& edit) const {
    return fmt::format("sets {} to {:g} ohm", shown(edit.resistor), edit.ohm);
  }
  std::string operator()(const ScaleResistor& edit) const {
    return fmt::format("multiplies {} by {:g}", shown(edit.resistor), edit.factor);
  }
  std::string operator()(const ScaleResistors& edit) const {
    return fmt::format("multiplies {} by {:g}", counted(std::ssize(edit.resistors), "resistor"), edit.factor);
  }
  std::string operator()(const AddPad& edit) const { return fmt::format("adds a pad at {}", shown(edit.node)); }
  std::string operator()(const DropPad& edit) const { return fmt::format("drops pad {}", shown(edit.pad)); }
};

}  // namespace

std::string described(const Edit& edit) { return std::visit(Described(), edit); }

Topology edited(const Design& design, const Topology& before, std::span<const Edit> edits) {
  Editor editor(design, before);
  for (const Edit& edit : edits) std::visit(editor, edit);
  return std::move(editor).take();
}

}  // namespace gridiron
