// SPDX-License-Identifier: Apache-2.0
#include "layout/opens.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "layout/extract/union_find.hpp"

namespace gridiron::layout {

Opens find_opens(const Network& network) {
  Opens opens;
  opens.has_no_block_pins = network.block_pin.empty();
  if (network.nodes() == 0) return opens;
  UnionFind parts(network.nodes());
  for (std::int64_t r = 0; r < network.resistors(); ++r) parts.join(network.from[r], network.to[r]);

  const std::int32_t top = network.top_layer();
  const auto first = std::lower_bound(network.node_layer.begin(), network.node_layer.end(), top);
  const std::int32_t start = parts.find(static_cast<std::int32_t>(first - network.node_layer.begin()));

  std::vector<std::uint8_t> has_metal(static_cast<std::size_t>(network.nodes()), 0);
  for (std::int64_t p = 0; p < network.pieces(); ++p) {
    const std::int32_t part = parts.find(network.piece_node[p]);
    opens.parts += has_metal[part] == 0;
    has_metal[part] = 1;
    if (part != start) opens.shapes.push_back({network.piece_layer[p], network.piece_box[p]});
  }
  std::sort(opens.shapes.begin(), opens.shapes.end(), [](const Opens::Shape& a, const Opens::Shape& b) {
    return std::tie(a.layer, a.box.x0, a.box.y0, a.box.x1, a.box.y1) <
           std::tie(b.layer, b.box.x0, b.box.y0, b.box.x1, b.box.y1);
  });
  for (std::int64_t t = 0; t < network.terminals(); ++t) {
    const std::int32_t node = network.terminal_node[t];
    if (parts.find(node) != start)
      opens.terminals.push_back({network.terminal_component[t], static_cast<std::int32_t>(t), network.node_layer[node],
                                 network.node_place[node]});
  }
  for (std::size_t i = 0; i < network.block_pin.size(); ++i)
    if (parts.find(network.block_pin_node[i]) != start)
      opens.pins.push_back({network.block_pin[i], network.block_pin_layer[i], network.block_pin_box[i]});
  return opens;
}

}  // namespace gridiron::layout
