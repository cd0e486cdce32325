// SPDX-License-Identifier: Apache-2.0
#include "regularize/loose_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "regularize/tables.hpp"

namespace gridiron {
namespace {

constexpr int kSide = 100;

/// A square mesh on layer 0 with some nodes more, which have no place.
struct MeshWithLooseNodes {
  MergedNetwork network;
  Geometry geometry;

  MeshWithLooseNodes() {
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) node(x, y, 0);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x + 1 < kSide; ++x) edge(at(x, y), at(x + 1, y)), edge(at(y, x), at(y, x + 1));
  }
  static int32_t at(int x, int y) { return y * kSide + x; }
  int32_t node(double x, double y, int32_t layer) {
    network.pad.push_back(0);
    network.injection.push_back(0);
    geometry.x_um.push_back(x);
    geometry.y_um.push_back(y);
    geometry.layer.push_back(layer);
    geometry.net.push_back(0);
    return network.nodes++;
  }
  int32_t loose() { return node(NAN, NAN, -1); }
  void edge(int32_t a, int32_t b) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(1);
  }
  std::vector<double> place_of(int32_t node) const { return {geometry.x_um[node], geometry.y_um[node]}; }
};

using testing::ElementsAre;

TEST(LooseNodes, ComeToTheMeanOfNeighboursThatLieCloseTogether) {
  MeshWithLooseNodes p;
  const int32_t bump = p.loose(), behind = p.loose();
  for (const auto& [x, y] : {std::pair{10, 20}, {11, 20}, {10, 24}, {11, 24}}) p.edge(bump, p.at(x, y));
  p.edge(behind, bump);
  p.geometry.layer[p.at(11, 24)] = 3;
  place_loose_nodes(p.network, p.geometry);
  for (const int32_t node : {bump, behind}) {
    EXPECT_THAT(p.place_of(node), ElementsAre(10.5, 22));
    EXPECT_EQ(p.geometry.layer[node], 3);
    EXPECT_EQ(p.geometry.net[node], 0);
  }
}

TEST(LooseNodes, AreAPartOfTheirOwnWhereNeighboursLieFarApart) {
  MeshWithLooseNodes p;
  const int32_t hub = p.loose(), alone = p.loose();
  for (int k = 0; k < kSide; k += 5) p.edge(hub, p.at(k, k));
  place_loose_nodes(p.network, p.geometry);
  EXPECT_THAT(p.place_of(hub), ElementsAre(0, 0));
  EXPECT_THAT(p.place_of(alone), ElementsAre(1, 0));
  EXPECT_EQ(p.geometry.net[hub], 1);
  EXPECT_EQ(p.geometry.net[alone], 1);

  // Its edges are pads of the grid, and of the cell that it has for itself.
  const Regularization regular = regularize(p.network, p.geometry, {});
  ASSERT_EQ(regular.grids.size(), 2u);
  double pads = 0;
  for (const double gz : regular.grids[0].gz) pads += gz;
  EXPECT_EQ(pads, 20);
  EXPECT_EQ(regular.grids[1].gz[0], 20);
}

TEST(LooseNodes, AreAtMostAHundredthOfAllNodes) {
  MeshWithLooseNodes p;
  for (int k = 0; k < kSide * kSide / 99; ++k) p.edge(p.loose(), p.at(0, 0));
  place_loose_nodes(p.network, p.geometry);
  EXPECT_FALSE(regularize_declines(p.network, p.geometry));  // 101 of 10 101
  p.edge(p.loose(), p.at(0, 0));
  p.geometry.x_um[p.at(0, 0)] = NAN;
  for (int k = 0; k < kSide * kSide / 99; ++k) p.geometry.y_um[p.at(k % kSide, 1)] = INFINITY;
  place_loose_nodes(p.network, p.geometry);
  EXPECT_TRUE(regularize_declines(p.network, p.geometry));
}

TEST(LooseNodes, NothingHappensWithoutPlaces) {
  MeshWithLooseNodes p;
  Geometry none;
  place_loose_nodes(p.network, none);
  EXPECT_TRUE(none.x_um.empty());
  place_loose_nodes({}, none);
  const Geometry before = p.geometry;
  place_loose_nodes(p.network, p.geometry);
  EXPECT_EQ(p.geometry.x_um, before.x_um);
  EXPECT_EQ(p.geometry.net, before.net);
}

}  // namespace
}  // namespace gridiron
