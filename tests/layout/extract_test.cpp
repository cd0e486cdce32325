// SPDX-License-Identifier: Apache-2.0
// Resistors of small designs, worked out by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layout/extract.hpp"
#include "layout/layer_resistances.hpp"
#include "layout/opens.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// "Node_m1_100_200 Node_m1_300_200 1.5" per resistor.
std::vector<std::string> resistors(const Library& library, const Network& n) {
  const auto name = [&](int32_t node) {
    const char* const kinds[] = {"Node", "SourceNode", "ITermNode", "BPinNode"};
    return fmt::format("{}_{}_{}_{}", kinds[static_cast<int>(n.node_kind[node])],
                       library.layers[n.node_layer[node]].name, n.node_place[node].x, n.node_place[node].y);
  };
  std::vector<std::string> out;
  for (int64_t r = 0; r < n.resistors(); ++r)
    out.push_back(fmt::format("{} {} {:.6g}", name(n.from[r]), name(n.to[r]), n.ohm[r]));
  return out;
}

/// With resistances for the layers that the technology has none of.
Network network_of(const Library& library, const Chip& chip) {
  LayerResistances resistances = lef_resistances(library);
  resistances.ohm_per_square[library.layer("m3")] = 0.1;
  resistances.ohm_per_cut[library.layer("v2")] = 2;
  return extract(library, chip, chip.net("VDD"), resistances);
}

std::string net(const std::string& wires) {
  return "SPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER\n" + wires + " ;\nEND SPECIALNETS\n";
}

std::vector<std::string> resistors_of(const std::string& sections) {
  const Library library = library_with(inverter());
  return resistors(library, network_of(library, chip_of(design(sections), library)));
}

/// The pitch of nodes on m1 is 2 µm, and the wire of the highest layer has fillers from 1 µm on.
TEST(Extract, AWireIsDividedByThePitchOfNodes) {
  EXPECT_THAT(resistors_of(net("+ ROUTED m1 1000 + SHAPE STRIPE ( 0 500 ) ( 10000 500 )")),
              ElementsAre("Node_m1_1000_500 Node_m1_3000_500 1", "Node_m1_3000_500 Node_m1_5000_500 1",
                          "Node_m1_5000_500 Node_m1_7000_500 1", "Node_m1_7000_500 Node_m1_9000_500 1"));
}

/// One cut at the middle of two short wires, which the nodes of both become.
TEST(Extract, AViaJoinsTwoLayers) {
  EXPECT_THAT(resistors_of(net("+ ROUTED m1 100 + SHAPE STRIPE ( 1000 500 ) ( 1600 500 )\n"
                               "NEW m2 100 + SHAPE STRIPE ( 1300 200 ) ( 1300 800 )\n"
                               "NEW m1 0 + SHAPE STRIPE ( 1300 500 ) v12")),
              ElementsAre("Node_m1_1300_500 Node_m2_1300_500 4"));
}

/// Four cuts 4 µm apart: beyond the pitch of nodes each has nodes of its own, within it they are one.
TEST(Extract, AnArrayOfCutsIsOneViaUpToThePitchOfNodes) {
  const auto vias = [](int spacing) {
    return fmt::format(
        "VIAS 1 ;\n- big + VIARULE gen12 + CUTSIZE 100 100 + LAYERS m1 v1 m2 + CUTSPACING {0} {0} + ENCLOSURE 50 50 50 "
        "50 + ROWCOL 2 2 ;\nEND VIAS\n",
        spacing);
  };
  const std::string wires = net("+ ROUTED m1 0 + SHAPE STRIPE ( 5000 5000 ) big");
  const auto count = [](const std::vector<std::string>& all) {
    return std::ranges::count_if(
        all, [](const std::string& r) { return r.find("m1") < r.find("m2") && r.find("m2") != r.npos; });
  };
  const std::vector<std::string> small = resistors_of(vias(400) + wires), large = resistors_of(vias(3900) + wires);
  EXPECT_EQ(count(small), 1);
  EXPECT_THAT(small, testing::Contains("Node_m1_5000_5000 Node_m2_5000_5000 1"));
  EXPECT_EQ(count(large), 4);
  EXPECT_THAT(large, testing::Contains("Node_m1_3000_3000 Node_m2_3000_3000 4"));
}

/// A terminal hangs on the nodes of its shapes by 1 mΩ; the pin is on the rail.
TEST(Extract, ATerminalHangsOnTheRail) {
  const std::string parts =
      "COMPONENTS 2 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + UNPLACED ;\nEND COMPONENTS\n";
  EXPECT_THAT(resistors_of(parts + net("+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 1000 4000 ) ( 3000 4000 )\n"
                                       "NEW m3 200 + SHAPE STRIPE ( 0 9000 ) ( 100 9000 )")),
              ElementsAre("Node_m1_2000_4000 ITermNode_m1_2000_4000 0.001"));
}

