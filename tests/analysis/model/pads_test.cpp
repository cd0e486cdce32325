// SPDX-License-Identifier: Apache-2.0
// Pads of a table in a deck.
#include "analysis/model/deck/pads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "netlist/names/node_place.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Pads : public testing::Test {
 protected:
  Pads() : folder_(test::temporary("pads")) { fs::create_directories(folder_); }
  ~Pads() override { fs::remove_all(folder_); }

  PadTable table(const std::string& text) const {
    const std::string path = folder_ / "pads.csv";
    std::ofstream(path) << text;
    return read_pads(path);
  }
  Circuit fed(const std::string& deck, const std::string& text) const {
    Circuit circuit = read_netlist_text(deck);
    apply_pads(circuit, table(text), std::nullopt);
    return circuit;
  }
  std::string failure(const std::string& deck, const std::string& text) const {
    try {
      fed(deck, text);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no failure";
  }

  fs::path folder_;
};

const std::string kBare = "* t\nr1 a b 2\ni1 b 0 0.1\n.end\n";

TEST_F(Pads, HoldANodeOrFeedItThroughAResistance) {
  const Circuit held = fed(kBare, "volts,name,ohm\n# a comment\n1V,A,0\n");
  const IrReport report = analyse_ir_drop(held, {});
  EXPECT_NEAR(report.nodes.voltage_v[held.nodes.find("b")], 0.8, 1e-12);
  EXPECT_EQ(report.pads.at(0).name, "pad.a");
  EXPECT_THAT(report.pads.at(0).place, HasSubstr("pads.csv:3:3"));
  EXPECT_EQ(report.nets.at(0).name, "a");

  const Circuit fed_softly = fed(kBare, "name,ohm,volts\n\"a\",500m,1\n");
  const IrReport softly = analyse_ir_drop(fed_softly, {});
  EXPECT_NEAR(softly.nodes.voltage_v[fed_softly.nodes.find("b")], 0.75, 1e-12);
  EXPECT_EQ(softly.nets.at(0).name, "a");
  EXPECT_GE(fed_softly.nodes.find("a.pad"), 0);
  EXPECT_EQ(fed_softly.element_name(kResistor, 1), "rpad.a");
}

TEST_F(Pads, StayNamedBehindSubcircuits) {
  const Circuit circuit =
      fed("* t\n.subckt s a b\nr1 a b 2\n.ends\nx1 p q s\ni1 q 0 0.1\n.end\n", "name,ohm,volts\np,1,1\n");
  EXPECT_EQ(circuit.element_name(kResistor, 0), "x1.r1");
  EXPECT_EQ(circuit.element_name(kResistor, 1), "rpad.p");
  EXPECT_EQ(circuit.element_name(kVoltageSource, 0), "pad.p");
}

TEST_F(Pads, AreAtTheNearestNodeOfTheLayer) {
  std::mt19937 random(1);
  // Wires of layer n1 along x, those of n2 along y, each from its via to random places.
  std::string deck = "* t\n";
  for (int i = 0; i < 300; ++i) {
    const std::string x = std::to_string(random() % 40 * 100), y = std::to_string(random() % 40 * 100),
                      end = std::to_string(random() % 4000), n = std::to_string(i);
    deck += "rv" + n + " n1_" + x + "_" + y + " n2_" + x + "_" + y + " 1\n";
    deck += "rh" + n + " n1_" + x + "_" + y + " n1_" + end + "_" + y + " 1\n";
    deck += "rw" + n + " n2_" + x + "_" + y + " n2_" + x + "_" + end + " 1\n";
  }
  deck += ".end\n";
  const Circuit plain = read_netlist_text(deck);
  const NodePlaces places = place_nodes(plain);
  for (int k = 0; k < 10; ++k) {
    const double x = random() % 4000 / 1000.0, y = random() % 4000 / 1000.0;
    const Circuit circuit =
        fed(deck, "x,y,layer,ohm,volts\n" + std::to_string(x) + "," + std::to_string(y) + ",n2,0,1\n");
    double nearest = HUGE_VAL;
    for (NodeId n = 1; n < plain.node_count(); ++n)
      if (places.layer[n] >= 0 && places.layers[places.layer[n]] == "n2")
        nearest = std::min(nearest, std::hypot(places.x_um[n] - x, places.y_um[n] - y));
    const NodeId chosen = circuit.voltage_sources.a.at(0);
    EXPECT_EQ(std::hypot(places.x_um[chosen] - x, places.y_um[chosen] - y), nearest);
    EXPECT_EQ(circuit.findings.empty() ? "" : circuit.findings.back().code, nearest > 0 ? "pads-beside-nodes" : "");
  }
}

