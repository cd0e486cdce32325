// SPDX-License-Identifier: Apache-2.0
#include "regularize/eliminate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "tests/regularize/dense_solve.hpp"
#include "tests/regularize/random_network.hpp"
#include "tests/thread_time.hpp"

namespace gridiron {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct MergedBuilder {
  MergedNetwork network;

  explicit MergedBuilder(int32_t nodes) {
    network.nodes = nodes;
    network.pad.assign(nodes, 0.0);
    network.injection.assign(nodes, 0.0);
  }
  MergedBuilder& edge(int32_t a, int32_t b, double siemens = 1.0) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(siemens);
    return *this;
  }
  MergedBuilder& pad(int32_t node, double siemens = 1.0) {
    network.pad[node] += siemens;
    return *this;
  }
  MergedBuilder& inject(int32_t node, double amperes) {
    network.injection[node] += amperes;
    return *this;
  }
};

/// A mesh in which every node has at least three neighbours, so that nothing can be eliminated.
MergedNetwork complete_graph(int32_t nodes) {
  MergedBuilder net(nodes);
  for (int32_t i = 0; i < nodes; ++i) {
    for (int32_t j = i + 1; j < nodes; ++j) net.edge(i, j);
  }
  return net.network;
}

std::vector<double> voltages(const MergedNetwork& network, const Elimination& elimination,
                             const std::vector<double>& injection) {
  std::vector<double> arrived(elimination.steps.size()), reduced(elimination.kept.size()), voltage(network.nodes);
  elimination.reduce(injection, arrived, reduced);
  const auto solved = test::dense_voltages(elimination.network, {reduced.begin(), reduced.end()});
  std::copy(solved.begin(), solved.end(), reduced.begin());
  elimination.recover(arrived, reduced, voltage);
  return voltage;
}

std::vector<double> arrived_at(const MergedNetwork& network, const Elimination& elimination) {
  std::vector<double> arrived(elimination.steps.size()), reduced(elimination.kept.size());
  elimination.reduce(network.injection, arrived, reduced);
  return arrived;
}

size_t neighbours(const MergedNetwork& network, int32_t node) {
  std::set<int32_t> others;
  for (int64_t k = 0; k < network.edges(); ++k) {
    if (network.a[k] == node) others.insert(network.b[k]);
    if (network.b[k] == node) others.insert(network.a[k]);
  }
  return others.size();
}

TEST(Eliminate, EmptyNetwork) {
  const Elimination elimination = eliminate(MergedNetwork{});
  EXPECT_THAT(elimination.kept, IsEmpty());
  EXPECT_THAT(elimination.steps, IsEmpty());
}

TEST(Eliminate, LoneNodeWithPadIsSolvedOutright) {
  const MergedNetwork network = MergedBuilder(1).pad(0, 4.0).inject(0, 2.0).network;
  const Elimination elimination = eliminate(network);
  EXPECT_THAT(elimination.kept, IsEmpty());
  EXPECT_THAT(voltages(network, elimination, network.injection), ElementsAre(0.5));
}

TEST(Eliminate, NodeWithoutAnythingIsKept) {
  const Elimination elimination = eliminate(MergedBuilder(1).network);
  EXPECT_THAT(elimination.kept, ElementsAre(0));
  EXPECT_EQ(elimination.network.nodes, 1);
}

TEST(Eliminate, SeriesNodeBecomesOneEdgeAndSharesItsInjection) {
  MergedNetwork network = complete_graph(5);
  network.nodes = 6;
  network.pad.push_back(0);
  network.injection.push_back(6.0);
  for (const auto& [to, siemens] : {std::pair{0, 1.0}, std::pair{3, 2.0}}) {
    network.a.push_back(5);
    network.b.push_back(to);
    network.conductance.push_back(siemens);
  }
  const Elimination elimination = eliminate(network);
  EXPECT_THAT(elimination.kept, ElementsAre(0, 1, 2, 3, 4));
  ASSERT_THAT(elimination.steps, SizeIs(1));
  EXPECT_THAT(elimination.steps[0].resistance, DoubleEq(1.0 / 3));
  EXPECT_THAT(elimination.network.injection, ElementsAre(DoubleEq(2.0), 0, 0, DoubleEq(4.0), 0));
  double between = 0;
  for (int64_t k = 0; k < elimination.network.edges(); ++k) {
    const auto ends = std::minmax(elimination.network.a[k], elimination.network.b[k]);
    if (ends == std::pair<const int32_t&, const int32_t&>(0, 3)) between += elimination.network.conductance[k];
  }
  EXPECT_DOUBLE_EQ(between, 1.0 + 2.0 / 3);
}

TEST(Eliminate, NodesOfAMeshAreKept) {
  const Elimination elimination = eliminate(complete_graph(6));
  EXPECT_THAT(elimination.kept, SizeIs(6));
  EXPECT_EQ(elimination.network.edges(), 15);
}

