// SPDX-License-Identifier: Apache-2.0
#include "regularize/negative_edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/regularize/random_network.hpp"

namespace gridiron {
namespace {

using test::NetworkBuilder;
using testing::ElementsAre;

MergedNetwork merged(const Network& network) { return merged_network(network, merge_ties(network)); }
int64_t first_not_outweighed(const Network& network) { return find_not_outweighed(network, merge_ties(network)); }

TEST(NegativeEdges, JoinThoseBetweenTheSameNodes) {
  const Network network =
      NetworkBuilder(3).fix(0, 0).edge(0, 1, 1).edge(1, 2, 2).edge(2, 1, -0.5).edge(1, 2, 0.25).network;
  EXPECT_EQ(first_not_outweighed(network), -1);
  MergedNetwork all = merged(network);
  ASSERT_TRUE(join_negative_edges(all));
  EXPECT_THAT(all.conductance, ElementsAre(1.75));
  EXPECT_THAT(all.pad, ElementsAre(1, 0));
}

TEST(NegativeEdges, CountTowardsAllThatIsFixed) {
  const Network network = NetworkBuilder(4).fix(0, 0).fix(1, 2).edge(0, 2, -1).edge(1, 2, 1.5).edge(2, 3, 1).network;
  EXPECT_EQ(first_not_outweighed(network), -1) << "both lead to what is fixed";
  MergedNetwork all = merged(network);
  EXPECT_TRUE(join_negative_edges(all));
  EXPECT_THAT(all.pad, ElementsAre(0.5, 0));
}

TEST(NegativeEdges, AreToldWithAllThatTheyAreSummedWith) {
  const Network network =
      NetworkBuilder(4).fix(0, 3).edge(1, 0, 1).edge(0, 1, -0.5).edge(1, 2, 2).edge(2, 1, -0.5).edge(2, 3, 1).network;
  const auto opposed = opposed_conductances(network, merge_ties(network), std::vector<double>{1, 1, 1});
  ASSERT_EQ(opposed.size(), 4u);
  EXPECT_EQ(opposed[0].b, -1);
  EXPECT_EQ(opposed[0].volts, 2) << "from the reference of 1 V";
  EXPECT_EQ(opposed[1].siemens, 0.5);
  EXPECT_EQ(opposed[2].volts, 0);
  EXPECT_EQ(opposed[3].siemens, 0.5);
}

TEST(NegativeEdges, WithoutEffectNeedNothing) {
  EXPECT_EQ(first_not_outweighed(NetworkBuilder(3).fix(0, 0).tie(1, 2, 0).edge(1, 2, -1).edge(0, 1, 1).network), -1);
}

TEST(NegativeEdges, AreNotOutweighedByLessOrByRounding) {
  EXPECT_EQ(first_not_outweighed(NetworkBuilder(3).fix(0, 0).edge(0, 1, 1).edge(1, 2, 1).edge(1, 2, -2).network), 2);
  EXPECT_EQ(first_not_outweighed(NetworkBuilder(2).fix(0, 0).edge(0, 1, 1).edge(0, 1, -1).network), 1);
  EXPECT_EQ(first_not_outweighed(NetworkBuilder(2).fix(0, 0).edge(0, 1, 1).edge(0, 1, -1 + 1e-9).network), 1);
  EXPECT_EQ(first_not_outweighed(NetworkBuilder(3).fix(0, 0).edge(0, 1, 1).edge(1, 2, -2).network), 1);
  MergedNetwork all = merged(NetworkBuilder(3).fix(0, 0).edge(0, 1, 1).edge(1, 2, 1).edge(1, 2, -2).network);
  EXPECT_FALSE(join_negative_edges(all));
  EXPECT_THAT(all.conductance, ElementsAre(1, -2)) << "nothing changes";
}

}  // namespace
}  // namespace gridiron
