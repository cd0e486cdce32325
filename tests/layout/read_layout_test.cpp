// SPDX-License-Identifier: Apache-2.0
// Sources, voltages, findings and the circuit of a layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "layout/extract.hpp"
#include "layout/layer_resistances.hpp"
#include "layout/pg_deck.hpp"
#include "layout/read_layout.hpp"
#include "netlist/names/sink_comment.hpp"
#include "netlist/reader.hpp"
#include "tests/layout/layout_texts.hpp"
#include "tests/paths.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Two cells on a rail of each net, VDD at y = 4 and VSS at 1 µm, 10 µm long.
std::string two_cells_in_sections(const std::string& more_of_vdd = "", const std::string& more_nets = "") {
  return "COMPONENTS 2 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + PLACED ( 6000 1000 ) N ;\nEND COMPONENTS\n"
         "SPECIALNETS 2 ;\n- VDD ( * VDD ) + USE POWER" +
         more_of_vdd +
         "\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 4000 ) ( 10000 4000 ) ;\n"
         "- VSS ( * VSS ) + USE GROUND\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 1000 ) ( 10000 1000 ) ;\n" +
         more_nets + "END SPECIALNETS\n";
}
std::string two_cells(const std::string& more_of_vdd = "", const std::string& more_nets = "") {
  return design(two_cells_in_sections(more_of_vdd, more_nets));
}

