// SPDX-License-Identifier: Apache-2.0
// Node names of the four public styles give net, layer and location; all others are plain.
#include "netlist/names/node_place.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using Style = NodeName::Style;

TEST(NodeName, Styles) {
  NodeName n = parse_node_name("n3_130_-5");
  EXPECT_EQ(n.style, Style::ibm);
  EXPECT_EQ(n.net, "3");
  EXPECT_EQ(n.x, 130);
  EXPECT_EQ(n.y, -5);
  n = parse_node_name("_X_n2_18380_8346");
  EXPECT_EQ(n.style, Style::ibm);
  EXPECT_TRUE(n.is_pad);
  n = parse_node_name("n1_m1_108000_17920");
  EXPECT_EQ(n.style, Style::iccad);
  EXPECT_EQ(n.net, "n1");
  EXPECT_EQ(n.layer, "m1");
  n = parse_node_name("ITermNode_metal_thick_10_20140_22400");
  EXPECT_EQ(n.style, Style::openroad);
  EXPECT_EQ(n.layer, "metal_thick_10");
  EXPECT_EQ(n.x, 20140);
  n = parse_node_name("VDD_CORE_m4_1_2");
  EXPECT_EQ(n.net, "VDD_CORE");
  EXPECT_EQ(n.layer, "m4");
  n = parse_node_name("pw_2_0_416_1250");
  EXPECT_EQ(n.net, "pw");
  EXPECT_EQ(n.layer, "2_0");
  n = parse_node_name("1_2_3_4_5");
  EXPECT_EQ(n.net, "1");
  EXPECT_EQ(n.layer, "2_3");
  n = parse_node_name("VDD:1234");
  EXPECT_EQ(n.style, Style::extracted);
  EXPECT_EQ(n.net, "VDD");
}

TEST(NodeName, EverythingElseIsPlain) {
  for (const char* name : {"vdd",
                           "0",
                           "n1_5",
                           "_1_2",
                           "a_b_c",
                           "n_1_2x",
                           "12",
                           "x:y",
                           ":5",
                           "xt0_0.m1_0_0",
                           "x1.vdd_m1_3_4",
                           "x1.n1_m1_3_4",
                           "x1._X_n1_3_4",
                           "Node_met1.5_3_4",
                           "x1.Node_m1_3_4",
                           "xt0_0/m1_0_0",
                           "x0_0:m1_0_0",
                           "n3_99999999999999999999_1",
                           "",
                           "_"})
    EXPECT_EQ(parse_node_name(name).style, Style::plain) << name;
}

TEST(NodePlaces, NodesInsideOfInstancesTellNothing) {
  const std::string tile =
      ".subckt tile w e\nr1 w m1_0_0 1\nr2 m1_0_0 m1_1_0 1\nr3 m1_1_0 e 1\nr4 e vdd:7 1\ni1 m1_1_0 0 1m\n.ends\n";
  const Circuit tiles = read_netlist_text("* t\n" + tile + "v1 vdd 0 1\nxt0_0 vdd a tile\nxt1_0 a b tile\n");
  const NodePlaces inside = place_nodes(tiles);
  EXPECT_THAT(inside.nets, testing::IsEmpty());
  EXPECT_THAT(inside.layers, testing::IsEmpty());
  EXPECT_EQ(inside.placed, 0);
  const NodePlaces given = place_nodes(tiles, 1, R"(xt(?<x>\d+)_(?<y>\d+)\.(?<layer>m\d+)_.*)");
  EXPECT_EQ(given.placed, 4) << "a pattern matches whole names";
  EXPECT_EQ(given.x_um[tiles.nodes.find("xt1_0.m1_0_0")], 1);
  const NodePlaces flat = place_nodes(read_netlist_text("* t\nr1 xldo.vreg:1 xldo.vreg:2 1\n"));
  EXPECT_THAT(flat.nets, testing::ElementsAre("xldo.vreg")) << "of a deck without instances: the name of a net";
}

TEST(NodePlaces, LayersAreSortedAndUnitsConverted) {
  const Circuit c = read_netlist_text("* t\nr1 n1_m10_4000_0 n1_M1_4000_2000 1\nr2 n1_m1_0_0 vdd 1\n");
  const NodePlaces p = place_nodes(c);
  EXPECT_THAT(p.layers, testing::ElementsAre("M1", "m10"));
  EXPECT_EQ(p.dbu_per_um, 2000);
  EXPECT_EQ(p.x_um[1], 2);
  EXPECT_EQ(p.y_um[2], 1);
  EXPECT_EQ(p.layer[3], p.layer[2]);
  EXPECT_TRUE(std::isnan(p.x_um[c.nodes.find("vdd")]));
  EXPECT_EQ(p.layer[c.nodes.find("vdd")], -1);
  EXPECT_EQ(place_nodes(c, 1000.0).x_um[1], 4);
}

/// Names such as li1 and met1 do not tell which one is below.
TEST(NodePlaces, LayersOfALayoutAreInTheOrderOfItsTechnology) {
  Circuit c = read_netlist_text("r1 Node_met2_0_0 Node_met1_0_0 1\nr2 Node_met1_0_0 Node_li1_0_0 1\n");
  EXPECT_THAT(place_nodes(c).layers, testing::ElementsAre("met1", "li1", "met2"));
  c.placement = std::make_shared<Placement>(Placement{.layers = {{"li1"}, {"met1"}, {"met2"}}});
  const NodePlaces p = place_nodes(c);
  EXPECT_THAT(p.layers, testing::ElementsAre("li1", "met1", "met2"));
  EXPECT_EQ(p.layers[p.layer[1]], "met2");
  EXPECT_EQ(p.layers[p.layer[3]], "li1");
}

TEST(NodePlaces, LayerCardsNameLayersAndNets) {
  const Circuit c = read_netlist_text(
      "* layer: M5,VDD net: 1\n* layer: M6,GND net: 2\nr1 n1_10_20 n2_10_20 1\nr2 n2_10_20 _X_n2_10_20 1\n");
  const NodePlaces p = place_nodes(c);
  EXPECT_EQ(p.nets[p.net[1]], "VDD");
  EXPECT_EQ(p.layers[p.layer[2]], "M6");
  EXPECT_EQ(p.layer[3], -1) << "a node behind a pad resistor is on no layer";
  EXPECT_THAT(p.layers, testing::ElementsAre("M5", "M6"));
  EXPECT_TRUE(p.dbu_is_guess);
  EXPECT_FALSE(place_nodes(c, 1000.0).dbu_is_guess);
  EXPECT_EQ(p.nets[p.net[3]], "GND");
}

}  // namespace
}  // namespace gridiron
