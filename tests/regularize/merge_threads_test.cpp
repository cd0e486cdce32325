// SPDX-License-Identifier: Apache-2.0
// Merging on any number of threads against a plain breadth-first search.

#include <gtest/gtest.h>

#include <random>

#include "regularize/merge.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

Merge merged_plainly(const Network& network) {
  Merge merge;
  std::vector<std::vector<int64_t>> ties_at(network.nodes);
  for (int64_t k = 0; k < network.ties(); ++k) {
    ties_at[network.tie_a[k]].push_back(k);
    ties_at[network.tie_b[k]].push_back(k);
  }
  std::vector<int32_t> root(network.nodes, -1);
  merge.offset.assign(network.nodes, 0.0);
  merge.parent.assign(network.nodes, -1);
  std::vector<int32_t> order;
  const auto grow = [&](int32_t start) {
    if (root[start] >= 0) return;
    root[start] = start;
    order.push_back(start);
    for (size_t next = order.size() - 1; next < order.size(); ++next) {
      const int32_t node = order[next];
      for (const int64_t tie : ties_at[node]) {
        const bool is_a = network.tie_a[tie] != node;
        const int32_t child = is_a ? network.tie_a[tie] : network.tie_b[tie];
        if (root[child] >= 0) continue;
        root[child] = start;
        merge.parent[child] = node;
        merge.order_tie.push_back(tie);
        merge.offset[child] = merge.offset[node] + (is_a ? network.tie_volts[tie] : -network.tie_volts[tie]);
        merge.order.push_back(child);
        order.push_back(child);
      }
    }
  };
  for (const int32_t node : network.fixed) grow(node);
  const size_t known = order.size();
  for (int32_t node = 0; node < network.nodes; ++node) grow(node);

  std::vector<bool> is_known(network.nodes, false);
  for (size_t k = 0; k < known; ++k) is_known[order[k]] = true;
  std::vector<int32_t> group_of(network.nodes, -1);
  for (const bool of_known : {false, true}) {
    for (int32_t node = 0; node < network.nodes; ++node)
      if (is_known[node] == of_known && group_of[root[node]] < 0) group_of[root[node]] = merge.groups++;
    if (!of_known) merge.unknowns = merge.groups;
  }
  for (int32_t node = 0; node < network.nodes; ++node) merge.group.push_back(group_of[root[node]]);
  return merge;
}

void expect_plain(const Network& network) {
  const Merge plain = merged_plainly(network);
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadCount count(threads);
    const Merge merge = merge_ties(network);
    EXPECT_EQ(merge.unknowns, plain.unknowns);
    EXPECT_EQ(merge.groups, plain.groups);
    EXPECT_TRUE(merge.group == plain.group && merge.offset == plain.offset && merge.parent == plain.parent &&
                merge.order == plain.order && merge.order_tie == plain.order_tie)
        << network.nodes << " nodes on " << threads << " threads";
  }
}

void add_tie(Network& network, int32_t a, int32_t b, double volts) {
  network.tie_a.push_back(a);
  network.tie_b.push_back(b);
  network.tie_volts.push_back(volts);
}

TEST(MergeOnThreads, TreesAndNumbersAreThoseOfOnePass) {
  std::mt19937 random(3);
  for (const int32_t nodes : {1, 2, 1000, (1 << 14) - 1, (1 << 14) + 1, 70000}) {
    std::uniform_int_distribution<int32_t> any(0, nodes - 1);
    Network islands;
    islands.nodes = nodes;
    islands.fixed = {0, nodes / 2, nodes - 1};
    islands.fixed_volts = {0, 0, 0};
    Network hubs = islands, free = islands, none = islands;
    free.fixed.clear();
    free.fixed_volts.clear();
    for (int32_t k = 0; k < nodes / 3; ++k) {
      add_tie(islands, any(random), any(random), 0.0);
      add_tie(free, any(random), any(random), 0.0);
      add_tie(hubs, k % 2 == 0 ? nodes / 3 : 0, any(random), k % 7 == 0 ? 0.5 : 0.0);
    }
    for (const Network& network : {islands, hubs, free, none}) expect_plain(network);
  }
}

TEST(MergeOnThreads, NetworksHaveTheSameBits) {
  std::mt19937 random(5);
  for (const int32_t nodes : {2, 1000, 40000}) {
    std::uniform_int_distribution<int32_t> any(0, nodes - 1);
    std::uniform_real_distribution<double> value(0.1, 3.0);
    Network network;
    network.nodes = nodes;
    network.fixed = {0};
    network.fixed_volts = {0};
    for (int32_t k = 0; k < nodes; ++k) network.injection.push_back(value(random));
    for (int32_t k = 0; k < nodes / 10; ++k)  // each node once at most, so that nothing contradicts
      add_tie(network, 10 * k, 10 * k + 1, value(random));
    for (int32_t k = 0; k < 2 * nodes; ++k) {
      const int32_t a = any(random), b = k % 5 == 0 ? 0 : any(random);
      if (a == b) continue;
      network.a.push_back(a);
      network.b.push_back(b);
      network.conductance.push_back(value(random));
    }
    const Merge merge = merge_ties(network);
    MergedNetwork first;
    for (const int threads : {1, 2, 3, 5}) {
      const ThreadCount count(threads);
      const MergedNetwork merged = merged_network(network, merge);
      if (threads == 1) first = merged;
      EXPECT_TRUE(merged.a == first.a && merged.b == first.b && merged.conductance == first.conductance &&
                  merged.pad == first.pad && merged.injection == first.injection);
    }
    // Σ (pads + injections) are those of the network, whichever group they went to.
    double pads = 0, known_edges = 0;
    for (const double pad : first.pad) pads += pad;
    for (int64_t k = 0; k < network.edges(); ++k)
      if ((merge.group[network.a[k]] >= merge.unknowns) != (merge.group[network.b[k]] >= merge.unknowns))
        known_edges += network.conductance[k];
    EXPECT_NEAR(pads, known_edges, 1e-9 * known_edges);
  }
}

}  // namespace
}  // namespace gridiron
