// SPDX-License-Identifier: Apache-2.0
#include "layout/read_layout.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "layout/extract.hpp"
#include "layout/ground_supply.hpp"
#include "layout/layout_findings.hpp"
#include "layout/net_voltages.hpp"
#include "layout/placement.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "support/nearest_names.hpp"
#include "support/side_by_side.hpp"

namespace gridiron::layout {
namespace {

int32_t find_net(const Chip& chip, const std::string& name, const char* option) {
  const int32_t net = chip.net(name);
  if (net >= 0) return net;
  std::vector<std::string> names;
  for (const SpecialNet& n : chip.nets) names.push_back(n.name);
  throw InputError(fmt::format("{} {}: the layout has no such net; it has {}", field(option), name,
                               names_near(name, names) + did_you_mean(name, names)));
}

/// All nets of USE POWER or GROUND that have shapes.
std::vector<int32_t> supply_nets(const Chip& chip) {
  std::vector<int32_t> nets;
  for (size_t n = 0; n < chip.nets.size(); ++n) {
    const SpecialNet& net = chip.nets[n];
    if ((net.use == Use::power || net.use == Use::ground) && net.has_shapes()) nets.push_back(static_cast<int32_t>(n));
  }
  return nets;
}

/// The files of sources by net.
std::map<int32_t, SourceFile> read_sources(const Chip& chip, const std::vector<int32_t>& nets,
                                           const std::map<std::string, std::string>& files) {
  std::map<int32_t, SourceFile> out;
  for (const auto& [name, path] : files) {
    if (name.empty() && nets.size() != 1)
      throw InputError(fmt::format("{} {}: {} nets are read; tell of which one these sources are: NET={}",
                                   field("sources"), path, nets.size(), path));
    const int32_t net = name.empty() ? nets[0] : find_net(chip, name, "sources");
    if (!out.emplace(net, read_source_file(path, chip.dbu_per_um)).second)
      throw InputError(
          fmt::format("{} {}: net {} has a file of sources already", field("sources"), path, chip.nets[net].name));
  }
  return out;
}

void set_power_volts(const Library& library, const Chip& chip, const NetVoltages& voltages, const Powers& powers,
                     NetGrid& grid) {
  if (grid.is_ground) {
    GroundSupply supply = ground_supply(library, chip, voltages, grid.net, powers);
    grid.power_volts = supply.volts;
    grid.component_volts = std::move(supply.of_component);
  } else {
    grid.power_volts =
        powers.has_watts() ? voltages.of_power(grid.net) : voltages.of_power_if_known(grid.net).value_or(0);
  }
  if (!powers.has_watts()) grid.power_volts = std::abs(grid.power_volts);
}

/// f(i) for each of these nets. Two of about the same size, as those of power and ground are, are worked on side by
/// side, each on half of the threads, since no step of an extraction keeps all of them busy all the time.
template <class F>
void for_each_net(const Chip& chip, const std::vector<int32_t>& nets, F&& f) {
  const auto size = [&](size_t i) {
    const SpecialNet& net = chip.nets[nets[i]];
    return net.boxes.size() + net.polygons.size() + net.vias.size();
  };
  std::vector<size_t> by_size(nets.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
  for (size_t k = 0; k < by_size.size(); ++k) {
    const size_t i = by_size[k];
    if (k + 1 == by_size.size() || 2 * size(by_size[k + 1]) < size(i)) {
      f(i);
      continue;
    }
    const size_t j = by_size[++k];
    side_by_side([&] { f(std::max(i, j)); }, [&] { f(std::min(i, j)); }, std::max(1, omp_get_max_threads() / 2));
  }
}

/// Shorts between the nets that are extracted, and if asked for, with and between all others.
std::vector<Short> shorts_of(const Layout& layout, bool looks_at_all_nets) {
  std::vector<NetMetal> metal;
  std::deque<Network> others;
  for (const NetGrid& grid : layout.grids) {
    if (grid.network.is_mesh)  // its edges of 45 degrees are stairs, which may touch where the metal does not
      others.push_back(extract_metal(*layout.library, *layout.chip, grid.net));
    metal.push_back({grid.net, grid.network.is_mesh ? &others.back() : &grid.network});
  }
  for (const int32_t net : looks_at_all_nets ? supply_nets(*layout.chip) : std::vector<int32_t>()) {
    const auto is_it = [&](const NetMetal& m) { return m.net == net; };
    if (std::any_of(metal.begin(), metal.end(), is_it)) continue;
    others.push_back(extract_metal(*layout.library, *layout.chip, net));
    metal.push_back({net, &others.back()});
  }
  std::sort(metal.begin(), metal.end(), [](const NetMetal& a, const NetMetal& b) { return a.net < b.net; });
  return find_shorts(*layout.library, metal);
}

/// What became of DEF and of each LEF file.
Ledger ledger_of(const Library& library, const Chip& chip, int64_t nets) {
  Ledger ledger;
  ledger.files.push_back(chip.ledger);
  const int64_t others = std::ssize(chip.nets) - nets;
  Ledger::add(ledger.files[0], "SPECIALNETS", Fate::used, -others);
  Ledger::add(ledger.files[0], "SPECIALNETS that are not asked for", Fate::harmless, others);
  for (const auto& text : library.texts) ledger.files.push_back({text->path(), {}});
  const auto add = [&](std::string_view what, const auto& things) {
    for (const auto& thing : things) Ledger::add(ledger.files[1 + thing.place.file], what, Fate::used, 1);
  };
  add("LAYER", library.layers);
  add("VIA", library.vias);
  add("VIARULE", library.rules);
  add("SITE", library.sites);
  add("MACRO", library.macros);
  return ledger;
}

}  // namespace

std::vector<std::string> LayoutFiles::tables() const {
  std::vector<std::string> paths = powers;
  for (const auto& [net, path] : sources) paths.push_back(path);
  for (const std::string* path : {&layer_rc, &power_by_cell})
    if (!path->empty()) paths.push_back(*path);
  return paths;
}

std::vector<int32_t> chosen_nets(const Chip& chip, const std::vector<std::string>& names) {
  std::vector<int32_t> nets;
  for (const std::string& name : names) {
    const int32_t net = find_net(chip, name, "net");
    if (!chip.nets[net].has_shapes())
      throw InputError(fmt::format("{}: net {} has no special wires to extract; is the design routed?",
                                   chip.describe(chip.nets[net].place), name));
    if (std::find(nets.begin(), nets.end(), net) == nets.end()) nets.push_back(net);
  }
  if (!names.empty()) return nets;
  nets = supply_nets(chip);
  if (nets.empty())
    throw InputError(
        fmt::format("{}: no net of USE POWER or GROUND has special wires; is it routed, or is a net without "
                    "USE meant ({})?",
                    chip.texts[0]->path(), field("net")));
  return nets;
}

Powers read_powers(const LayoutFiles& files, const Library& library, const Chip& chip) {
  Powers powers(chip);
  if (!files.power_by_cell.empty()) powers.read_by_cell(files.power_by_cell, library);
  if (!files.cell_watts.empty()) powers.set_watts_by_cell(files.cell_watts, library);
  for (const std::string& path : files.powers) powers.read(path);
  for (const auto& [instance, watts] : files.instance_watts) powers.set_watts(instance, watts);
  return powers;
}

Network PlacedDesign::extracted(int32_t net) const {
  return mesh_um > 0 ? extract_mesh(*library, *chip, net, resistances, mesh_um)
                     : extract(*library, *chip, net, resistances);
}

Network& PlacedDesign::network(int32_t net) {
  const auto at = networks.find(net);
  return at != networks.end() ? at->second : networks.emplace(net, extracted(net)).first->second;
}

Layout make_layout(PlacedDesign& design, const LayoutFiles& files, const Powers& powers) {
  const Library& library = *design.library;
  const Chip& chip = *design.chip;
  Layout layout;
  layout.library = design.library;
  layout.chip = design.chip;
  layout.resistances = design.resistances;
  if (design.mesh_um != files.mesh_um) design.networks.clear();
  design.mesh_um = files.mesh_um;
  const std::vector<int32_t> nets = chosen_nets(chip, files.nets);
  NetVoltages voltages(chip, files.nominal);
  const std::map<int32_t, SourceFile> sources = read_sources(chip, nets, files.sources);
  for (const auto& [net, file] : sources) voltages.set_file(net, file.volts);
  layout.has_powers = powers.any();
  layout.unknown_instances = powers.unknown();

  layout.grids.resize(nets.size());
  layout.opens.resize(nets.size());
  layout.crossings.resize(nets.size());
  for (size_t i = 0; i < nets.size(); ++i) {
    NetGrid& grid = layout.grids[i];
    grid.net = nets[i];
    grid.volts = voltages.of_sources(grid.net);
    grid.is_ground = voltages.is_ground(grid.net);
    set_power_volts(library, chip, voltages, powers, grid);
    grid.source_ohm = files.source_settings.ohm;
    if (auto known = design.networks.extract(grid.net)) grid.network = std::move(known.mapped());
  }
  for_each_net(chip, nets, [&](size_t i) {
    NetGrid& grid = layout.grids[i];
    if (grid.network.nodes() == 0) grid.network = std::as_const(design).extracted(grid.net);
    const auto file = sources.find(grid.net);
    grid.sources = place_sources(library, chip, grid.network, file == sources.end() ? nullptr : &file->second,
                                 files.source_settings);
    layout.opens[i] = find_opens(grid.network);
    layout.crossings[i] = find_crossings(library, chip, chip.nets[grid.net]);
  });
  layout.shorts = shorts_of(layout, files.looks_at_all_nets);
  Circuit circuit = make_circuit(library, design.chip, layout.grids, powers, &layout.elements);
  layout.unpowered_components = count_unpowered(layout.grids, powers, chip.components.size());
  circuit.findings = layout_findings(layout, powers);
  circuit.placement = make_placement(layout);
  circuit.ledger = ledger_of(library, chip, std::ssize(nets));
  layout.circuit = std::make_shared<Circuit>(std::move(circuit));
  return layout;
}

Layout read_layout(const LayoutFiles& files) {
  const auto library = std::make_shared<const Library>(read_lef(files.lefs));
  PlacedDesign design{library, std::make_shared<const Chip>(read_def(files.def, *library)), lef_resistances(*library)};
  if (!files.layer_rc.empty()) read_layer_rc(files.layer_rc, *library, design.resistances, files.layer_rc_options);
  return make_layout(design, files, read_powers(files, *library, *design.chip));
}

}  // namespace gridiron::layout
