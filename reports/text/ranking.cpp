// SPDX-License-Identifier: Apache-2.0
#include "reports/text/ranking.hpp"

#include <algorithm>
#include <parallel/algorithm>

#include "reports/lookup.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

struct WorseFirst {
  const std::vector<double>& drop_v;
  bool operator()(NodeId a, NodeId b) const {
    const double drop_a = drop_v[a], drop_b = drop_v[b];
    return drop_a != drop_b ? drop_a > drop_b : a < b;
  }
};

/// A heap whose front is the best of the nodes kept so far.
void keep_if_worse(NodeId node, const WorseFirst& worse, size_t count, std::vector<NodeId>& heap) {
  if (heap.size() == count) {
    if (count == 0 || !worse(node, heap.front())) return;
    std::pop_heap(heap.begin(), heap.end(), worse);
    heap.pop_back();
  }
  heap.push_back(node);
  std::push_heap(heap.begin(), heap.end(), worse);
}

}  // namespace

std::vector<NodeId> rank_nodes(const IrReport& result) {
  auto order = parallel_list<NodeId>(std::ssize(result.nodes.state), [&](int64_t n, auto& list) {
    if (has_drop(result.nodes, n)) list.push_back(static_cast<NodeId>(n));
  });
  __gnu_parallel::sort(order.begin(), order.end(), WorseFirst{result.nodes.drop_v});
  return order;
}

std::vector<std::vector<NodeId>> worst_nodes(const IrReport& result, size_t count) {
  const WorseFirst worse{result.nodes.drop_v};
  using OfNets = std::vector<std::vector<NodeId>>;
  auto worst = joined_ranges<OfNets>(
      std::ssize(result.nodes.state),
      [&](int64_t begin, int64_t end) {
        OfNets some(result.nets.size());
        for (size_t n = begin; n < static_cast<size_t>(end); ++n)
          if (has_drop(result.nodes, n)) keep_if_worse(static_cast<NodeId>(n), worse, count, some[result.nodes.net[n]]);
        return some;
      },
      [&](OfNets& all, const OfNets& some) {
        all.resize(result.nets.size());
        for (size_t net = 0; net < all.size(); ++net)
          for (const NodeId node : some[net]) keep_if_worse(node, worse, count, all[net]);
      },
      1 << 17);
  worst.resize(result.nets.size());
  for (std::vector<NodeId>& heap : worst) std::sort_heap(heap.begin(), heap.end(), worse);
  return worst;
}

}  // namespace gridiron