/// The files of a run, gone after the test.
class ReadLayout : public testing::Test {
 protected:
  ReadLayout() : folder_(gridiron::test::temporary("read_layout")) {
    std::filesystem::create_directories(folder_);
    files.lefs = {file("t.lef", technology() + inverter_with_ground() + "END LIBRARY\n")};
    files.def = file("chip.def", two_cells());
    files.nominal = {{"VDD", 2}};
  }
  ~ReadLayout() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  void give_powers() { files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nu2,3e-3\n")}; }
  std::string error() {
    return error_of([&] { read_layout(files); });
  }
  std::vector<std::string> findings() {
    std::vector<std::string> out;
    const Layout layout = read_layout(files);
    for (const ReadFinding& f : layout.circuit->findings) out.push_back(f.code + ": " + f.message);
    return out;
  }
  static std::vector<std::string> held(const Layout& layout) {
    std::vector<std::string> out;
    const Sources& v = layout.circuit->voltage_sources;
    for (const NodeId n : v.a) out.emplace_back(layout.circuit->node_name(n));
    return out;
  }

  LayoutFiles files;

 private:
  std::filesystem::path folder_;
};

TEST_F(ReadLayout, NetsAreReadWithTheirVoltagesAndLoads) {
  give_powers();
  const Layout layout = read_layout(files);
  ASSERT_THAT(layout.grids, SizeIs(2));
  EXPECT_EQ(layout.grids[0].volts, 2);
  EXPECT_EQ(layout.grids[1].volts, 0);
  const Circuit& c = *layout.circuit;
  EXPECT_THAT(c.current_sources.value, ElementsAre(0.5e-3, 1.5e-3, 0.5e-3, 1.5e-3)) << "watts by 2 V on both nets";
  EXPECT_EQ(sink_name(c, 3).text(), "u2/VSS");
  EXPECT_EQ(c.element_name(kCurrentSource, 3), "I3");
  EXPECT_EQ(c.element_name(kResistor, 0), "R0");
  EXPECT_EQ(c.place(c.current_sources.origin[1]), files.def + ":7:3") << "the component in DEF";
  EXPECT_EQ(layout.elements[1].first_sink, 2);
  EXPECT_EQ(layout.elements[1].last_sink, 4);
  EXPECT_EQ(c.dbu_card, 1000);
  ASSERT_THAT(c.net_cards, SizeIs(2));
  EXPECT_EQ(c.net_cards[1].net, "VSS");
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST_F(ReadLayout, ADeckOfSeveralNetsReadsBack) {
  give_powers();
  files.source_settings.ohm = 0.25;
  const Layout layout = read_layout(files);
  const std::string path = file("deck.sp", "");
  write_pg_deck(*layout.circuit, *layout.chip, layout.elements, kAllDigits, path);
  const Circuit read = read_netlist(path);
  EXPECT_EQ(read.resistors.value, layout.circuit->resistors.value);
  EXPECT_EQ(read.current_sources.value, layout.circuit->current_sources.value);
  EXPECT_EQ(read.voltage_sources.a, layout.circuit->voltage_sources.a);
  ASSERT_EQ(read.node_count(), layout.circuit->node_count());
  for (NodeId n = 1; n < read.node_count(); ++n) EXPECT_EQ(read.node_name(n), layout.circuit->node_name(n));
  EXPECT_EQ(sink_name(read, 1).text(), "u2/VDD");
}

/// A table of loads is for both: what it names is the same sink, although the deck leaves out those that draw nothing.
TEST_F(ReadLayout, ADeckHasTheNamesOfSinks) {
  files.powers = {file("power.csv", "instance,power_w\nu2,3e-3\n")};
  const Layout layout = read_layout(files);
  const Circuit& c = *layout.circuit;
  const std::string path = file("deck.sp", "");
  write_pg_deck(c, *layout.chip, layout.elements, kAllDigits, path);
  const Circuit read = read_netlist(path);
  ASSERT_EQ(read.current_sources.size(), 2);
  for (const int64_t i : {0, 1}) {
    EXPECT_EQ(read.element_name(kCurrentSource, i), c.element_name(kCurrentSource, 1 + 2 * i));
    EXPECT_EQ(sink_name(read, i).text(), sink_name(c, 1 + 2 * i).text());
  }
  EXPECT_EQ(c.element_name(kCurrentSource, 0), "I2");
  EXPECT_EQ(c.element_name(kCurrentSource, 2), "I3");
}

TEST_F(ReadLayout, SourcesOfAPatternHoldNodesOfTheHighestLayer) {
  files.nets = {"VDD"};
  EXPECT_EQ(read_layout(files).grids[0].sources.kind, SourceSites::Kind::bumps);
  EXPECT_THAT(held(read_layout(files)), SizeIs(5)) << "one bump covers the chip";
  files.source_settings.pattern = SourcePattern::full;
  EXPECT_THAT(held(read_layout(files)), ElementsAre("Node_m1_1000_4000", "Node_m1_3000_4000", "Node_m1_5000_4000",
                                                    "Node_m1_7000_4000", "Node_m1_9000_4000"));
  files.source_settings.pattern = SourcePattern::bumps;
  files.source_settings.bump_dx_um = files.source_settings.bump_dy_um = 4;
  files.source_settings.bump_size_um = 1;
  files.source_settings.bump_interval = 1;
  // Bumps at x = 2, 6 and y = 2, 6, …: none meets the rail at y = 4, and the nearest nodes are taken, of two the first.
  EXPECT_THAT(held(read_layout(files)), ElementsAre("Node_m1_1000_4000", "Node_m1_5000_4000"));
  files.source_settings.pattern = SourcePattern::straps;  // of m2, 0.1 µm wide and 2 µm apart
  EXPECT_THAT(held(read_layout(files)), ElementsAre("Node_m1_1000_4000", "Node_m1_3000_4000", "Node_m1_5000_4000",
                                                    "Node_m1_7000_4000", "Node_m1_9000_4000"));
  files.source_settings.bump_interval = 0;
  files.source_settings.pattern = SourcePattern::bumps;
  EXPECT_THAT(error(), HasSubstr("bump_interval: 0: must be at least 1"));
  files.source_settings.bump_interval = 1;
  files.source_settings.bump_dx_um = files.source_settings.bump_dy_um = 0.001;
  EXPECT_THAT(error(), HasSubstr("bump_dx: that would be 200000000 sources"));
  files.source_settings.bump_dx_um = -1;
  EXPECT_THAT(error(), HasSubstr("source_set bump_dx: -1 um must be positive"));
}

/// As OpenROAD does: from the left edge of the core on, not of the die.
TEST_F(ReadLayout, StrapsAreOverTheCore) {
  const std::string row = "ROW r0 unit 4000 0 N DO 20 BY 1 STEP 200 0 ;\n";
  files.nets = {"VDD"};
  files.source_settings.pattern = SourcePattern::straps;
  files.def = file("rows.def", design(row + two_cells_in_sections()));
  EXPECT_THAT(error(), HasSubstr("rows.def:5:8: no LEF file has the SITE \"unit\" of this row"));
  files.lefs.push_back(file("site.lef", "SITE unit\n  SIZE 0.2 BY 3 ;\nEND unit\nEND LIBRARY\n"));
  EXPECT_THAT(held(read_layout(files)), ElementsAre("Node_m1_5000_4000", "Node_m1_7000_4000"));
}

TEST_F(ReadLayout, ASourceWithoutMetalMovesToTheNearestNode) {
  files.sources = {{"VDD", file("v.loc", "5,4,1,1.9\n9,9,1,1.9\n")}};
  const Layout layout = read_layout(files);
  EXPECT_EQ(layout.grids[0].volts, 1.9) << "the file's, not the nominal one";
  EXPECT_THAT(layout.grids[0].sources.node, SizeIs(2));
  EXPECT_THAT(findings(),
              ElementsAre("source-without-metal: 1 source of net VDD without metal of the highest layer below "
                          "it; the nearest node is used: that at (8.500, 8.500) to (9.500, 9.500) um moves to "
                          "(9.000, 4.000) um"));
  EXPECT_THAT(held(layout), testing::IsSupersetOf({"Node_m1_5000_4000", "Node_m1_9000_4000"}));
}

TEST_F(ReadLayout, PinsOfTheBlockAreSourcesUnlessAPatternIsAskedFor) {
  files.def = file("pins.def", two_cells("", "").replace(
                                   two_cells().find("SPECIALNETS 2"), 0,
                                   "PINS 1 ;\n- VDD + NET VDD + SPECIAL + USE POWER + LAYER m1 ( -100 -100 ) ( 100 "
                                   "100 ) + FIXED ( 9000 4000 ) N ;\nEND PINS\n"));
  files.nets = {"VDD"};
  EXPECT_EQ(read_layout(files).grids[0].sources.kind, SourceSites::Kind::pins);
  EXPECT_THAT(held(read_layout(files)), ElementsAre("Node_m1_9000_4000"));
  files.source_settings.pattern = SourcePattern::full;
  EXPECT_THAT(held(read_layout(files)), SizeIs(5));
  files.source_settings.pins_first = true;
  EXPECT_THAT(held(read_layout(files)), SizeIs(1));
}

TEST_F(ReadLayout, AResistanceInSeriesHasANodeOfItsOwn) {
  files.nets = {"VDD"};
  files.sources = {{"", file("v.loc", "5,4,1,1.9\n")}};
  files.source_settings.ohm = 0.5;
  const Layout layout = read_layout(files);
  EXPECT_THAT(held(layout), ElementsAre("SourceNode_m1_5000_4000"));
  EXPECT_EQ(layout.circuit->resistors.value.back(), 0.5);
  EXPECT_EQ(layout.circuit->node_name(layout.circuit->resistors.a.back()), "Node_m1_5000_4000");
}

TEST_F(ReadLayout, VoltagesComeFromWhereTheyAreKnown) {
  files.nominal = {};
  EXPECT_THAT(error(), HasSubstr("chip.def:10:3: nothing tells the voltage of net VDD; give nominal VDD=VOLTS"));
  files.def = file("volts.def", two_cells(" + VOLTAGE 1800"));
  EXPECT_EQ(read_layout(files).grids[0].volts, 1.8);
  give_powers();
  EXPECT_EQ(read_layout(files).grids[1].power_volts, 1.8);
  files.nominal = {{"VDD", 0.9}};
  EXPECT_EQ(read_layout(files).grids[0].volts, 0.9);
  files.nominal = {{"VDE", 0.9}};
  EXPECT_THAT(error(), HasSubstr("nominal VDE: the layout has no such net; it has VDD, VSS"));
}

TEST_F(ReadLayout, AGroundNetNeedsTheVoltageOfAPowerNet) {
  give_powers();
  files.nets = {"VSS"};
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], 0.5e-3);
  files.nominal = {};
  EXPECT_THAT(error(), HasSubstr("nominal VDD: powers are given, but no voltage of this power net"));
  files.sources = {{"VDD", file("v.loc", "5,4,1,4\n")}};
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], 0.25e-3) << "by the sources of the power net";
  files.def = file("second.def", two_cells("", "- VDDIO + USE POWER ;\n"));
  for (const std::map<std::string, double>& nominal : {std::map<std::string, double>(), {{"VDDIO", 1}}}) {
    files.nominal = nominal;
    const Layout layout = read_layout(files);
    EXPECT_EQ(layout.circuit->current_sources.value[0], 0.25e-3) << "no instance is on VDDIO";
    EXPECT_EQ(layout.grids[0].power_volts, 4);
  }
  files.nominal = {};
  files.sources = {};
  EXPECT_THAT(error(), HasSubstr("and nothing tells those of VDD, VDDIO; give nominal NET=VOLTS"));
  files.nominal = {{"VDDIO", 1}};
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], 1e-3);
  files.powers = {file("current.csv", "instance,current_a\nu1,7e-3\n")};
  files.nominal = {};
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], 7e-3) << "amperes need no voltage";
}

