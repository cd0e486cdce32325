// SPDX-License-Identifier: Apache-2.0
// Distinct hot spots: by distance where nodes have places, by conductors elsewhere.
#include "analysis/results/hot_spots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using testing::ElementsAre;

/// Nodes of one net at places, as a table.
struct Placed {
  std::vector<int32_t> layer;
  std::vector<double> x, y;
  NodeTable nodes;
  Network network;

  void add(double x_um, double y_um, double drop, int32_t net = 0) {
    layer.push_back(-1);
    x.push_back(x_um);
    y.push_back(y_um);
    nodes.drop_v.push_back(drop);
    nodes.net.push_back(net);
    nodes.state.push_back(net < 0 ? NodeState::ground : NodeState::solved);
    nodes.layer = layer;
    nodes.x_um = x;
    nodes.y_um = y;
  }
  std::vector<NodeId> spots(const HotSpotOptions& options = {}) const {
    std::vector<NodeId> list;
    for (const HotSpot& spot : find_hot_spots(nodes, network, {}, 2, options).worst) list.push_back(spot.node);
    return list;
  }
};

TEST(HotSpots, OneForEveryPeakHoweverManyNodesItHas) {
  Placed grid;
  grid.add(NAN, NAN, 0, -1);
  const auto peak = [](double x, double y, double at_x, double at_y) {
    return std::exp(-(std::pow(x - at_x, 2) + std::pow(y - at_y, 2)) / 200);
  };
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j) grid.add(i, j, peak(i, j, 20, 30) + 0.8 * peak(i, j, 70, 61) + 1e-4);
  const auto node = [](int i, int j) { return static_cast<NodeId>(1 + 100 * i + j); };
  const std::vector<NodeId> spots = grid.spots();
  ASSERT_GE(spots.size(), 2u);
  EXPECT_EQ(spots[0], node(20, 30));
  EXPECT_EQ(spots[1], node(70, 61));
  for (size_t k = 2; k < spots.size(); ++k) EXPECT_LT(grid.nodes.drop_v[spots[k]], 2e-4) << "flat far away";
}

/// Random drops: every spot is the worst within the distance, and every node that is one is listed, worst first.
TEST(HotSpots, AreTheLocalMaxima) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> number(0, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Placed grid;
    grid.add(NAN, NAN, 0, -1);
    for (int n = 0; n < 400; ++n)
      grid.add(1000 * number(random), 300 * number(random), std::round(50 * number(random)));
    for (const double distance : {0.0, 40.0, 120.0}) {
      const double wanted = distance > 0 ? distance : hot_spot_distance(grid.nodes);
      std::vector<NodeId> expected;
      for (NodeId n = 1; n <= 400; ++n) {
        bool is_worst = grid.nodes.drop_v[n] > 0;
        for (NodeId m = 1; m <= 400 && is_worst; ++m)
          is_worst = m == n || std::hypot(grid.x[n] - grid.x[m], grid.y[n] - grid.y[m]) >= wanted ||
                     grid.nodes.drop_v[m] < grid.nodes.drop_v[n] ||
                     (grid.nodes.drop_v[m] == grid.nodes.drop_v[n] && m > n);
        if (is_worst) expected.push_back(n);
      }
      std::stable_sort(expected.begin(), expected.end(),
                       [&](NodeId a, NodeId b) { return grid.nodes.drop_v[a] > grid.nodes.drop_v[b]; });
      HotSpotOptions options{1000, 1000, distance, 3};
      EXPECT_EQ(grid.spots(options), expected) << distance;
      options.most_of_net = 3;
      expected.resize(std::min<size_t>(3, expected.size()));
      EXPECT_EQ(grid.spots(options), expected);
    }
  }
}

TEST(HotSpots, EveryNetKeepsItsWorstOne) {
  Placed grid;
  grid.add(NAN, NAN, 0, -1);
  for (int n = 0; n < 6; ++n) grid.add(100 * n, 0, 10 - n, 0);
  grid.add(0, 50, 1, 1);
  grid.add(500, 50, 0.5, 1);
  HotSpotOptions options;
  options.most = 4;
  EXPECT_THAT(grid.spots(options), ElementsAre(1, 2, 3, 7));
}

TEST(HotSpots, ASlopeIsNoneHoweverFarApartItsNodesAre) {
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_20000_0 1\nr2 n1_m1_20000_0 n1_m1_40000_0 1\nr3 n1_m1_40000_0 "
      "n1_m1_60000_0 1\ni1 n1_m1_60000_0 0 10m\n.end\n");
  ASSERT_EQ(run.result.hot_spots.size(), 1u);
  EXPECT_EQ(run.circuit.node_name(run.result.hot_spots[0].node), "n1_m1_60000_0");
}

TEST(HotSpots, WithoutPlacesByConductors) {
  // A chain a0 … a9 with loads at a2 and a9 and pads at a0 and a5: peaks at a2 and a9; a8 is next to a9.
  std::string deck = "* t\nv1 a0 0 1\nv2 a5 0 1\ni1 a2 0 1m\ni2 a9 0 2m\ni3 a8 0 1m\n";
  for (int n = 0; n < 9; ++n)
    deck += "r" + std::to_string(n) + " a" + std::to_string(n) + " a" + std::to_string(n + 1) + " 1\n";
  const Analysed run(deck + ".end\n");
  std::vector<std::string> names;
  for (const HotSpot& spot : run.result.hot_spots) names.emplace_back(run.circuit.node_name(spot.node));
  EXPECT_THAT(names, ElementsAre("a9", "a2"));
}

TEST(HotSpots, TellTheNearestPadOfTheirNet) {
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_20000_0 2\nr2 n1_m1_20000_0 n1_m1_60000_0 1\nv2 n1_m1_60000_0 0 1\ni1 "
      "n1_m1_20000_0 0 60m\n.end\n");
  ASSERT_EQ(run.result.hot_spots.size(), 1u);
  const HotSpot& spot = run.result.hot_spots[0];
  EXPECT_EQ(run.circuit.node_name(spot.node), "n1_m1_20000_0");
  EXPECT_EQ(run.circuit.node_name(spot.pad), "n1_m1_0_0");
  EXPECT_DOUBLE_EQ(spot.pad_distance_um, 10);
  EXPECT_DOUBLE_EQ(run.result.hot_spot_distance_um, 1.5);
}

}  // namespace
}  // namespace gridiron
