// SPDX-License-Identifier: Apache-2.0
// Extraction against decks and answers that OpenROAD has written.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "layout/extract.hpp"
#include "layout/opens.hpp"
#include "layout/pg_deck.hpp"
#include "layout/read_layout.hpp"
#include "netlist/reader.hpp"
#include "netlist/source_text.hpp"
#include "support/error.hpp"
#include "tests/data.hpp"
#include "tests/layout/same_networks.hpp"

namespace gridiron::layout::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string data(const std::string& name) { return gridiron::test::data_file("layout/" + name); }

std::vector<std::string> lines_of(const std::string& path) {
  const auto source = SourceText::open(path);
  std::istringstream text{std::string(source->text())};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

class GoldenDecks : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (data("nangate45/gcd.def.gz").empty())
      GTEST_SKIP() << "reference data layout/nangate45 not found below " << gridiron::test::data_dir();
  }
  std::string lower() const { return std::string(GetParam()) == "VDD" ? "vdd" : "vss"; }
  LayoutFiles gcd() const {
    LayoutFiles files;
    files.def = data("nangate45/gcd.def.gz");
    files.lefs = {data("nangate45/Nangate45.lef.gz")};
    files.powers = {data("nangate45/gcd_power.csv")};
    files.nets = {GetParam()};
    files.nominal = {{"VDD", 1.1}};
    files.sources = {{"", data("nangate45/Vsrc_gcd_" + lower() + ".loc")}};
    return files;
  }
};

/// Each resistor, sink and source to the digit, in the same order.
TEST_P(GoldenDecks, TheDeckOfGcdIsOpenRoads) {
  const Layout layout = read_layout(gcd());
  const std::filesystem::path path = gridiron::test::temporary("gcd_" + lower() + ".sp");
  write_pg_deck(*layout.circuit, *layout.chip, layout.elements, kOpenRoadDigits, path);
  std::vector<std::string> ours = lines_of(path);
  std::filesystem::remove(path);
  EXPECT_EQ(std::erase(ours, "* dbu: 2000"), 1U);
  const std::vector<std::string> theirs = lines_of(data("nangate45/gcd_" + lower() + ".sp.gz"));
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) ASSERT_EQ(ours[i], theirs[i]) << "line " << i + 1;
}

TEST_P(GoldenDecks, TerminalsOfGcdAreWhereOpenRoadReportsThem) {
  const Layout layout = read_layout(gcd());
  const Network& n = layout.grids[0].network;
  std::vector<std::string> ours, theirs;
  for (int64_t t = 0; t < n.terminals(); ++t) {
    const int32_t node = n.terminal_node[t];
    ours.push_back(fmt::format("{},{},{},{:.4f},{:.4f}", layout.chip->components.name[n.terminal_component[t]],
                               n.pin_names[n.terminal_pin[t]], layout.library->layers[n.node_layer[node]].name,
                               n.node_place[node].x / 2000.0, n.node_place[node].y / 2000.0));
  }
  for (const std::string& line : lines_of(data("nangate45/gcd_" + lower() + ".voltage.csv.gz")))
    theirs.push_back(line.substr(0, line.rfind(',')));
  theirs.erase(theirs.begin());  // the header
  EXPECT_EQ(ours, theirs);
}

/// A deck of all digits is the circuit again: the same nodes in the same order, the same values.
TEST_P(GoldenDecks, ADeckOfAllDigitsIsTheCircuit) {
  const Layout layout = read_layout(gcd());
  const std::filesystem::path path = gridiron::test::temporary("exact_" + lower() + ".sp.zst");
  write_pg_deck(*layout.circuit, *layout.chip, layout.elements, kAllDigits, path);
  const Circuit read = read_netlist(path.string());
  std::filesystem::remove(path);
  const Circuit& made = *layout.circuit;
  ASSERT_EQ(read.node_count(), made.node_count());
  for (NodeId n = 1; n < made.node_count(); ++n) ASSERT_EQ(read.node_name(n), made.node_name(n));
  EXPECT_EQ(read.resistors.a, made.resistors.a);
  EXPECT_EQ(read.resistors.b, made.resistors.b);
  EXPECT_EQ(read.resistors.value, made.resistors.value);
  EXPECT_EQ(read.voltage_sources.a, made.voltage_sources.a);
  EXPECT_EQ(read.voltage_sources.value, made.voltage_sources.value);
  EXPECT_EQ(read.dbu_card, made.dbu_card);
  std::vector<double> drawn = made.current_sources.value;
  std::erase(drawn, 0);
  EXPECT_EQ(read.current_sources.value, drawn);
  EXPECT_THAT(made.current_sources.value, SizeIs(624));
}

