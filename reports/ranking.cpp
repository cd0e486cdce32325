// SPDX-License-Identifier: Apache-2.0
#include "reports/ranking.hpp"

#include <algorithm>
#include <parallel/algorithm>

#include "reports/lookup.hpp"

namespace gridiron {
namespace {

struct WorseFirst {
  const std::vector<double>& drop_v;
  bool operator()(NodeId a, NodeId b) const {
    const double drop_a = drop_v[static_cast<std::size_t>(a)], drop_b = drop_v[static_cast<std::size_t>(b)];
    return drop_a != drop_b ? drop_a > drop_b : a < b;
  }
};

}  // namespace

std::vector<NodeId> rank_nodes(const IrReport& result) {
  std::vector<NodeId> order;
  order.reserve(result.nodes.state.size());
  for (std::size_t n = 0; n < result.nodes.state.size(); ++n)
    if (has_drop(result.nodes, n)) order.push_back(static_cast<NodeId>(n));
  __gnu_parallel::sort(order.begin(), order.end(), WorseFirst{result.nodes.drop_v});
  return order;
}

std::vector<std::vector<NodeId>> worst_nodes(const IrReport& result, std::size_t count) {
  const WorseFirst worse{result.nodes.drop_v};
  std::vector<std::vector<NodeId>> worst(result.nets.size());
  for (std::size_t n = 0; n < result.nodes.state.size(); ++n) {
    if (!has_drop(result.nodes, n)) continue;
    // A heap whose front is the smallest drop of the nodes kept so far.
    std::vector<NodeId>& heap = worst[static_cast<std::size_t>(result.nodes.net[n])];
    const auto node = static_cast<NodeId>(n);
    if (heap.size() == count) {
      if (!worse(node, heap.front())) continue;
      std::pop_heap(heap.begin(), heap.end(), worse);
      heap.pop_back();
    }
    heap.push_back(node);
    std::push_heap(heap.begin(), heap.end(), worse);
  }
  for (std::vector<NodeId>& heap : worst) std::sort_heap(heap.begin(), heap.end(), worse);
  return worst;
}

}  // namespace gridiron