/// The node of the first takes up that of the second.
TEST(Extract, ATerminalWithTwoShapesOnOneNodeHasOneLink) {
  const Library library = library_with(
      "MACRO TWO\n CLASS CORE ; SIZE 4 BY 3 ;\n PIN VDD\n USE POWER ;\n PORT\n LAYER m1 ; RECT 0 1 1 2 ; RECT 1 1 2 2 "
      ";\n"
      " END\n END VDD\nEND TWO\n");
  const Chip chip = chip_of(design("COMPONENTS 1 ;\n- u1 TWO + PLACED ( 1000 1000 ) N ;\nEND COMPONENTS\n" +
                                   net("+ ROUTED m3 200 + SHAPE STRIPE ( 0 9000 ) ( 100 9000 )")),
                            library);
  EXPECT_THAT(resistors(library, network_of(library, chip)),
              ElementsAre("Node_m1_1500_2500 ITermNode_m1_2000_2500 0.001"));
}

TEST(Extract, APinOfTheBlockIsALeaf) {
  const std::string pin =
      "PINS 1 ;\n- VDD + NET VDD + SPECIAL + DIRECTION INOUT + USE POWER + LAYER m1 ( -100 -50 ) ( 100 50 ) + FIXED ( "
      "5000 "
      "500 ) N ;\nEND PINS\n";
  const Library library = library_with(inverter());
  const Chip chip = chip_of(design(pin + net("+ ROUTED m1 100 + SHAPE STRIPE ( 4000 500 ) ( 6000 500 )")), library);
  const Network network = network_of(library, chip);
  EXPECT_THAT(resistors(library, network), ElementsAre("Node_m1_5000_500 BPinNode_m1_5000_500 0.001"));
  EXPECT_THAT(network.block_pin_box, ElementsAre(Box{4900, 450, 5100, 550}));
}

TEST(Extract, ANetWithoutShapesIsEmpty) {
  const Library library = library_with(inverter());
  const Network network = network_of(library, chip_of(design(net("")), library));
  EXPECT_EQ(network.nodes(), 0);
  EXPECT_EQ(network.top_layer(), -1);
  const Opens opens = find_opens(network);
  EXPECT_TRUE(opens.is_connected());
  EXPECT_EQ(opens.parts, 0);
}

TEST(Extract, WiresThatDoNotMeetAreOpen) {
  const Library library = library_with(inverter());
  const Network network =
      network_of(library, chip_of(design("COMPONENTS 1 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\nEND COMPONENTS\n" +
                                         net("+ ROUTED m1 200 + SHAPE STRIPE ( 0 9000 ) ( 1000 9000 )\n"
                                             "NEW m2 200 + SHAPE STRIPE ( 500 8000 ) ( 500 9500 )")),
                                  library));
  const Opens opens = find_opens(network);
  EXPECT_EQ(opens.parts, 3);
  ASSERT_THAT(opens.shapes, SizeIs(2));
  EXPECT_EQ(opens.shapes[0].box, (Box{0, 8900, 1000, 9100}));
  EXPECT_EQ(opens.shapes[1].box, (Box{1000, 3900, 3000, 4100})) << "the pin of u1";
  ASSERT_THAT(opens.terminals, SizeIs(1));
  EXPECT_EQ(opens.terminals[0].component, 0);
  EXPECT_TRUE(opens.has_no_block_pins);
}

TEST(Extract, ALayerThatNeedsAResistanceIsNamed) {
  const Library library = library_with(inverter());
  const LayerResistances resistances = lef_resistances(library);
  const auto error = [&](const std::string& wires) {
    const Chip chip = chip_of(design(net(wires)), library);
    return error_of([&] { extract(library, chip, 0, resistances); });
  };
  EXPECT_THAT(error("+ ROUTED m3 200 + SHAPE STRIPE ( 0 9000 ) ( 20000 9000 )"),
              testing::AllOf(HasSubstr("t.lef:"), HasSubstr("layer m3 has no resistance (RPERSQ")));
  EXPECT_EQ(error("+ ROUTED m3 200 + SHAPE STRIPE ( 0 9000 ) ( 100 9000 )"), "no error") << "no current flows there";
}