/// What percentages of a ground net refer to, whether there are loads or not.
TEST_F(ReadLayout, AGroundNetHasTheVoltageOfItsPowerNet) {
  const auto supplies = [this] {
    const std::shared_ptr<Circuit> circuit = read_layout(files).circuit;
    std::vector<double> volts;
    for (const Placement::Net& net : circuit->placement->nets) volts.push_back(net.supply_v);
    return volts;
  };
  EXPECT_THAT(supplies(), ElementsAre(2, 2));
  files.nets = {"VSS"};
  EXPECT_THAT(supplies(), ElementsAre(2));
  EXPECT_TRUE(read_layout(files).circuit->placement->nets[0].is_ground);
  files.nominal = {};
  EXPECT_THAT(supplies(), ElementsAre(0)) << "nothing tells";
}

/// Wires have a width, vias cuts, links of terminals neither.
TEST_F(ReadLayout, ResistorsHaveSections) {
  files.source_settings.ohm = 1;
  const std::shared_ptr<Circuit> circuit = read_layout(files).circuit;
  const Placement& placement = *circuit->placement;
  ASSERT_THAT(placement.width, SizeIs(circuit->resistors.size()));
  ASSERT_THAT(placement.cuts, SizeIs(circuit->resistors.size()));
  int wires = 0;
  for (int64_t i = 0; i < circuit->resistors.size(); ++i) {
    const auto is_wire = [&](NodeId n) { return circuit->node_name(n).view().starts_with("Node_"); };
    const bool is_between = is_wire(circuit->resistors.a[i]) && is_wire(circuit->resistors.b[i]);
    EXPECT_EQ(placement.width_um(i), is_between ? 0.2 : 0);
    EXPECT_EQ(placement.cuts[i], 0);
    wires += is_between;
  }
  EXPECT_GT(wires, 4);
}