TEST_F(Pads, ANetTellsNodesApart) {
  const std::string deck = "* t\nr1 VDD_m1_0_0 VDD_m1_100_0 1\nr2 VSS_m1_0_200 VSS_m1_100_200 1\n.end\n";
  EXPECT_THAT(failure(deck, "x,y,layer,ohm,volts\n0,0.05,m1,0,1\n"), HasSubstr("add a column net"));
  const Circuit circuit = fed(deck, "net,x,y,layer,ohm,volts\nvss,0,0,m1,0,0\n");
  EXPECT_EQ(circuit.node_name(circuit.voltage_sources.a.at(0)), "VSS_m1_0_200");
}

TEST_F(Pads, APatternTellsPlaces) {
  const std::string deck = "* t\nr1 x0y0lM1 x10y0lM1 1\nr2 x10y0lM1 x20y0lM1 1\ni1 x0y0lM1 0 1m\n.end\n";
  const std::string pads = "x,y,layer,ohm,volts\n19,0,m1,1m,1\n";
  const auto node_of = [&](const std::string& pattern) {
    Circuit circuit = read_netlist_text(deck);
    apply_pads(circuit, table(pads), 1, pattern);
    return std::string(circuit.node_name(circuit.resistors.a.back()));
  };
  EXPECT_EQ(node_of(R"(x(?<x>\d+)y(?<y>\d+)l(?<layer>\w+))"), "x20y0lM1");
  for (const auto& [pattern, error] : std::vector<std::pair<std::string, std::string>>{
           {R"(x\d+y\d+l(?<layer>\w+))", "pads.csv:2:1: node_pattern tells no place of a node"},
           {R"(x(?<x>\d+)y(?<y>\d+).*)", "pads.csv:2:1: the netlist has no layer m1; it has none"}}) {
    try {
      node_of(pattern);
      ADD_FAILURE() << pattern;
    } catch (const InputError& e) {
      EXPECT_THAT(spelled(e.what()), HasSubstr(error));
    }
  }
}

TEST_F(Pads, ErrorsSayWhere) {
  const std::string header = "name,ohm,volts\n";
  for (const auto& [text, line] : std::vector<std::pair<std::string, std::string>>{
           {"", "pads.csv: no pad in this file"},
           {header, "pads.csv: no pad in this file; give a row"},
           {header + "c,1,1\n", "pads.csv:2:1: the netlist has no node c"},
           {header + "0,1,1\n", "pads.csv:2:1: node 0 is the reference"},
           {header + "a,1\n", "pads.csv:2:1: 2 fields, but the header has 3"},
           {header + "a,1,1mA\n", "pads.csv:2:5: expected a number of volts"},
           {header + "a,-1,1\n", "pads.csv:2:3: expected a number of ohm"},
           {header + "a,1e-310,1\n", "pads.csv:2:3: expected a number of ohm"},
           {header + "a,1,inf\n", "pads.csv:2:5: expected a number of volts"},
           {header + ",1,1\n", "pads.csv:2:1: expected the name of a node here"},
           {header + "a,1,1\nA,1,1\n", "pads.csv:3:1: node a has a pad already"},
           {header + "a,1,1\nb,1,2\n", "pads.csv:3:1: 2 V at b"},
           {"name,x,ohm,volts\n", "pads.csv:1:1: not the columns of pads"},
           {"name,ohm,ohm,volts\n", "pads.csv:1:10: the column ohm stands there twice"},
           {"name,ohm,volts,watt\n", "pads.csv:1:16: no column of pads is called \"watt\""},
           {"x,y,layer,ohm,volts\n1,1,m1,1,1\n", "pads.csv:2:1: no name of a node of the netlist tells a place"}})
    EXPECT_THAT(failure(kBare, text), HasSubstr(line)) << text;
}

}  // namespace
}  // namespace gridiron