TEST(Eliminate, SeriesNodeSharesItsPad) {
  // Node 4 lies between 0 and 1 of a complete graph: 1 S and 2 S to them, 5 S to its pad.
  MergedNetwork network = complete_graph(4);
  network.nodes = 5;
  network.pad.push_back(5.0);
  network.injection.push_back(0.0);
  for (const auto& [to, siemens] : {std::pair{0, 1.0}, std::pair{1, 2.0}}) {
    network.a.push_back(to);
    network.b.push_back(4);
    network.conductance.push_back(siemens);
  }
  const Elimination elimination = eliminate(network);
  EXPECT_THAT(elimination.network.pad, ElementsAre(5.0 / 8, 10.0 / 8, 0, 0));
  ASSERT_THAT(elimination.steps, SizeIs(1));
  EXPECT_EQ(elimination.steps[0].weight_j, 1.0 / 8);
  EXPECT_EQ(elimination.steps[0].weight_k, 2.0 / 8);
}

TEST(Eliminate, PadsOnEveryNodeDoNotHinderIt) {
  MergedBuilder net(1000);
  for (int32_t i = 0; i < 1000; ++i) net.edge(i, (i + 1) % 1000, 1e3).pad(i, 0.5).inject(i, 1.0);
  const Elimination elimination = eliminate(net.network);
  ASSERT_THAT(elimination.kept, IsEmpty());
  std::vector<double> voltage(1000);
  elimination.recover(arrived_at(net.network, elimination), {}, voltage);
  EXPECT_THAT(voltage, testing::Each(testing::DoubleNear(2.0, 1e-13)));
}

TEST(Eliminate, ParallelEdgesCountOnce) {
  MergedBuilder net(3);
  for (int k = 0; k < 10; ++k) net.edge(0, 1).edge(2, 1);
  const MergedNetwork network = net.pad(0).inject(1, 1.0).inject(2, 1.0).network;
  const Elimination elimination = eliminate(network);
  EXPECT_THAT(elimination.kept, IsEmpty());
  EXPECT_THAT(voltages(network, elimination, network.injection),
              ElementsAre(DoubleEq(2.0), DoubleEq(2.2), DoubleEq(2.3)));
}

TEST(Eliminate, SwitchedOffKeepsEverything) {
  const MergedNetwork network = MergedBuilder(3).edge(0, 1).edge(1, 2).pad(0).inject(2, 1.0).network;
  const Elimination elimination = eliminate(network, false);
  EXPECT_THAT(elimination.kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(elimination.unknown, ElementsAre(0, 1, 2));
  EXPECT_THAT(elimination.network.injection, ElementsAre(0, 0, 1.0));
  EXPECT_THAT(voltages(network, elimination, network.injection), ElementsAre(1.0, 2.0, 3.0));
}

TEST(Eliminate, FloatingPartsKeepExactlyOneNodeAndTheirWholeInjection) {
  // A floating ring 0-3, a floating pair 4-5, a bare node 6, a chain with a pad 7-8.
  const MergedNetwork network = MergedBuilder(9)
                                    .edge(0, 1)
                                    .edge(1, 2)
                                    .edge(2, 3)
                                    .edge(3, 0)
                                    .edge(4, 5)
                                    .edge(7, 8)
                                    .pad(8)
                                    .inject(0, 1.0)
                                    .inject(1, 2.0)
                                    .inject(2, -3.5)
                                    .inject(4, 0.25)
                                    .inject(7, 1.0)
                                    .network;
  const Elimination elimination = eliminate(network);
  ASSERT_THAT(elimination.kept, SizeIs(3));
  EXPECT_LE(elimination.kept[0], 3);
  EXPECT_THAT(elimination.kept[1], testing::AnyOf(4, 5));
  EXPECT_EQ(elimination.kept[2], 6);
  EXPECT_THAT(elimination.network.injection, ElementsAre(DoubleEq(-0.5), DoubleEq(0.25), 0));
  EXPECT_THAT(elimination.network.pad, ElementsAre(0, 0, 0));
}

TEST(Eliminate, FloatingTreeIsRecoveredUpToAConstant) {
  std::mt19937 random(7);
  MergedBuilder net(200);
  for (int32_t i = 1; i < 200; ++i) {
    net.edge(i, static_cast<int32_t>(random() % i), 1 + random() % 9).inject(i, 1.0).inject(0, -1.0);
  }
  const Elimination elimination = eliminate(net.network);
  ASSERT_THAT(elimination.kept, SizeIs(1));
  std::vector<double> voltage(200);
  elimination.recover(arrived_at(net.network, elimination), std::vector<double>{0.0}, voltage);
  std::vector<double> current = net.network.injection;
  for (int64_t k = 0; k < net.network.edges(); ++k) {
    const auto a = net.network.a[k], b = net.network.b[k];
    const double flow = net.network.conductance[k] * (voltage[a] - voltage[b]);
    current[a] -= flow;
    current[b] += flow;
  }
  for (const double c : current) EXPECT_NEAR(c, 0.0, 1e-10);
}

TEST(Eliminate, NothingWithTwoNeighboursIsLeftOnRandomNetworks) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Network network = test::random_network(seed, 3.0);
    const Elimination elimination = eliminate(merged_network(network, merge_ties(network)));
    for (int32_t i = 0; i < elimination.network.nodes; ++i) {
      ASSERT_GT(neighbours(elimination.network, i), 2u) << "seed " << seed << ", unknown " << i;
      ASSERT_EQ(elimination.unknown[elimination.kept[i]], i);
    }
    ASSERT_EQ(elimination.steps.size() + elimination.kept.size(), elimination.unknown.size());
    for (int64_t s = 0; s < std::ssize(elimination.steps); ++s)
      ASSERT_EQ(elimination.unknown[elimination.steps[s].node], -1 - s);
  }
}

