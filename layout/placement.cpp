// SPDX-License-Identifier: Apache-2.0
#include "layout/placement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout/cut_sizes.hpp"
#include "layout/slivers.hpp"
#include "netlist/names/name_table.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

class PlacementMaker {
 public:
  PlacementMaker(const Layout& layout, Placement& placement) : layout_(layout), placement_(placement) {
    placement_.texts = {layout.library, layout.chip};
    placement_.dbu_per_um = layout.chip->dbu_per_um;
    placement_.design = layout.chip->name;
  }

  void add_layers() {
    for (const Layer& layer : layout_.library->layers) {
      layer_.push_back(static_cast<int32_t>(placement_.layers.size()));
      if (layer.kind == LayerKind::routing) placement_.layers.push_back({layer.name, layer.thickness_um});
    }
  }

  void add_cuts() {
    const Library& library = *layout_.library;
    std::vector<int32_t> of_cuts;  // of the library's layers, its index among those of cuts
    for (const Layer& layer : library.layers) {
      of_cuts.push_back(layer.kind == LayerKind::cut ? static_cast<int32_t>(placement_.cut_layers.size()) : -1);
      if (layer.kind == LayerKind::cut) placement_.cut_layers.push_back(layer.name);
    }
    for (const CutSize& size : cut_sizes(library, chip()).sizes)
      placement_.cut_sizes.push_back(
          {of_cuts[size.layer], size.cut_class < 0 ? "" : library.layers[size.layer].cut_classes[size.cut_class].name,
           size.um2, size.counts_for});
  }

  /// Current densities of metal and of cuts.
  void add_em_rules() {
    const Library& library = *layout_.library;
    for (const Layer& layer : library.layers)
      for (const CurrentDensity& density : layer.densities) {
        if (layer.kind == LayerKind::other) continue;
        EmRule rule;
        rule.layer = layer.name;
        rule.kind = density.kind;
        if (layer.kind == LayerKind::routing) rule.unit = EmUnit::per_um;
        rule.frequencies_hz = density.frequencies_hz;
        rule.sizes = density.sizes;
        rule.limits = density.limits;
        rule.statement = density.statement;
        rule.place = library.describe(density.place);
        rule.fault = density.fault;
        placement_.em_rules.push_back(std::move(rule));
      }
  }

  void add_nets() {
    for (size_t k = 0; k < layout_.grids.size(); ++k) {
      const NetGrid& grid = layout_.grids[k];
      const NetElements& elements = layout_.elements[k];
      placement_.nets.push_back(
          {chip().nets[grid.net].name, grid.is_ground, grid.power_volts, elements.first_sink, elements.last_sink});
    }
  }

  /// Resistances of sources are no metal.
  void add_sections() {
    const auto resistors = static_cast<size_t>(layout_.elements.empty() ? 0 : layout_.elements.back().last_resistor);
    resize_untouched(placement_.width, resistors);
    resize_untouched(placement_.cuts, resistors);
    resize_untouched(placement_.cut, resistors);
    for (size_t k = 0; k < layout_.grids.size(); ++k) {
      const Network& network = layout_.grids[k].network;
      const int64_t first = layout_.elements[k].first_resistor;
      parallel_each(network.resistors(), [&](int64_t i) {
        placement_.width[first + i] = network.width[i];
        placement_.cuts[first + i] = network.cuts[i];
        placement_.cut[first + i] = network.cut[i];
      });
      for (int64_t i = first + network.resistors(); i < layout_.elements[k].last_resistor; ++i)
        placement_.width[i] = 0, placement_.cuts[i] = 0, placement_.cut[i] = 0;
      for (const Sliver& sliver : find_slivers(*layout_.library, chip().dbu_per_um, network))
        placement_.slivers.push_back({first + sliver.resistor, sliver.width});
    }
  }

  void add_opens() {
    for (size_t k = 0; k < layout_.grids.size(); ++k) {
      const Network& network = layout_.grids[k].network;
      const Opens& opens = layout_.opens[k];
      const auto net = static_cast<int32_t>(k);
      const auto add = [&](Placement::Open::Kind kind, int32_t layer, const Box& box, std::string_view instance,
                           std::string_view terminal) {
        placement_.opens.push_back({kind, net, layer_[layer], in_um(box), instance, terminal});
      };
      for (const Opens::Shape& shape : opens.shapes) add(Placement::Open::Kind::shape, shape.layer, shape.box, "", "");
      const auto pin_names = std::make_shared<const std::vector<std::string>>(network.pin_names);
      if (!opens.terminals.empty()) placement_.texts.push_back(pin_names);
      for (const Opens::Terminal& terminal : opens.terminals) {
        const Point p = terminal.place;
        add(Placement::Open::Kind::terminal, terminal.layer, {p.x, p.y, p.x, p.y},
            chip().components.name[terminal.component], (*pin_names)[network.terminal_pin[terminal.terminal]]);
      }
      for (const Opens::Pin& pin : opens.pins)
        add(Placement::Open::Kind::pin, pin.layer, pin.box, "", chip().pins[pin.pin].name);
    }
  }

  void add_shorts() {
    for (const Short& s : layout_.shorts)
      placement_.shorts.push_back({chip().nets[s.a].name, chip().nets[s.b].name, layer_[s.layer], in_um(s.box)});
  }

  /// Those of CLASS BLOCK.
  void add_macros() {
    const Library& library = *layout_.library;
    const Components& all = chip().components;
    std::vector<uint8_t> is_block;  // by macro
    for (const Macro& macro : library.macros) is_block.push_back(same_name(macro.klass, "BLOCK") ? 1 : 0);
    if (std::ranges::find(is_block, uint8_t{1}) == is_block.end()) return;
    const auto blocks = parallel_list<int32_t>(all.size(), [&](int64_t c, auto& list) {
      if (is_block[all.macro[c]] && all.placed[c]) list.push_back(static_cast<int32_t>(c));
    });
    for (const int32_t c : blocks) {
      const Box box = component_box(library, chip(), c);
      placement_.macros.push_back({all.name[c], library.macros[all.macro[c]].name, in_um(box)});
    }
  }

 private:
  const Chip& chip() const { return *layout_.chip; }
  Placement::Box in_um(const Box& box) const {
    const double dbu = chip().dbu_per_um;
    return {box.x0 / dbu, box.y0 / dbu, box.x1 / dbu, box.y1 / dbu};
  }

  const Layout& layout_;
  Placement& placement_;
  std::vector<int32_t> layer_;  ///< of the library's, its index in the placement
};

}  // namespace

std::shared_ptr<const Placement> make_placement(const Layout& layout) {
  auto placement = std::make_shared<Placement>();
  PlacementMaker maker(layout, *placement);
  maker.add_layers();
  maker.add_cuts();
  maker.add_em_rules();
  maker.add_nets();
  maker.add_sections();
  maker.add_opens();
  maker.add_shorts();
  maker.add_macros();
  return placement;
}

}  // namespace gridiron::layout
