// SPDX-License-Identifier: Apache-2.0
#include "regularize/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/regularize/dense_solve.hpp"
#include "tests/regularize/random_network.hpp"

namespace gridiron {
namespace {

using test::NetworkBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST(MergeTies, EmptyNetworkHasNoGroups) {
  const Merge merge = merge_ties(Network{});
  EXPECT_EQ(merge.groups, 0);
  EXPECT_EQ(merged_network(Network{}, merge).nodes, 0);
}

TEST(MergeTies, WithoutTiesEveryNodeIsItsOwnGroup) {
  const Merge merge = merge_ties(NetworkBuilder(3).network);
  EXPECT_THAT(merge.group, ElementsAre(0, 1, 2));
  EXPECT_EQ(merge.unknowns, 3);
  EXPECT_THAT(merge.parent, ElementsAre(-1, -1, -1));
}

TEST(MergeTies, OffsetsAddUpAlongTies) {
  const Merge merge = merge_ties(NetworkBuilder(4).tie(1, 0, 0.5).tie(1, 2, 0.25).tie(3, 2, -1.0).network);
  EXPECT_THAT(merge.group, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(merge.offset, ElementsAre(0, 0.5, 0.25, -0.75));
  EXPECT_THAT(merge.conflicts, IsEmpty());
}

TEST(MergeTies, UnknownGroupsComeFirstThenKnownOnesEachByLowestNode) {
  const Merge merge = merge_ties(NetworkBuilder(7).fix(6, 3.0).fix(2, 1.0).tie(0, 6, 0.5).tie(5, 3, 0.0).network);
  EXPECT_EQ(merge.unknowns, 3);
  EXPECT_EQ(merge.groups, 5);
  EXPECT_THAT(merge.group, ElementsAre(3, 0, 4, 1, 2, 1, 3));
  EXPECT_THAT(merge.known_volts, ElementsAre(3.0, 1.0));
  EXPECT_EQ(merge.offset[0], 0.5);
}

TEST(MergeTies, TreesAreRootedAtFixedNodesAndOrderedParentsFirst) {
  const Merge merge = merge_ties(NetworkBuilder(4).tie(0, 1, 0).tie(1, 2, 0).tie(2, 3, 0).fix(2, 1.8).network);
  EXPECT_THAT(merge.parent, ElementsAre(1, 2, -1, 2));
  EXPECT_THAT(merge.order, UnorderedElementsAre(0, 1, 3));
  const std::vector<int64_t> tie_to_parent = {0, 1, -1, 2};
  std::vector<bool> has_come = {false, false, true, false};
  for (size_t k = 0; k < merge.order.size(); ++k) {
    const int32_t node = merge.order[k];
    EXPECT_EQ(merge.order_tie[k], tie_to_parent[node]);
    EXPECT_TRUE(has_come[merge.parent[node]]);
    has_come[node] = true;
  }
}

TEST(MergeTies, RedundantTiesThatAgreeAreAccepted) {
  const Network network = NetworkBuilder(2).fix(0, 0).tie(1, 0, 1.8).tie(1, 0, 1.8).tie(0, 1, -1.8).fix(1, 1.8).network;
  EXPECT_THAT(merge_ties(network).conflicts, IsEmpty());
}

TEST(MergeTies, ConflictNamesTheTiesOfTheLoopOnly) {
  // 4 is connected by tie 0 to the triangle 1-2-3, whose ties 1, 2, 3 sum to 0.3 V.
  const Merge merge =
      merge_ties(NetworkBuilder(5).fix(4, 0).tie(1, 4, 1.0).tie(1, 2, 0.1).tie(2, 3, 0.1).tie(3, 1, 0.1).network);
  ASSERT_THAT(merge.conflicts, SizeIs(1));
  EXPECT_THAT(merge.conflicts[0].loop, UnorderedElementsAre(1, 2, 3));
  EXPECT_NEAR(merge.conflicts[0].volts, 0.3, 1e-15);
}

TEST(MergeTies, ConflictOfTwoFixedPotentialsNamesThemAndThePathBetween) {
  const Merge merge = merge_ties(NetworkBuilder(3).fix(0, 1.0).fix(2, 1.5).tie(0, 1, 0.0).tie(1, 2, 0.0).network);
  ASSERT_THAT(merge.conflicts, SizeIs(1));
  EXPECT_THAT(merge.conflicts[0].loop, ElementsAre(-2, 1, 0, -1));
  EXPECT_DOUBLE_EQ(merge.conflicts[0].volts, 0.5);
}

TEST(MergeTies, NodeFixedTwiceAtDifferentVoltsIsAConflict) {
  const Merge merge = merge_ties(NetworkBuilder(1).fix(0, 1.0).fix(0, 2.0).network);
  ASSERT_THAT(merge.conflicts, SizeIs(1));
  EXPECT_THAT(merge.conflicts[0].loop, ElementsAre(-2, -1));
}

TEST(MergeTies, SourceAcrossOneNodeIsAConflictUnlessItIsZero) {
  EXPECT_THAT(merge_ties(NetworkBuilder(1).tie(0, 0, 0.0).network).conflicts, IsEmpty());
  const Merge merge = merge_ties(NetworkBuilder(1).tie(0, 0, 1.0).network);
  ASSERT_THAT(merge.conflicts, SizeIs(1));
  EXPECT_THAT(merge.conflicts[0].loop, ElementsAre(0));
}

TEST(MergeTies, ToleranceIsTheLargestAcceptedContradiction) {
  const Network network = NetworkBuilder(2).tie(0, 1, 1.0).tie(0, 1, 1.001).network;
  EXPECT_THAT(merge_ties(network, 0.002).conflicts, IsEmpty());
  EXPECT_THAT(merge_ties(network, 0.0005).conflicts, SizeIs(1));
}

TEST(MergeTies, NanVoltsAreAConflict) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(merge_ties(NetworkBuilder(2).tie(0, 1, 1.0).tie(0, 1, nan).network).conflicts, SizeIs(1));
}

TEST(MergeTies, LongChainsAndStarsOfTiesTakeLinearTime) {
  constexpr int32_t n = 1'000'000;
  NetworkBuilder chain(n), star(n);
  for (int32_t i = 1; i < n; ++i) {
    chain.tie(i - 1, i, 0.0);
    star.tie(i, 0, 1.0);
  }
  EXPECT_EQ(merge_ties(chain.network).groups, 1);
  const Merge merge = merge_ties(star.network);
  EXPECT_EQ(merge.groups, 1);
  EXPECT_EQ(merge.offset[n - 1], 1.0);
}

TEST(MergeTies, NamesTheFirstHundredConflictsOnly) {
  constexpr int32_t n = 100'000;
  NetworkBuilder net(n);
  for (int32_t i = 1; i < n; ++i) net.tie(i - 1, i, 0.0).tie(i - 1, i, 1.0);
  EXPECT_THAT(merge_ties(net.network).conflicts, SizeIs(100));
}

TEST(MergedNetwork, EdgesInsideAGroupVanish) {
  const Network network = NetworkBuilder(3).tie(0, 1, 0.5).edge(0, 1, 7.0).edge(1, 2, 2.0).network;
  const MergedNetwork merged = merged_network(network, merge_ties(network));
  EXPECT_EQ(merged.nodes, 2);
  EXPECT_THAT(merged.conductance, ElementsAre(2.0));
}

TEST(MergedNetwork, KnownNeighboursBecomePadsAndInjections) {
  const Network network = NetworkBuilder(4)
                              .fix(0, 1.5)
                              .tie(1, 0, 0.25)
                              .edge(2, 1, 4.0)
                              .edge(0, 3, 2.0)
                              .edge(0, 1, 9.0)
                              .inject(2, -0.5)
                              .network;
  const MergedNetwork merged = merged_network(network, merge_ties(network));
  EXPECT_EQ(merged.nodes, 2);
  EXPECT_EQ(merged.edges(), 0);
  EXPECT_THAT(merged.pad, ElementsAre(4.0, 2.0));
  EXPECT_THAT(merged.injection, ElementsAre(4.0 * 1.75 - 0.5, 2.0 * 1.5));
}

TEST(MergedNetwork, VoltagesEqualModifiedNodalAnalysis) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Network network = test::random_network(seed, 2.0);
    const Merge merge = merge_ties(network);
    ASSERT_THAT(merge.conflicts, IsEmpty());
    const MergedNetwork merged = merged_network(network, merge);
    const auto expected = test::dense_voltages(network);
    const auto unknown = test::dense_voltages(merged, {merged.injection.begin(), merged.injection.end()});
    for (int32_t node = 0; node < network.nodes; ++node) {
      const int32_t group = merge.group[node];
      const long double base = group < merge.unknowns ? unknown[group] : merge.known_volts[group - merge.unknowns];
      ASSERT_NEAR(static_cast<double>(base + merge.offset[node]), static_cast<double>(expected[node]), 1e-10)
          << "seed " << seed << ", node " << node;
    }
  }
}

}  // namespace
}  // namespace gridiron