/// For any spread of conductances no digits are lost: errors are relative to the voltages produced by the magnitudes of
/// all injections together.
TEST(Eliminate, RecoversEveryVoltageForSeveralRightHandSides) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Network network = test::random_network(seed, 8.0);
    const MergedNetwork merged = merged_network(network, merge_ties(network));
    const Elimination elimination = eliminate(merged);
    std::mt19937 random(seed);
    for (int rhs = 0; rhs < 3; ++rhs) {
      std::vector<double> injection = merged.injection;
      if (rhs > 0) {
        for (double& i : injection) i = random() / 4294967296.0 - 0.5;
      }
      test::LongVector magnitudes;
      for (const double i : injection) magnitudes.push_back(std::abs(i));
      const auto scale = test::dense_voltages(merged, magnitudes);
      const auto expected = test::dense_voltages(merged, {injection.begin(), injection.end()});
      const auto voltage = voltages(merged, elimination, injection);
      for (int32_t i = 0; i < merged.nodes; ++i) {
        ASSERT_LE(std::abs(voltage[i] - expected[i]), 1e-13 * scale[i]) << "seed " << seed << ", node " << i;
      }
    }
  }
}

TEST(Eliminate, ReducedInjectionIsThatOfReduce) {
  const Network network = test::random_network(3, 2.0);
  const MergedNetwork merged = merged_network(network, merge_ties(network));
  const Elimination elimination = eliminate(merged);
  std::vector<double> arrived(elimination.steps.size()), reduced(elimination.kept.size());
  elimination.reduce(merged.injection, arrived, reduced);
  EXPECT_EQ(reduced, elimination.network.injection);
}

/// So that blocks can be worked on at once, and then the nodes of each round.
TEST(Eliminate, BlocksAndRoundsAreIndependent) {
  constexpr int32_t n = 100'000;
  std::mt19937 random(3);
  MergedBuilder net(n);
  for (int32_t i = 1; i < n; ++i) net.edge(i - 1, i);
  for (int32_t k = 0; k < n / 4; ++k) {
    const auto a = static_cast<int32_t>(random() % n), b = static_cast<int32_t>(random() % n);
    if (a != b) net.edge(a, b);
  }
  const Elimination elimination = eliminate(net.pad(0).network);
  ASSERT_GT(elimination.blocks(), 1u);
  ASSERT_GT(elimination.rounds(), 1u);
  std::vector<size_t> round_of(n, elimination.rounds() + 1);
  for (size_t b = 0; b < elimination.blocks(); ++b)
    for (const Elimination::Step& step : elimination.block(b)) {
      round_of[step.node] = 0;
      ASSERT_EQ(step.node / (1 << 14), static_cast<int32_t>(b));
    }
  for (size_t r = 0; r < elimination.rounds(); ++r)
    for (const Elimination::Step& step : elimination.round(r)) round_of[step.node] = r + 1;
  for (const Elimination::Step& step : elimination.steps)
    for (const int32_t other : {step.j, step.k}) {
      if (other < 0) continue;
      const bool is_of_block = round_of[step.node] == 0;
      ASSERT_TRUE(is_of_block ? other / (1 << 14) == step.node / (1 << 14) : round_of[other] > round_of[step.node]);
    }
  ASSERT_EQ(elimination.first_of_block.back(), elimination.first_of_round.front());
  ASSERT_EQ(elimination.first_of_round.back(), std::ssize(elimination.steps));
}