TEST_F(ReadLayout, LayersAreThoseOfTheTechnology) {
  const std::shared_ptr<Circuit> circuit = read_layout(files).circuit;
  std::vector<std::string> names;
  for (const Placement::Layer& layer : circuit->placement->layers) names.push_back(layer.name);
  EXPECT_THAT(names, ElementsAre("m1", "m2", "m3"));
}

/// A second rail that nothing joins to the first, which has the terminal of a large macro.
TEST_F(ReadLayout, OpensAndMacrosHaveNamesAndBoxes) {
  files.lefs.push_back(file("ram.lef",
                            "MACRO RAM\n  CLASS BLOCK ;\n  SIZE 4 BY 5 ;\n  PIN VDD\n    USE POWER ;\n    PORT\n"
                            "      LAYER m1 ; RECT 0 0 4 0.2 ;\n    END\n  END VDD\nEND RAM\n"));
  files.def = file("ram.def", design("COMPONENTS 2 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\n"
                                     "- ram RAM + PLACED ( 2000 10000 ) N ;\nEND COMPONENTS\n"
                                     "SPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER\n+ ROUTED m1 200 ( 0 4000 ) "
                                     "( 10000 4000 )\n NEW m1 200 ( 0 10100 ) ( 10000 10100 ) ;\nEND SPECIALNETS\n"));
  const std::shared_ptr<Circuit> circuit = read_layout(files).circuit;
  const Placement& placement = *circuit->placement;
  ASSERT_THAT(placement.macros, SizeIs(1));
  EXPECT_EQ(placement.macros[0].name, "ram");
  EXPECT_EQ(placement.macros[0].cell, "RAM");
  EXPECT_EQ(placement.macros[0].box.top_um, 15);
  ASSERT_FALSE(placement.opens.empty());
  const Placement::Open &shape = placement.opens.front(), &terminal = placement.opens.back();
  EXPECT_EQ(shape.kind, Placement::Open::Kind::shape);
  EXPECT_EQ(placement.layers[shape.layer].name, "m1");
  EXPECT_EQ(shape.box.bottom_um, 10);
  EXPECT_EQ(terminal.kind, Placement::Open::Kind::terminal);
  EXPECT_EQ(terminal.instance, "ram");
  EXPECT_EQ(terminal.terminal, "VDD");
}

