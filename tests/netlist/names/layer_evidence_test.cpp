// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/layer_evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NodePlaces placed(const std::string& deck) { return place_nodes(read_netlist_text(deck)); }

/// Bumps and vias with indices where wires have coordinates; the metal is a number, before another one.
TEST(LayerEvidence, IndicesAreNoPlaces) {
  const Circuit c = read_netlist_text(
      "* t\nv1 vdd 0 1\nrp vdd pw_bump_0_0 1\nrt0 pw_bump_0_0 pw_tsv_0_1 1\nrt1 pw_tsv_0_1 pw_2_0_416_416 1\n"
      "rv pw_2_0_416_416 pw_1_0_416_416 1\nrm pw_1_0_416_416 pw_1_0_1250_416 1\n"
      "rm2 pw_2_0_416_416 pw_2_0_416_1250 1\n");
  const NodePlaces p = place_nodes(c);
  EXPECT_THAT(p.layers, ElementsAre("1_0", "2_0"));
  EXPECT_THAT(p.nets, ElementsAre("pw"));
  EXPECT_EQ(p.placed, 4);
  const NodeId bump = c.nodes.find("pw_bump_0_0"), wire = c.nodes.find("pw_2_0_416_1250");
  EXPECT_TRUE(std::isnan(p.x_um[bump]));
  EXPECT_EQ(p.layer[bump], -1);
  EXPECT_EQ(p.net[bump], -1);
  EXPECT_EQ(p.layers[p.layer[wire]], "2_0");
  EXPECT_TRUE(p.dbu_is_guess) << "no convention tells the unit";
}

/// Names of instances that end in numbers: each looks like a layer.
TEST(LayerEvidence, InstancesAreNoLayers) {
  std::string deck = "* t\nv1 vdd 0 1\n";
  for (int i = 0; i < 40; ++i)
    deck += "r" + std::to_string(i) + (i ? " core_u" + std::to_string(i - 1) + "_0_" + std::to_string(i - 1) : " vdd") +
            " core_u" + std::to_string(i) + "_0_" + std::to_string(i) + " 1\n";
  const NodePlaces p = placed(deck);
  EXPECT_THAT(p.layers, IsEmpty());
  EXPECT_THAT(p.nets, IsEmpty());
  EXPECT_EQ(p.placed, 0);
  EXPECT_EQ(p.dbu_per_um, 0);
  EXPECT_FALSE(p.dbu_is_guess);
}

TEST(LayerEvidence, MoreLayersThanThereAreAreNone) {
  std::string deck = "* t\n";
  for (int i = 0; i < 300; ++i)
    deck += "ra" + std::to_string(i) + " a_u" + std::to_string(i) + "_0_0 a_u" + std::to_string(i) + "_0_5 1\n";
  deck += "r1 a_m1_0_0 a_m1_0_5 1\n";
  const NodePlaces p = placed(deck);
  EXPECT_THAT(p.layers, ElementsAre("m1"));
  EXPECT_EQ(p.placed, 2);
}

/// Layers that no convention knows count where wires run along them.
TEST(LayerEvidence, WiresOfALayerRunAlongIt) {
  const std::string along = "* t\nr1 vdd_rail_0_0 vdd_rail_5_0 1\nr2 vdd_rail_5_0 vdd_top_5_0 1\n";
  EXPECT_THAT(placed(along).layers, ElementsAre("rail", "top"));
  EXPECT_THAT(placed("* t\nr1 vdd_rdl_0_0 vdd_rdl_5_5 1\n").layers, ElementsAre("rdl")) << "or diagonally";
  EXPECT_THAT(placed("* t\nr1 vdd_rail_0_0 vdd_rail_5_3 1\n").layers, IsEmpty());
  EXPECT_THAT(placed("* t\nr1 vdd_rail_0_0 x 1\n").layers, IsEmpty()) << "nothing speaks for it";
}

TEST(LayerEvidence, MetalsOfConventionsAreBelieved) {
  for (const char* layer : {"m4", "M10", "metal1", "met2", "layer3"}) {
    const std::string deck = std::string("* t\nr1 vdd_") + layer + "_0_0 vdd_" + layer + "_5_3 1\n";
    EXPECT_EQ(placed(deck).placed, 2) << layer;
  }
  EXPECT_EQ(placed("* t\nr1 n1_0_0 n1_5_3 1\n").placed, 2);
  EXPECT_EQ(placed("* t\nr1 Node_li1_0_0 ITermNode_li1_5_3 1\n").placed, 2);
  EXPECT_EQ(placed("* layer: top,VDD net: 1\nr1 n1_0_0 n1_5_3 1\n").placed, 2);
}

/// Numbers at random are no places, whatever the names look like.
TEST(LayerEvidence, MetalsWithoutAnyMapAreNone) {
  std::string deck = "* t\n";
  for (int i = 0; i < 50; ++i)
    deck += "r" + std::to_string(i) + " n1_" + std::to_string(i * 37 % 101) + "_" + std::to_string(i) + " n2_" +
            std::to_string(i * 53 % 97 + 200) + "_" + std::to_string(i + 1) + " 1\n";
  EXPECT_EQ(placed(deck).placed, 0);
}

/// What one process has of a deck decides with what the others have.
TEST(LayerEvidence, OfSharedNetlistsIsASum) {
  const Circuit c = read_netlist_text("* t\nr1 vdd_rail_0_0 vdd_rail_5_3 1\n");
  NodePlaces places;
  places.nets = {"vdd"};
  places.layers = {"rail"};
  places.net = places.layer = {-1, 0, 0};
  places.x_um = {NAN, 0, 5};
  places.y_um = {NAN, 0, 3};
  const auto with_others = [](std::vector<int64_t>& counts) {
    counts[0] += counts[0] == 0 ? 2 : 0;
  };  // two wires along the layer
  EXPECT_EQ(drop_contradicted_layers(c, places, {with_others, [](NodeId, NodeId) { return true; }}), 0);
  EXPECT_EQ(drop_contradicted_layers(c, places, {[](auto&) {}, [](NodeId, NodeId) { return true; }}), 2);
  EXPECT_THAT(places.layers, IsEmpty());
}

}  // namespace
}  // namespace gridiron
