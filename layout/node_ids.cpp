// SPDX-License-Identifier: Apache-2.0
#include "layout/node_ids.hpp"

#include <algorithm>
#include <atomic>
#include <string_view>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

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

Spot spot_of(const Network& n, int64_t node) { return {n.node_layer[node], n.node_place[node], n.node_kind[node]}; }

bool has_node_at(const Network& n, const Spot& spot) {
  int64_t low = 0, high = n.nodes();
  while (low < high) {
    const int64_t half = (low + high) / 2;
    if (spot_of(n, half) < spot)
      low = half + 1;
    else
      high = half;
  }
  return low < n.nodes() && spot_of(n, low) == spot;
}

}  // namespace

NodeIds::NodeIds(const Library& library, Circuit& circuit) : circuit_(circuit) {
  circuit_.nodes.intern("0");
  for (size_t kind = 0; kind < kKinds; ++kind)
    for (const Layer& layer : library.layers)
      stems_[kind].push_back(std::string(word_of(static_cast<NodeKind>(kind))) + layer.name);
}

void NodeIds::begin(const Network& network) {
  moved_.clear();
  for (const Network* earlier : networks_) move_away(network, *earlier);
  networks_.push_back(&network);
  assign_in_parallel(id_, network.nodes(), NodeId{-1});
  add_names(number_nodes());
}

NodeId NodeIds::of(int32_t node) {
  if (id_[node] >= 0) return id_[node];
  const int32_t first = first_of_name(node);
  if (id_[first] < 0) id_[first] = add(spot_of(network(), first));
  return id_[node] = id_[first];
}

NodeId NodeIds::add_source(int32_t node) {
  Spot spot = named(spot_of(network(), node));
  spot.kind = NodeKind::source;
  return add(spot);
}

/// Nodes of one name follow each other; those of the grid have one each.
int32_t NodeIds::first_of_name(int32_t node) const {
  if (network().node_kind[node] == NodeKind::wire) return node;
  const Spot own = spot_of(network(), node);
  if (node == 0 || spot_of(network(), node - 1) != own) return node;
  int32_t low = 0, high = node;  // any number of terminals may lie on one spot: look the first one up
  while (low < high) {
    const int32_t half = low + (high - low) / 2;
    if (spot_of(network(), half) < own)
      low = half + 1;
    else
      high = half;
  }
  return low;
}

/// Returns the nodes that stand for their names, in the order of their ids.
std::vector<int32_t> NodeIds::number_nodes() {
  const Network& n = network();
  const int64_t ends = 2 * n.resistors();
  const auto node_at = [&](int64_t end) { return first_of_name(end % 2 == 0 ? n.from[end / 2] : n.to[end / 2]); };
  std::vector<int64_t> first_end;  // of every node, the first that is there
  assign_in_parallel(first_end, n.nodes(), ends);
  parallel_each(ends, [&](int64_t end) {
    const std::atomic_ref<int64_t> first(first_end[node_at(end)]);
    int64_t before = first.load(std::memory_order_relaxed);
    while (end < before && !first.compare_exchange_weak(before, end, std::memory_order_relaxed)) continue;
  });
  std::vector<int32_t> order;
  const NodeId next = circuit_.nodes.size();
  parallel_choose(
      ends, [&](int64_t end) { return first_end[node_at(end)] == end; },
      [&](int64_t count) { resize_untouched(order, static_cast<size_t>(count)); },
      [&](int64_t end, int64_t place) {
        order[place] = node_at(end);
        id_[order[place]] = next + static_cast<NodeId>(place);
      });
  parallel_each(n.nodes(), [&](int64_t node) {
    const auto i = static_cast<int32_t>(node);
    if (const int32_t first = first_of_name(i); first != i) id_[i] = id_[first];
  });
  return order;
}

void NodeIds::add_names(const std::vector<int32_t>& nodes) {
  const Network& n = network();
  std::array<std::vector<size_t>, kKinds> numbers;
  for (size_t kind = 0; kind < kKinds; ++kind)
    for (const std::string& stem : stems_[kind]) numbers[kind].push_back(circuit_.nodes.stem(stem));
  const auto number = [&](const Spot& spot) { return numbers[static_cast<size_t>(spot.kind)][spot.layer]; };
  const bool all_have_keys = holds_for_all(std::ssize(nodes), [&](int64_t i) {
    const Spot spot = named(spot_of(n, nodes[i]));
    return number(spot) != name_key::kText && name_key::has_room(spot.place.x) && name_key::has_room(spot.place.y);
  });
  if (!all_have_keys) {
    for (const int32_t node : nodes) add(spot_of(n, node));
    return;
  }
  std::vector<NameKey> keys;
  resize_untouched(keys, nodes.size());
  parallel_each(std::ssize(nodes), [&](int64_t i) {
    const Spot spot = named(spot_of(n, nodes[i]));
    keys[i] = name_key::of_place(number(spot), spot.place.x, spot.place.y);
  });
  circuit_.nodes.append_keys(keys);
}

NodeId NodeIds::add(const Spot& of) {
  const Spot spot = named(of);
  const NodeId id = circuit_.nodes.size();
  circuit_.nodes.append(stems_[static_cast<size_t>(spot.kind)][spot.layer], spot.place.x, spot.place.y);
  return id;
}

/// What the name of a node of this net tells.
Spot NodeIds::named(const Spot& spot) const {
  if (moved_.empty()) return spot;
  const auto moved = moved_.find(spot);
  return moved == moved_.end() ? spot : moved->second;
}

/// Both networks are sorted.
void NodeIds::move_away(const Network& network, const Network& earlier) {
  for (int64_t i = 0, j = 0; i < network.nodes() && j < earlier.nodes();) {
    const Spot own = spot_of(network, i), other = spot_of(earlier, j);
    if (own == other && !moved_.contains(own)) moved_[own] = free_spot(own, network);
    own < other ? ++i : ++j;
  }
}

Spot NodeIds::free_spot(Spot spot, const Network& network) {
  const auto is_taken = [&] {
    return has_node_at(network, spot) || !taken_.insert(spot).second ||
           std::any_of(networks_.begin(), networks_.end(), [&](const Network* n) { return has_node_at(*n, spot); });
  };
  do ++spot.place.x;
  while (is_taken());
  return spot;
}

}  // namespace gridiron::layout
