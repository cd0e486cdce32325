// SPDX-License-Identifier: Apache-2.0
// Elimination has the same bits on any number of threads.

#include <gtest/gtest.h>

#include <random>

#include "regularize/eliminate.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

MergedNetwork sparse_network(int32_t nodes, int64_t edges, bool has_hub) {
  std::mt19937 random(static_cast<unsigned>(nodes));
  std::uniform_real_distribution<double> value(0.1, 3.0);
  std::uniform_int_distribution<int32_t> any(0, std::max(0, nodes - 1));
  MergedNetwork network;
  network.nodes = nodes;
  for (int32_t i = 0; i < nodes; ++i) {
    network.pad.push_back(i % 50 == 0 ? value(random) : 0.0);
    network.injection.push_back(value(random));
  }
  for (int64_t k = 0; k < edges; ++k) {
    const int32_t a = has_hub && k % 3 == 0 ? nodes / 2 : any(random), b = any(random);
    for (int parallel = k % 10 == 0 ? 2 : 1; a != b && parallel > 0; --parallel) {
      network.a.push_back(a);
      network.b.push_back(b);
      network.conductance.push_back(value(random));
    }
  }
  return network;
}

void expect_same_bits(const MergedNetwork& network) {
  Elimination first;
  std::vector<double> arrived_at_first, volts_of_first;
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadCount count(threads);
    const Elimination elimination = eliminate(network);
    if (threads == 1) first = elimination;
    const MergedNetwork &a = elimination.network, &b = first.network;
    EXPECT_TRUE(elimination.kept == first.kept && elimination.unknown == first.unknown &&
                elimination.first_of_block == first.first_of_block &&
                elimination.first_of_round == first.first_of_round && a.a == b.a && a.b == b.b &&
                a.conductance == b.conductance && a.pad == b.pad && a.injection == b.injection)
        << network.nodes << " nodes on " << threads << " threads";
    std::vector<double> arrived(elimination.steps.size()), volts(network.nodes), reduced(elimination.kept.size());
    elimination.reduce(network.injection, arrived, reduced);
    elimination.recover(arrived, reduced, volts);
    if (threads == 1) {
      arrived_at_first = arrived;
      volts_of_first = volts;
    }
    EXPECT_TRUE(arrived == arrived_at_first && volts == volts_of_first);
  }
  EXPECT_EQ(first.kept.size() + first.steps.size(), static_cast<size_t>(network.nodes));
  std::vector<int32_t> degree(first.network.nodes, 0);
  for (int64_t k = 0; k < first.network.edges(); ++k) {
    ++degree[first.network.a[k]];
    ++degree[first.network.b[k]];
  }
  for (int32_t i = 0; i < first.network.nodes; ++i) EXPECT_TRUE(degree[i] > 2 || degree[i] == 0);
}

TEST(EliminateOnThreads, ChainsHaveTheSameBits) {
  constexpr int32_t n = 200'000;
  MergedNetwork network = sparse_network(n, 0, false);
  for (int32_t i = 1; i < n; ++i) {
    network.a.push_back(i - 1);
    network.b.push_back(i);
    network.conductance.push_back(1.0 + i % 7);
  }
  expect_same_bits(network);
}

TEST(EliminateOnThreads, SameBits) {
  for (const int32_t nodes : {0, 1, 2, 1000, (1 << 14) - 1, (1 << 14) + 1, 60000})
    for (const bool has_hub : {false, true}) {
      expect_same_bits(sparse_network(nodes, nodes / 2, has_hub));  // islands
      expect_same_bits(sparse_network(nodes, 2 * nodes, has_hub));
    }
}

}  // namespace
}  // namespace gridiron