TEST_F(ReadLayout, NetsThatCannotBeReadAreErrors) {
  files.nets = {"VDE"};
  EXPECT_THAT(error(), HasSubstr("net VDE: the layout has no such net; it has VDD, VSS"));
  files.nets = {"EMPTY"};
  files.def = file("empty.def", two_cells("", "- EMPTY + USE POWER ;\n"));
  EXPECT_THAT(error(), HasSubstr("empty.def:14:3: net EMPTY has no special wires"));
  files.nets = {};
  EXPECT_THAT(read_layout(files).grids, SizeIs(2)) << "it is not read without being asked for";
  files.def = file("none.def", design(""));
  files.nominal = {};
  EXPECT_THAT(error(), HasSubstr("no net of USE POWER or GROUND has special wires"));
  files.def = file("chip.def", two_cells());
  files.sources = {{"", file("v.loc", "5,4,1,4\n")}};
  EXPECT_THAT(error(), HasSubstr("2 nets are read; tell of which one these sources are"));
}

TEST_F(ReadLayout, WhatIsOddIsTold) {
  files.nets = {"VDD"};
  files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nx1,3e-3\n")};
  files.def = file("open.def", two_cells("\n+ ROUTED m2 200 + SHAPE STRIPE ( 9000 0 ) ( 9000 4500 )"));
  const Layout layout = read_layout(files);
  EXPECT_EQ(layout.unpowered_components, 1);
  EXPECT_EQ(layout.unknown_instances, 1);
  EXPECT_THAT(
      findings(),
      ElementsAre(HasSubstr("open-shape: 1 shape of net VDD not connected to its highest layer; the first is on m1 at "
                            "(0.000, 3.900) to (10.000, 4.100) um"),
                  HasSubstr("open-terminal: 2 terminals of net VDD not connected to its highest layer: u1/VDD, u2/VDD"),
                  HasSubstr("power-of-no-instance: 1 name with a power not in the layout: x1"),
                  HasSubstr("no-power: 1 component without a power, which so draws nothing; the first is u2")));
}

TEST_F(ReadLayout, ShortsAreToldForEachPairOfNets) {
  files.def = file("short.def", two_cells("\n+ ROUTED m1 200 + SHAPE STRIPE ( 9000 0 ) ( 9000 4500 )\n"
                                          "NEW m1 200 + SHAPE STRIPE ( 500 1000 ) ( 500 4500 )"));
  const auto told = ElementsAre(
      HasSubstr("short: 2 shorts between nets VDD and VSS; the first is on m1 at (0.400, 1.000) to (0.600, 1.100) um"));
  EXPECT_THAT(findings(), told);
  files.nets = {"VSS"};
  EXPECT_THAT(findings(), IsEmpty());
  files.looks_at_all_nets = true;
  EXPECT_THAT(findings(), told);
}

TEST_F(ReadLayout, CrossingsWithoutViasAreTold) {
  files.def = file("crossings.def", two_cells("\n+ ROUTED m2 200 + SHAPE STRIPE ( 500 0 ) ( 500 4500 )\n"
                                              "NEW m2 200 + SHAPE STRIPE ( 9000 0 ) ( 9000 4500 )\n"
                                              "NEW m1 0 + SHAPE STRIPE ( 500 4000 ) v12"));
  EXPECT_THAT(findings(), ElementsAre(HasSubstr("open-shape: 1 shape of net VDD"),
                                      HasSubstr("crossing-without-via: 1 crossing of straps of net VDD on m1 and m2 "
                                                "without a via, of 2 in all; the first is at (8.900, 3.900) to (9.100, "
                                                "4.100) um")));
}

