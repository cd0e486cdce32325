// SPDX-License-Identifier: Apache-2.0
#include "reports/text/ranking.hpp"

#include <algorithm>
#include <numeric>
#include <parallel/algorithm>
#include <set>
#include <string_view>

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

std::vector<size_t> shown_hot_spots(const IrReport& result, size_t count) {
  std::set<std::string_view> failing;
  for (const LimitResult& limit : result.limits)
    if (limit.exceeded) failing.insert(limit.net);
  std::vector<size_t> left(result.nets.size());
  for (size_t net = 0; net < left.size(); ++net)
    if (failing.contains(result.nets[net].name)) left[net] = std::max<size_t>(1, count / failing.size());

  std::vector<size_t> order(result.hot_spots.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto others = std::stable_partition(order.begin(), order.end(), [&](size_t k) {
    const int32_t net = result.hot_spots[k].net;
    return net >= 0 && left[net] > 0 && left[net]-- > 0;
  });
  const auto of_failing = static_cast<size_t>(others - order.begin());
  order.resize(std::min(order.size(), std::max(count, of_failing)));
  std::ranges::sort(order);
  return order;
}

}  // namespace gridiron