TEST(Extract, AResistanceByWidthIsRefusedWhereItIsNeeded) {
  const std::string constant = "RESISTANCE RPERSQ 0.5 ;";
  std::string text = technology() + std::string(inverter()) + "END LIBRARY\n";
  text.replace(text.find(constant), constant.size(), "RESISTANCE RPERSQ PWL ( ( 0.1 0.6 ) ( 0.4 0.5 ) ) ;");
  const Library library = library_of(text);
  const Chip chip = chip_of(design(net("+ ROUTED m1 200 + SHAPE STRIPE ( 0 9000 ) ( 20000 9000 )")), library);
  LayerResistances resistances = lef_resistances(library);
  EXPECT_THAT(error_of([&] { extract(library, chip, 0, resistances); }),
              HasSubstr("the RESISTANCE of layer m1 is a table by width, RPERSQ PWL, which is not read; give one "
                        "resistance (RPERSQ, ohm per square) by layer_rc"));
  resistances.ohm_per_square[0] = 0.5;
  EXPECT_NO_THROW(extract(library, chip, 0, resistances));
}

/// LEF gives the resistance of the via as a whole, but none of its cuts.
TEST(Extract, AViaMayHaveAResistanceOfItsOwn) {
  Library library = library_with(inverter());
  const Chip chip = chip_of(design(net("+ ROUTED m1 0 + SHAPE STRIPE ( 1300 500 ) v12")), library);
  LayerResistances resistances = lef_resistances(library);
  resistances.ohm_per_cut[library.layer("v1")] = 0;
  EXPECT_THAT(resistors(library, extract(library, chip, 0, resistances)),
              ElementsAre("Node_m1_1300_500 Node_m2_1300_500 3"));
}

/// Older technologies have the resistance of a cut in the rule, and none in the cut layer.
TEST(Extract, AViaMayHaveTheResistanceOfItsRule) {
  const Library library = library_with(inverter());
  const Chip chip = chip_of(design("VIAS 1 ;\n- g + VIARULE gen12 + CUTSIZE 20 20 + LAYERS m1 v1 m2 + CUTSPACING 20 20 "
                                   "+ ENCLOSURE 10 10 10 10 + ROWCOL 2 3 ;\nEND VIAS\n" +
                                   net("+ ROUTED m1 0 + SHAPE STRIPE ( 1300 500 ) g")),
                            library);
  LayerResistances resistances = lef_resistances(library);
  EXPECT_THAT(resistors(library, extract(library, chip, 0, resistances)),
              ElementsAre("Node_m1_1300_500 Node_m2_1300_500 0.666667"));
  resistances.ohm_per_cut[library.layer("v1")] = 0;
  EXPECT_THAT(resistors(library, extract(library, chip, 0, resistances)),
              ElementsAre("Node_m1_1300_500 Node_m2_1300_500 0.833333"));
}

TEST(Extract, ConnectionsThatDoNotExistAreErrors) {
  const Library library = library_with(inverter());
  const auto error = [&](const std::string& connection) {
    const Chip chip = chip_of(design("COMPONENTS 1 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\nEND COMPONENTS\n"
                                     "SPECIALNETS 1 ;\n- VDD " +
                                     connection + " + USE POWER ;\nEND SPECIALNETS\n"),
                              library);
    return error_of([&] { network_of(library, chip); });
  };
  EXPECT_THAT(error("( u2 VDD )"), HasSubstr("net VDD connects component u2, which does not exist"));
  EXPECT_THAT(error("( u1 VCC )"), HasSubstr("macro INV has no such pin"));
  EXPECT_EQ(error("( u1 VDD ) ( * VDD )"), "no error");
}

/// A terminal is named once, though both ways connect it.
TEST(Extract, SingleConnectionsAndThoseOfAllAddUp) {
  const Library library = library_with(inverter());
  const Chip chip =
      chip_of(design("COMPONENTS 2 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + PLACED ( 5000 1000 ) "
                     "FS ;\nEND COMPONENTS\nSPECIALNETS 2 ;\n- VDD ( u1 VDD ) ( * VDD ) + USE POWER ;\n"
                     "- OTHER ( u2 VDD ) + USE POWER ;\nEND SPECIALNETS\n"),
              library);
  EXPECT_EQ(network_of(library, chip).terminals(), 2);
  const Network other = extract(library, chip, chip.net("OTHER"), lef_resistances(library));
  EXPECT_THAT(other.terminal_component, ElementsAre(1));
  EXPECT_EQ(other.node_place[other.terminal_node[0]], (Point{6000, 1000})) << "turned upside down";
}

TEST(Opens, AComponentCoversItsTurnedMacro) {
  const Library library = library_with(inverter());
  const Chip chip =
      chip_of(design("COMPONENTS 2 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + PLACED ( 5000 1000 ) W "
                     ";\nEND COMPONENTS\n"),
              library);
  EXPECT_EQ(component_box(library, chip, 0), (Box{1000, 1000, 3000, 4000}));
  EXPECT_EQ(component_box(library, chip, 1), (Box{5000, 1000, 8000, 3000}));
}

}  // namespace
}  // namespace gridiron::layout::test
