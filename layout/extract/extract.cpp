// SPDX-License-Identifier: Apache-2.0
#include "layout/extract.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "layout/extract/layer_grid.hpp"
#include "layout/extract/net_parts.hpp"
#include "layout/extract/resistors.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

std::vector<LayerRules> rules_for(const Library& library, const Chip& chip, const std::vector<LayerShapes>& shapes) {
  const std::vector<Dbu> pitch = node_pitches(library, chip.dbu_per_um);
  std::vector<LayerRules> rules(library.layers.size());
  for (std::size_t layer = 0; layer < rules.size(); ++layer)
    rules[layer] = {{library.layers[layer].direction == Direction::vertical}, pitch[layer], false};
  for (std::size_t layer = rules.size(); layer-- > 0;) {
    if (shapes[layer].boxes.empty() && shapes[layer].polygons.empty() && shapes[layer].places.empty()) continue;
    rules[layer].has_fillers = true;
    break;
  }
  return rules;
}

/// The nodes of all layers, one layer after the other.
void add_nodes(const std::vector<LayerGrid>& grids, const NetParts& parts, Network& network) {
  const std::vector<std::int64_t> first = first_nodes(grids);
  const auto n = static_cast<std::size_t>(first.back());
  resize_untouched(network.node_layer, n);
  resize_untouched(network.node_place, n);
  resize_untouched(network.node_kind, n);
  for (std::size_t layer = 0; layer < grids.size(); ++layer)
    parallel_each(std::ssize(grids[layer].nodes), [&](std::int64_t i) {
      network.node_layer[first[layer] + i] = static_cast<std::int32_t>(layer);
      network.node_place[first[layer] + i] = grids[layer].nodes[i];
      network.node_kind[first[layer] + i] = NodeKind::wire;
    });
  const auto number = [&](PlaceRef other) {
    return static_cast<std::int32_t>(first[other.layer] + grids[other.layer].node_of_other[other.index]);
  };
  resize_untouched(network.terminal_node, parts.terminals.base.size());
  parallel_each(std::ssize(parts.terminals.base), [&](std::int64_t t) {
    network.terminal_node[t] = number(parts.terminals.base[t]);
    network.node_kind[network.terminal_node[t]] = NodeKind::terminal;
  });
  for (const BlockPinShape& pin : parts.block_pins) {
    network.block_pin.push_back(pin.pin);
    network.block_pin_layer.push_back(pin.shape.layer);
    network.block_pin_node.push_back(number(pin.other));
    network.block_pin_box.push_back(pin.shape.box);
    network.node_kind[network.block_pin_node.back()] = NodeKind::block_pin;
  }
}

void add_pieces(const std::vector<LayerGrid>& grids, Network& network) {
  const std::vector<std::int64_t> first = first_nodes(grids);
  std::vector<std::int64_t> before{0};
  for (const LayerGrid& grid : grids) before.push_back(before.back() + std::ssize(grid.pieces));
  const auto n = static_cast<std::size_t>(before.back());
  resize_untouched(network.piece_layer, n);
  resize_untouched(network.piece_box, n);
  resize_untouched(network.piece_node, n);
  for (std::size_t layer = 0; layer < grids.size(); ++layer)
    parallel_each(std::ssize(grids[layer].pieces), [&](std::int64_t i) {
      const std::int64_t to = before[layer] + i;
      network.piece_layer[to] = static_cast<std::int32_t>(layer);
      network.piece_box[to] = grids[layer].pieces[i];
      network.piece_node[to] = static_cast<std::int32_t>(first[layer] + grids[layer].piece_node[i]);
    });
}

}  // namespace

Network extract(const Library& library, const Chip& chip, std::int32_t net, const LayerResistances& resistances) {
  NetParts parts = collect_net_parts(library, chip, chip.nets[net]);
  const std::vector<LayerRules> rules = rules_for(library, chip, parts.layers);
  const std::vector<LayerGrid> grids = make_layer_grids(std::move(parts.layers), rules);
  Network network;
  add_nodes(grids, parts, network);
  add_pieces(grids, network);
  add_resistors(library, resistances, parts, grids, network);
  network.terminal_component = std::move(parts.terminals.component);
  network.terminal_pin = std::move(parts.terminals.pin_name);
  network.pin_names = std::move(parts.pin_names);
  return network;
}

}  // namespace gridiron::layout
