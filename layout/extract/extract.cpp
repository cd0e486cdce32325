// SPDX-License-Identifier: Apache-2.0
#include "layout/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "layout/extract/mesh_cells.hpp"
#include "layout/extract/metal_grid.hpp"
#include "layout/extract/net_parts.hpp"
#include "layout/extract/resistors.hpp"
#include "layout/extract/stairs.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

std::vector<LayerRules> rules_for(const Library& library, const Chip& chip, const std::vector<LayerShapes>& shapes) {
  const std::vector<Dbu> pitch = node_pitches(library, chip.dbu_per_um);
  std::vector<LayerRules> rules(library.layers.size());
  for (size_t layer = 0; layer < rules.size(); ++layer)
    rules[layer] = {{library.layers[layer].direction == Direction::vertical}, pitch[layer], false};
  for (size_t layer = rules.size(); layer-- > 0;) {
    if (shapes[layer].boxes.empty() && shapes[layer].polygons.empty() && shapes[layer].places.empty()) continue;
    rules[layer].has_fillers = true;
    break;
  }
  return rules;
}

/// Tells which nodes are those of terminals and of pins of the block.
void add_terminals(const MetalGrid& grid, const NetParts& parts, Network& network) {
  const auto node = [&](PlaceRef other) { return grid.node_of_other[other.layer][other.index]; };
  assign_in_parallel(network.node_kind, network.nodes(), NodeKind::wire);
  resize_untouched(network.terminal_node, parts.terminals.base.size());
  parallel_each(std::ssize(parts.terminals.base), [&](int64_t t) {
    network.terminal_node[t] = node(parts.terminals.base[t]);
    network.node_kind[network.terminal_node[t]] = NodeKind::terminal;
  });
  for (const BlockPinShape& pin : parts.block_pins) {
    network.block_pin.push_back(pin.pin);
    network.block_pin_layer.push_back(pin.shape.layer);
    network.block_pin_node.push_back(node(pin.other));
    network.block_pin_box.push_back(pin.shape.box);
    network.node_kind[network.block_pin_node.back()] = NodeKind::block_pin;
  }
}

Network network_of(MetalGrid grid, NetParts parts, const Library& library, const LayerResistances& resistances) {
  Network network;
  network.node_layer = std::move(grid.node_layer);
  network.node_place = std::move(grid.node_place);
  network.piece_layer = std::move(grid.piece_layer);
  network.piece_box = std::move(grid.piece_box);
  network.piece_node = std::move(grid.piece_node);
  network.trapezoids = std::move(grid.trapezoids);
  add_terminals(grid, parts, network);
  add_resistors(library, resistances, parts, grid, network);
  network.terminal_component = std::move(parts.terminals.component);
  network.terminal_pin = std::move(parts.terminals.pin_name);
  network.pin_names = std::move(parts.pin_names);
  return network;
}

/// Errors: InputError (less than a database unit).
Dbu cell_of(double mesh_um, double dbu_per_um) {
  const double cell = std::round(mesh_um * dbu_per_um);
  if (!(cell >= 1))
    throw InputError(fmt::format("{} {}: cells must be no smaller than a database unit, {} um", field("mesh"), mesh_um,
                                 1 / dbu_per_um));
  return static_cast<Dbu>(std::min(cell, static_cast<double>(kFarthest)));
}

MetalGrid mesh_of(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules, const Chip& chip, int32_t net,
                  double mesh_um) {
  try {
    return make_metal_grid(std::move(shapes), rules);
  } catch (const TooManyCells& e) {
    const std::string advice = e.cell_that_fits > 0 ? fmt::format("give {} or more", e.cell_that_fits / chip.dbu_per_um)
                                                    : "it does not fit at all";
    throw InputError(fmt::format("{}: {} {}: net {} would have {} cells or more, above {}; {}",
                                 chip.describe(chip.nets[net].place), field("mesh"), mesh_um, chip.nets[net].name,
                                 e.cells, MeshCells::kMost, advice));
  }
}

}  // namespace

Network extract(const Library& library, const Chip& chip, int32_t net, const LayerResistances& resistances) {
  NetParts parts = collect_net_parts(library, chip, chip.nets[net]);
  const std::vector<LayerRules> rules = rules_for(library, chip, parts.layers);
  MetalGrid grid = make_metal_grid(std::move(parts.layers), rules);
  return network_of(std::move(grid), std::move(parts), library, resistances);
}

Network extract_mesh(const Library& library, const Chip& chip, int32_t net, const LayerResistances& resistances,
                     double mesh_um) {
  const Dbu cell = cell_of(mesh_um, chip.dbu_per_um);
  NetParts parts = collect_net_parts(library, chip, chip.nets[net], cell);
  std::vector<LayerRules> rules = rules_for(library, chip, parts.layers);
  for (LayerRules& layer : rules) layer.cell = cell;
  parallel_each(
      std::ssize(parts.layers), [&](int64_t layer) { make_stairs(parts.layers[layer], cell); }, 1);
  MetalGrid grid = mesh_of(std::move(parts.layers), rules, chip, net, mesh_um);
  Network network = network_of(std::move(grid), std::move(parts), library, resistances);
  network.is_mesh = true;
  return network;
}

Network extract_metal(const Library& library, const Chip& chip, int32_t net) {
  NetParts parts = collect_net_parts(library, chip, chip.nets[net]);
  for (LayerShapes& layer : parts.layers) layer.places.clear(), layer.others.clear();
  std::vector<LayerRules> rules = rules_for(library, chip, parts.layers);
  for (LayerRules& layer : rules) layer.has_fillers = false;
  MetalGrid grid = make_metal_grid(std::move(parts.layers), rules);
  Network network;
  network.piece_layer = std::move(grid.piece_layer);
  network.piece_box = std::move(grid.piece_box);
  network.trapezoids = std::move(grid.trapezoids);
  return network;
}

}  // namespace gridiron::layout
