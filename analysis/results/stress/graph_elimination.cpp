// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/graph_elimination.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace gridiron {
namespace {

/// Of a node that is not eliminated yet.
struct Spoke {
  int32_t neighbour;
  int64_t edge;
};
using Spokes = std::vector<Spoke>;

Spokes::iterator find_spoke(Spokes& spokes, int32_t neighbour) {
  return std::ranges::find(spokes, neighbour, &Spoke::neighbour);
}

}  // namespace

GraphElimination::GraphElimination(int32_t nodes, std::span<const Edge> edges) {
  std::vector<Spokes> spokes(nodes);
  const auto join = [&](int32_t a, int32_t b) {
    const auto known = find_spoke(spokes[a], b);
    if (known != spokes[a].end()) return known->edge;
    spokes[a].push_back({b, edges_});
    spokes[b].push_back({a, edges_});
    return edges_++;
  };
  for (const Edge& edge : edges) edge_.push_back(join(edge.a, edge.b));

  using Degree = std::pair<size_t, int32_t>;
  std::priority_queue<Degree, std::vector<Degree>, std::greater<>> queue;
  for (int32_t n = 0; n < nodes; ++n) queue.emplace(spokes[n].size(), n);
  std::vector<uint8_t> is_done(nodes, 0);
  while (!queue.empty()) {
    const auto [degree, n] = queue.top();
    queue.pop();
    if (is_done[n] || degree != spokes[n].size()) continue;  // it has another degree by now
    is_done[n] = 1;
    order_.push_back(n);
    const Spokes of_n = std::move(spokes[n]);
    for (const Spoke& spoke : of_n) {
      neighbour_.push_back(spoke.neighbour);
      spoke_.push_back(spoke.edge);
      Spokes& others = spokes[spoke.neighbour];
      others.erase(find_spoke(others, n));
    }
    for (size_t i = 0; i < of_n.size(); ++i)
      for (size_t j = 0; j < i; ++j) pair_.push_back(join(of_n[i].neighbour, of_n[j].neighbour));
    for (const Spoke& spoke : of_n) queue.emplace(spokes[spoke.neighbour].size(), spoke.neighbour);
    first_spoke_.push_back(std::ssize(spoke_));
    first_pair_.push_back(std::ssize(pair_));
  }
}

GraphFactor::GraphFactor(const GraphElimination& elimination, std::span<const double> surplus,
                         std::span<const double> weight)
    : elimination_(&elimination), share_(elimination.spoke_.size()), inverse_(elimination.order_.size()) {
  const GraphElimination& e = elimination;
  std::vector<double> left(surplus.begin(), surplus.end()), of_edge(e.edges_, 0.0);
  for (size_t i = 0; i < weight.size(); ++i) of_edge[e.edge_[i]] += weight[i];
  for (size_t k = 0; k < e.order_.size(); ++k) {
    const int64_t first = e.first_spoke_[k], last = e.first_spoke_[k + 1];
    double pivot = left[e.order_[k]];
    for (int64_t s = first; s < last; ++s) pivot += of_edge[e.spoke_[s]];
    inverse_[k] = 1 / pivot;
    int64_t pair = e.first_pair_[k];
    for (int64_t s = first; s < last; ++s) {
      share_[s] = of_edge[e.spoke_[s]] * inverse_[k];
      left[e.neighbour_[s]] += share_[s] * left[e.order_[k]];
      for (int64_t other = first; other < s; ++other) of_edge[e.pair_[pair++]] += share_[s] * of_edge[e.spoke_[other]];
    }
  }
}

void GraphFactor::solve(std::span<double> x) const {
  const GraphElimination& e = *elimination_;
  for (size_t k = 0; k < e.order_.size(); ++k) {
    const double value = x[e.order_[k]];
    for (int64_t s = e.first_spoke_[k]; s < e.first_spoke_[k + 1]; ++s) x[e.neighbour_[s]] += share_[s] * value;
  }
  for (size_t k = e.order_.size(); k-- > 0;) {
    double value = x[e.order_[k]] * inverse_[k];
    for (int64_t s = e.first_spoke_[k]; s < e.first_spoke_[k + 1]; ++s) value += share_[s] * x[e.neighbour_[s]];
    x[e.order_[k]] = value;
  }
}

}  // namespace gridiron