TEST(Eliminate, AShuffledChainTakesFewRounds) {
  constexpr int32_t n = 100'000;
  std::vector<int32_t> at(n);
  std::iota(at.begin(), at.end(), 0);
  std::shuffle(at.begin(), at.end(), std::mt19937(1));
  MergedBuilder net(n);
  for (int32_t i = 1; i < n; ++i) net.edge(at[i - 1], at[i]);
  const Elimination elimination = eliminate(net.pad(0).network);
  EXPECT_THAT(elimination.kept, IsEmpty());
  EXPECT_LT(elimination.rounds(), 60u);
}

/// Shapes on which a careless implementation is quadratic; the time limit is hundreds of times that of linear work and
/// a tenth of that of quadratic work.
class LinearTime : public testing::Test {
 protected:
  void TearDown() override { EXPECT_LT(watch_.seconds(), 5.0); }

 private:
  test::ThreadTime watch_;
};

TEST_F(LinearTime, ChainOfAMillion) {
  constexpr int32_t n = 1'000'000;
  MergedBuilder net(n);
  for (int32_t i = 1; i < n; ++i) net.edge(i - 1, i, 1e6);
  net.pad(0, 1e6).inject(n - 1, 1.0);
  const Elimination elimination = eliminate(net.network);
  ASSERT_THAT(elimination.kept, IsEmpty());
  std::vector<double> voltage(n);
  elimination.recover(arrived_at(net.network, elimination), {}, voltage);
  EXPECT_NEAR(voltage[n - 1], 1.0, 1e-9);
  EXPECT_NEAR(voltage[n / 2 - 1], 0.5, 1e-9);
}

TEST_F(LinearTime, RingOfAMillionWithShuffledNumbers) {
  constexpr int32_t n = 1'000'000;
  std::vector<int32_t> at(n);
  std::iota(at.begin(), at.end(), 0);
  std::shuffle(at.begin(), at.end(), std::mt19937(1));
  MergedBuilder net(n);
  for (int32_t i = 0; i < n; ++i) net.edge(at[i], at[(i + 1) % n], 1.0);
  EXPECT_THAT(eliminate(net.pad(0).network).kept, IsEmpty());
}

TEST_F(LinearTime, StarWithItsHubInTheMiddleOfTheNumbers) {
  constexpr int32_t n = 500'001, hub = n / 2;
  MergedBuilder net(n);
  for (int32_t i = 0; i < n; ++i) {
    if (i != hub) net.edge(i, hub).inject(i, 1.0);
  }
  const Elimination elimination = eliminate(net.pad(hub, 2.0).network);
  ASSERT_THAT(elimination.kept, IsEmpty());
  std::vector<double> voltage(n);
  elimination.recover(arrived_at(net.network, elimination), {}, voltage);
  EXPECT_DOUBLE_EQ(voltage[hub], 250'000.0);
  EXPECT_DOUBLE_EQ(voltage[0], 250'001.0);
}

TEST_F(LinearTime, SeriesNodesBetweenAFewHubs) {
  // Half a million series nodes between the pairs of five hubs: no hub loses an edge, all become parallel.
  constexpr int32_t hubs = 5, n = 500'000;
  MergedBuilder net(n);
  for (int32_t i = hubs; i < n; ++i) net.edge(i, i % hubs).edge(i, (i + 1 + i / hubs % 4) % hubs);
  const Elimination elimination = eliminate(net.pad(0).network);
  EXPECT_THAT(elimination.kept, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(LinearTime, SeriesNodesBetweenTwoHubs) {
  constexpr int32_t n = 500'002;
  MergedBuilder net(n);
  for (int32_t i = 2; i < n; ++i) net.edge(0, i, 2.0).edge(i, 1, 2.0);
  const Elimination elimination = eliminate(net.pad(0).inject(1, 1.0).network);
  ASSERT_THAT(elimination.kept, IsEmpty());
  std::vector<double> voltage(n);
  elimination.recover(arrived_at(net.network, elimination), {}, voltage);
  EXPECT_NEAR(voltage[1], 1.0 + 1.0 / 500'000, 1e-12);
}

TEST_F(LinearTime, LadderCollapsesRungByRung) {
  constexpr int32_t rungs = 300'000;
  MergedBuilder net(2 * rungs);
  for (int32_t i = 0; i < rungs; ++i) {
    net.edge(2 * i, 2 * i + 1);
    if (i > 0) net.edge(2 * i - 2, 2 * i).edge(2 * i - 1, 2 * i + 1);
  }
  EXPECT_THAT(eliminate(net.pad(rungs).network).kept, IsEmpty());
}

TEST_F(LinearTime, FanOfAHubOverAChain) {
  constexpr int32_t n = 400'001, hub = n - 1;
  MergedBuilder net(n);
  for (int32_t i = 0; i < hub; ++i) {
    net.edge(i, hub);
    if (i > 0) net.edge(i - 1, i);
  }
  EXPECT_THAT(eliminate(net.pad(hub).network).kept, IsEmpty());
}

}  // namespace
}  // namespace gridiron
