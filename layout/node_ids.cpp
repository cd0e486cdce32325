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

int64_t first_not_before(const Network& n, const Spot& spot) {
  int64_t low = 0, high = n.nodes();
  while (low < high) {
    const int64_t half = (low + high) / 2;
    if (spot_of(n, half) < spot)
      low = half + 1;
    else
      high = half;
  }
  return low;
}

bool has_node_at(const Network& n, const Spot& spot) {
  const int64_t node = first_not_before(n, spot);
  return node < n.nodes() && spot_of(n, node) == spot;
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
  find_repeated_names();
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
void NodeIds::find_repeated_names() {
  const Network& n = network();
  resize_untouched(repeats_name_, static_cast<size_t>(n.nodes()));
  parallel_each(n.nodes(), [&](int64_t i) {
    repeats_name_[i] = i > 0 && n.node_kind[i] != NodeKind::wire && spot_of(n, i - 1) == spot_of(n, i) ? 1 : 0;
  });
}

/// Any number of terminals may lie on one spot.
int32_t NodeIds::first_of_name(int32_t node) const {
  constexpr int32_t kNear = 8;
  for (int32_t near = node; near >= 0 && near > node - kNear; --near)
    if (!repeats_name_[near]) return near;
  return static_cast<int32_t>(first_not_before(network(), spot_of(network(), node)));
}

/// Of every node that stands for its name, the first end of a resistor that is there: 2 i of resistor i where that is
/// its lower node, 2 i + 1 where it is its upper one. Of others, and where there is none, 2 n.resistors().
std::vector<int64_t> NodeIds::first_ends() const {
  const Network& n = network();
  std::vector<int64_t> first_end;
  assign_in_parallel(first_end, n.nodes(), 2 * n.resistors());
  parallel_each(n.resistors(), [&](int64_t i) {  // which are in the order of their lower nodes
    if (const int32_t node = n.from[i]; (i == 0 || n.from[i - 1] != node) && !repeats_name_[node])
      first_end[node] = 2 * i;
  });
  const auto keep_first = [&](int32_t node, int64_t end) {
    const std::atomic_ref<int64_t> first(first_end[first_of_name(node)]);
    int64_t before = first.load(std::memory_order_relaxed);
    while (end < before && !first.compare_exchange_weak(before, end, std::memory_order_relaxed)) continue;
  };
  constexpr int64_t kAhead = 16;
  parallel_each(n.resistors(), [&](int64_t i) {
    if (i + kAhead < n.resistors()) __builtin_prefetch(&first_end[n.to[i + kAhead]], 1);
    if (repeats_name_[n.from[i]]) keep_first(n.from[i], 2 * i);
    keep_first(n.to[i], 2 * i + 1);
  });
  return first_end;
}

/// Returns the nodes that stand for their names, in the order of their ids.
std::vector<int32_t> NodeIds::number_nodes() {
  const Network& n = network();
  const int64_t ends = 2 * n.resistors();
  const std::vector<int64_t> first_end = first_ends();
  std::vector<uint8_t> is_first;
  assign_in_parallel(is_first, ends, uint8_t{0});
  parallel_each(n.nodes(), [&](int64_t node) {
    if (first_end[node] < ends) is_first[first_end[node]] = 1;
  });
  std::vector<int32_t> order;
  const NodeId next = circuit_.nodes.size();
  parallel_choose(
      ends, [&](int64_t end) { return is_first[end] != 0; },
      [&](int64_t count) { resize_untouched(order, static_cast<size_t>(count)); },
      [&](int64_t end, int64_t place) {
        order[place] = first_of_name(end % 2 == 0 ? n.from[end / 2] : n.to[end / 2]);
        id_[order[place]] = next + static_cast<NodeId>(place);
      });
  parallel_each(n.nodes(), [&](int64_t node) {
    if (repeats_name_[node]) id_[node] = id_[first_of_name(static_cast<int32_t>(node))];
  });
  return order;
}

void NodeIds::add_names(const std::vector<int32_t>& nodes) {
  const Network& n = network();
  std::array<std::vector<size_t>, kKinds> numbers;
  for (size_t kind = 0; kind < kKinds; ++kind)
    for (const std::string& stem : stems_[kind]) numbers[kind].push_back(circuit_.nodes.stem(stem));
  std::vector<NameKey> keys;
  resize_untouched(keys, nodes.size());
  const bool all_have_keys = holds_for_all(std::ssize(nodes), [&](int64_t i) {
    const Spot own = spot_of(n, nodes[i]), spot = moved_.empty() ? own : named(own);
    const size_t number = numbers[static_cast<size_t>(spot.kind)][spot.layer];
    if (number == name_key::kText || !name_key::has_room(spot.place.x) || !name_key::has_room(spot.place.y))
      return false;
    keys[i] = name_key::of_place(number, spot.place.x, spot.place.y);
    return true;
  });
  if (all_have_keys) return circuit_.nodes.append_keys(keys);
  for (const int32_t node : nodes) add(spot_of(n, node));
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
  const auto common = joined_ranges<std::vector<Spot>>(
      network.nodes(),
      [&](int64_t begin, int64_t end) {
        std::vector<Spot> some;
        int64_t j = first_not_before(earlier, spot_of(network, begin));
        for (int64_t i = begin; i < end && j < earlier.nodes();) {
          const Spot own = spot_of(network, i), other = spot_of(earlier, j);
          if (own == other) some.push_back(own);
          own < other ? ++i : ++j;
        }
        return some;
      },
      [](std::vector<Spot>& all, const std::vector<Spot>& some) { all.insert(all.end(), some.begin(), some.end()); });
  for (const Spot& spot : common)
    if (!moved_.contains(spot)) moved_[spot] = free_spot(spot, network);
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