/// Pins of both nets with the same mean, as those of macros may have, are two nodes.
TEST_F(ReadLayout, TerminalsOfTwoNetsAtOnePlaceAreApart) {
  files.lefs = {
      file("ring.lef", technology() + std::string("MACRO RAM\n CLASS BLOCK ; SIZE 10 BY 10 ;\n PIN VDD\n USE "
                                                  "POWER ;\n PORT\n LAYER m2 ; RECT 1 0 2 10 ; RECT 8 0 9 10 ;\n "
                                                  "END\n END VDD\n PIN VSS\n USE GROUND ;\n PORT\n LAYER m2 ; RECT "
                                                  "3 0 4 10 ; RECT 6 0 7 10 ;\n END\n END VSS\nEND RAM\nEND "
                                                  "LIBRARY\n"))};
  files.def = file("ring.def",
                   design("COMPONENTS 1 ;\n- u1 RAM + PLACED ( 0 0 ) N ;\nEND COMPONENTS\nSPECIALNETS 2 ;\n"
                          "- VDD ( * VDD ) + USE POWER + ROUTED m2 1000 + SHAPE STRIPE ( 1500 0 ) ( 1500 12000 ) ;\n"
                          "- VSS ( * VSS ) + USE GROUND + ROUTED m2 1000 + SHAPE STRIPE ( 3500 0 ) ( 3500 12000 ) ;\n"
                          "END SPECIALNETS\n"));
  const Layout layout = read_layout(files);
  const Circuit& c = *layout.circuit;
  EXPECT_EQ(c.node_name(c.current_sources.a[0]), "ITermNode_m1_5000_5000");
  EXPECT_EQ(c.node_name(c.current_sources.a[1]), "ITermNode_m1_5001_5000");
}

TEST(SourcePatternNamed, KnowsThree) {
  EXPECT_EQ(source_pattern_named("STRAPS"), SourcePattern::straps);
  EXPECT_THAT(error_of([] { source_pattern_named("some"); }),
              HasSubstr("source_type some: expected bumps, straps or full"));
}

/// What a session does: the same circuit, of networks that are extracted once.
TEST_F(ReadLayout, ADesignIsExtractedAgainAndAgain) {
  give_powers();
  const Layout once = read_layout(files);
  const auto library = std::make_shared<const Library>(with_lef(Library(), files.lefs[0]));
  PlacedDesign design{library, std::make_shared<const Chip>(read_def(files.def, *library)), lef_resistances(*library)};
  for (int time = 0; time < 2; ++time) {
    Layout again = make_layout(design, files, read_powers(files, *library, *design.chip));
    EXPECT_THAT(design.networks, IsEmpty()) << "they are with the layout";
    for (NetGrid& grid : again.grids) {
      EXPECT_EQ(grid.network.ohm, once.grids[grid.net].network.ohm);
      design.networks[grid.net] = std::move(grid.network);
    }
    EXPECT_EQ(again.circuit->resistors.value, once.circuit->resistors.value);
    EXPECT_EQ(again.circuit->current_sources.value, once.circuit->current_sources.value);
  }
  design.networks[0].ohm.assign(design.networks[0].ohm.size(), 1e6);
  const Layout of_known = make_layout(design, files, Powers(*design.chip));
  EXPECT_EQ(of_known.circuit->resistors.value[0], 1e6) << "what is known is not extracted";
}

TEST_F(ReadLayout, LefIsReadFileByFile) {
  const std::string cells = file("cells.lef", "MACRO BUF\n SIZE 1 BY 1 ;\nEND BUF\nEND LIBRARY\n");
  const Library first = with_lef(Library(), files.lefs[0]), both = with_lef(first, cells);
  EXPECT_EQ(both.macros.size(), first.macros.size() + 1);
  EXPECT_EQ(both.macros.back().name, "BUF");
  EXPECT_EQ(both.layers.size(), read_lef({files.lefs[0], cells}).layers.size());
  EXPECT_THAT(error_of([&] { with_lef(both, cells); }), HasSubstr("give it once"));
}

}  // namespace
}  // namespace gridiron::layout::test