TEST_P(GoldenDecks, GcdIsTheSameOnAnyNumberOfThreads) { test::expect_same_on_any_number_of_threads(gcd()); }

INSTANTIATE_TEST_SUITE_P(Nets, GoldenDecks, testing::Values("VDD", "VSS"));

struct Design {
  Library library;
  Chip chip;

  Design(const std::string& def, const std::vector<std::string>& lefs)
      : library(read_lef(lefs)), chip(read_def(def, library)) {}
  Network network(const char* net) const { return extract(library, chip, chip.net(net), lef_resistances(library)); }
};

/// What OpenROAD's check_power_grid warns of.
std::vector<std::string> warnings(const Design& design, const Network& n, const Opens& opens) {
  const double dbu = design.chip.dbu_per_um;
  std::vector<std::string> out;
  for (const Opens::Shape& s : opens.shapes)
    out.push_back(fmt::format(
        "[WARNING PSM-0038] Unconnected shape on net VDD at ({:4.3f}um, {:4.3f}um) - ({:4.3f}um, {:4.3f}um), layer: "
        "{}.",
        s.box.x0 / dbu, s.box.y0 / dbu, s.box.x1 / dbu, s.box.y1 / dbu, design.library.layers[s.layer].name));
  for (const Opens::Terminal& t : opens.terminals)
    out.push_back(fmt::format("[WARNING PSM-0039] Unconnected instance {}/{} at location ({:4.3f}um, {:4.3f}um).",
                              design.chip.components.name[t.component], n.pin_names[n.terminal_pin[t.terminal]],
                              t.place.x / dbu, t.place.y / dbu));
  return out;
}

TEST(GoldenOpens, ShapesAndInstancesAreThoseOfOpenRoad) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/check_power_grid_disconnected.def.gz");
  const Design design(def, {data("nangate45/Nangate45.lef.gz"), data("nangate45/fakeram45_64x32.lef.gz")});
  const Network network = design.network("VDD");
  const Opens opens = find_opens(network);
  EXPECT_FALSE(opens.is_connected());
  EXPECT_EQ(opens.parts, 3);
  std::vector<std::string> theirs;
  for (const std::string& line : lines_of(data("nangate45/openroad_answers.txt")))
    if (line.starts_with("[WARNING PSM-003")) theirs.push_back(line);
  EXPECT_THAT(theirs, SizeIs(30));
  EXPECT_THAT(warnings(design, network, opens), testing::UnorderedElementsAreArray(theirs));
}

TEST(GoldenOpens, WhatOpenRoadFindsConnectedIs) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/check_power_grid_ok_disconnected.def.gz");
  const Design design(def, {data("nangate45/Nangate45.lef.gz"), data("nangate45/fakeram45_64x32.lef.gz")});
  const Network network = design.network("VDD");
  EXPECT_THAT(warnings(design, network, find_opens(network)), IsEmpty());
  EXPECT_GT(network.pieces(), 0);
}

TEST(GoldenOpens, ABlockWithPinsHasSoManyResistors) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/aes_bterms.def.gz");
  Design design(def, {data("nangate45/Nangate45.lef.gz")});
  const Network network = design.network("VDD");
  EXPECT_THAT(network.block_pin, SizeIs(15));
  EXPECT_TRUE(find_opens(network).is_connected());
  design.chip.pins.clear();
  EXPECT_EQ(design.network("VDD").resistors(), 162'096);
}

TEST(GoldenOpens, AFloorplanOfAnotherTechnologyIsConnected) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/sky130/gcd_floorplan.def.gz");
  const Design design(def, {data("sky130/sky130hd.tlef.gz"), data("sky130/cells.lef.gz")});
  LayerResistances resistances = lef_resistances(design.library);
  EXPECT_THROW(design.network("VDD"), InputError) << "its LEF has no resistance of cuts";
  read_layer_rc(data("sky130/sky130hd.rc"), design.library, resistances);
  for (const char* net : {"VDD", "VSS"}) {
    const Network network = extract(design.library, design.chip, design.chip.net(net), resistances);
    EXPECT_TRUE(find_opens(network).is_connected()) << net;
    EXPECT_EQ(network.terminals(), 873) << net;
  }
}

}  // namespace
}  // namespace gridiron::layout::test
