// SPDX-License-Identifier: Apache-2.0
#include "layout/opens.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "layout/extract/parallel_union.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

Opens find_opens(const Network& network) {
  Opens opens;
  opens.has_no_block_pins = network.block_pin.empty();
  if (network.nodes() == 0) return opens;
  ParallelUnion parts(network.nodes());
  parallel_each(network.resistors(), [&](int64_t r) { parts.join(network.from[r], network.to[r]); });

  const int32_t top = network.top_layer();
  const auto first = std::lower_bound(network.node_layer.begin(), network.node_layer.end(), top);
  const int32_t start = parts.find(static_cast<int32_t>(first - network.node_layer.begin()));

  std::vector<int32_t> with_metal = parallel_list<int32_t>(network.pieces(), [&](int64_t p, auto& list) {
    const int32_t part = parts.find(network.piece_node[p]);
    if (list.empty() || list.back() != part) list.push_back(part);
  });
  std::sort(with_metal.begin(), with_metal.end());
  opens.parts = static_cast<int32_t>(std::unique(with_metal.begin(), with_metal.end()) - with_metal.begin());
  opens.shapes = parallel_list<Opens::Shape>(network.pieces(), [&](int64_t p, auto& list) {
    if (parts.find(network.piece_node[p]) != start) list.push_back({network.piece_layer[p], network.piece_box[p]});
  });
  std::sort(opens.shapes.begin(), opens.shapes.end(), [](const Opens::Shape& a, const Opens::Shape& b) {
    return std::tie(a.layer, a.box.x0, a.box.y0, a.box.x1, a.box.y1) <
           std::tie(b.layer, b.box.x0, b.box.y0, b.box.x1, b.box.y1);
  });
  opens.terminals = parallel_list<Opens::Terminal>(network.terminals(), [&](int64_t t, auto& list) {
    const int32_t node = network.terminal_node[t];
    if (parts.find(node) != start)
      list.push_back(
          {network.terminal_component[t], static_cast<int32_t>(t), network.node_layer[node], network.node_place[node]});
  });
  for (size_t i = 0; i < network.block_pin.size(); ++i)
    if (parts.find(network.block_pin_node[i]) != start)
      opens.pins.push_back({network.block_pin[i], network.block_pin_layer[i], network.block_pin_box[i]});
  return opens;
}

Box component_box(const Library& library, const Chip& chip, int32_t component) {
  const Macro& macro = library.macros[chip.components.macro[component]];
  const Dbu width = to_dbu(macro.width_um, chip.dbu_per_um), height = to_dbu(macro.height_um, chip.dbu_per_um);
  return placed(Box{0, 0, width, height}, width, height, chip.components.place[component],
                chip.components.orientation[component]);
}

}  // namespace gridiron::layout
