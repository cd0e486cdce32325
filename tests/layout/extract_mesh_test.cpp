// SPDX-License-Identifier: Apache-2.0
// Nets as meshes: what is attached to cells, and real designs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <tuple>

#include "layout/extract.hpp"
#include "layout/layer_resistances.hpp"
#include "layout/opens.hpp"
#include "layout/read_layout.hpp"
#include "layout/shorts.hpp"
#include "layout/sources.hpp"
#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"
#include "tests/layout/same_networks.hpp"

namespace gridiron::layout::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct Made {
  Library library;
  Chip chip;
  Network network;

  Made(const std::string& sections, double mesh_um)
      : library(library_with(inverter())), chip(chip_of(design(sections), library)) {
    LayerResistances resistances = lef_resistances(library);
    resistances.ohm_per_square[library.layer("m3")] = 0.1;
    network = extract_mesh(library, chip, chip.net("VDD"), resistances, mesh_um);
  }

  /// "m1_100_200 m2_100_200 1.5" of resistors that hold `text`.
  std::vector<std::string> resistors(const std::string& text = "") const {
    const auto name = [&](int32_t n) {
      const char* const kinds[] = {"", "source_", "terminal_", "pin_"};
      return fmt::format("{}{}_{}_{}", kinds[static_cast<int>(network.node_kind[n])],
                         library.layers[network.node_layer[n]].name, network.node_place[n].x, network.node_place[n].y);
    };
    std::vector<std::string> out;
    for (int64_t r = 0; r < network.resistors(); ++r) {
      out.push_back(fmt::format("{} {} {:.6g}", name(network.from[r]), name(network.to[r]), network.ohm[r]));
      if (out.back().find(text) == std::string::npos) out.pop_back();
    }
    return out;
  }
};

std::string net(const std::string& wires) {
  return "SPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER\n" + wires + " ;\nEND SPECIALNETS\n";
}

/// Four cuts of 100 by 100, 300 apart, where two wires cross.
std::string crossing() {
  return "VIAS 1 ;\n- big + VIARULE gen12 + CUTSIZE 100 100 + LAYERS m1 v1 m2 + CUTSPACING 200 200 + ENCLOSURE 50 50 "
         "50 "
         "50 + ROWCOL 2 2 ;\nEND VIAS\n" +
         net("+ ROUTED m1 500 + SHAPE STRIPE ( 1000 2000 ) ( 3000 2000 )\n"
             "NEW m2 500 + SHAPE STRIPE ( 2000 1000 ) ( 2000 3000 ) NEW m1 0 + SHAPE STRIPE ( 2000 2000 ) big");
}

/// Those of one row share a node of the wire that runs along it.
TEST(ExtractMesh, EveryCutIsAResistor) {
  EXPECT_THAT(Made(crossing(), 1).resistors("m2"),
              ElementsAre("m1_1850_2000 m2_2000_1850 4", "m1_1850_2000 m2_2000_2150 4", "m1_2150_2000 m2_2000_1850 4",
                          "m1_2150_2000 m2_2000_2150 4", "m2_2000_1500 m2_2000_1850 0.175",
                          "m2_2000_1850 m2_2000_2150 0.15", "m2_2000_2150 m2_2000_2500 0.175"))
      << "with places for sources on the highest layer";
  EXPECT_THAT(Made(crossing(), 1).resistors("m1_1850_2000 m1_2150"), ElementsAre("m1_1850_2000 m1_2150_2000 0.3"));
}

/// A cut is divided among the cells that it covers: 16 parts of 64 ohm instead of one of 4.
TEST(ExtractMesh, CutsLargerThanCellsAreDivided) {
  const Made made(crossing(), 0.025);
  double siemens = 0, cuts = 0;
  int64_t links = 0;
  for (int64_t r = 0; r < made.network.resistors(); ++r)
    if (made.network.cuts[r] > 0) siemens += 1 / made.network.ohm[r], cuts += made.network.cuts[r], ++links;
  EXPECT_EQ(links, 4 * 16);
  EXPECT_DOUBLE_EQ(siemens, 1);
  EXPECT_DOUBLE_EQ(cuts, 4);
}

TEST(ExtractMesh, AViaMayHaveAResistanceOfItsOwn) {
  Library library = library_with(inverter());
  const Chip chip = chip_of(design(net("+ ROUTED m1 0 + SHAPE STRIPE ( 1300 500 ) v12")), library);
  LayerResistances resistances = lef_resistances(library);
  resistances.ohm_per_cut[library.layer("v1")] = 0;
  for (const double mesh_um : {1.0, 0.02}) {
    const Network n = extract_mesh(library, chip, 0, resistances, mesh_um);
    double siemens = 0;
    for (int64_t r = 0; r < n.resistors(); ++r)
      if (n.cuts[r] > 0) siemens += 1 / n.ohm[r];
    EXPECT_NEAR(siemens, 1 / 3.0, 1e-12) << mesh_um;
  }
}

TEST(ExtractMesh, ATerminalHangsOnTheCellAtTheCentreOfItsPin) {
  const std::string parts = "COMPONENTS 1 ;\n- u1 INV + PLACED ( 1000 1000 ) N ;\nEND COMPONENTS\n" +
                            net("+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 900 4000 ) ( 3700 4000 )\n"
                                "NEW m3 200 + SHAPE STRIPE ( 0 9000 ) ( 100 9000 )");
  EXPECT_THAT(Made(parts, 1).resistors(), ElementsAre("m1_2000_4000 terminal_m1_2000_4000 0.001"));
  const Made fine(parts, 0.1);
  EXPECT_EQ(fine.network.nodes(), 2 * 28 + 1 + 2) << "m3's cells among them";
  EXPECT_THAT(fine.resistors("terminal"), ElementsAre("terminal_m1_2000_4000 m1_2050_4050 0.001"));
}

std::string pin_on_a_plane() {
  return "PINS 1 ;\n- VDD + NET VDD + SPECIAL + DIRECTION INOUT + USE POWER + LAYER m1 ( -10 -10 ) ( 10 10 ) + FIXED ( "
         "5190 5190 ) N ;\nEND PINS\n" +
         net("+ ROUTED m1 8000 + SHAPE STRIPE ( 1000 5000 ) ( 9000 5000 )");
}

/// No node lies in its shape, yet the cell around it is held.
TEST(ExtractMesh, APinOfTheBlockHoldsItsCell) {
  const Made made(pin_on_a_plane(), 1);
  EXPECT_THAT(made.resistors("pin"), ElementsAre("pin_m1_5190_5190 m1_5500_5500 0.001"));
  const SourceSites sites = place_sources(made.library, made.chip, made.network, nullptr, {});
  ASSERT_THAT(sites.node, SizeIs(1));
  EXPECT_EQ(made.network.node_place[sites.node[0]], (Point{5500, 5500}));
}

/// So that one in series with a source is the same for every mesh.
TEST(ExtractMesh, CellsOfASourceShareItsResistance) {
  const SourceFile file{{{4000, 4000, 6000, 6000}}, 1.1};
  for (const auto& [mesh_um, nodes] : {std::pair{1.0, 4}, std::pair{0.5, 16}}) {
    const Made made(pin_on_a_plane(), mesh_um);
    const SourceSites sites = place_sources(made.library, made.chip, made.network, &file, {});
    EXPECT_EQ(sites.sharing, std::vector<int32_t>(static_cast<size_t>(nodes), nodes));
    EXPECT_THAT(sites.node, SizeIs(nodes));
  }
}

TEST(ExtractMesh, ANetWithoutShapesIsEmpty) {
  const Network network = Made(net(""), 1).network;
  EXPECT_EQ(network.nodes(), 0);
  EXPECT_TRUE(find_opens(network).is_connected());
}

TEST(ExtractMesh, SizesThatCannotBeAreErrors) {
  const auto error = [](double mesh_um) { return error_of([&] { Made(pin_on_a_plane(), mesh_um); }); };
  EXPECT_THAT(error(0.0001), AllOf(HasSubstr("mesh 0.0001"), HasSubstr("database unit, 0.001 um")));
  EXPECT_THAT(error(-1), HasSubstr("database unit"));
  EXPECT_EQ(error(1e9), "no error") << "no more than the pitch of PDNSim's nodes";
  const std::string wide = net("+ ROUTED m1 80000 + SHAPE STRIPE ( 0 50000 ) ( 90000 50000 )");
  EXPECT_THAT(error_of([&] { Made(wide, 0.001); }),
              AllOf(HasSubstr("chip.def:"), HasSubstr("net VDD would have"), HasSubstr("; give 0.0")));
}

/// The stairs of two wires at 45 degrees would touch, the wires do not.
TEST(ExtractMesh, StairsAreNoShorts) {
  const std::filesystem::path folder = gridiron::test::temporary("stairs");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "t.lef") << technology() << "END LIBRARY\n";
  std::ofstream(folder / "t.def") << design(
      "SPECIALNETS 2 ;\n"
      "- VDD + USE POWER + POLYGON m1 ( 0 0 ) ( 4000 4000 ) ( 4000 5000 ) ( 0 1000 ) ;\n"
      "- VSS + USE GROUND + POLYGON m1 ( 0 1100 ) ( 4000 5100 ) ( 4000 6000 ) ( 0 2000 ) ;\nEND SPECIALNETS\n");
  LayoutFiles files;
  files.def = folder / "t.def";
  files.lefs = {folder / "t.lef"};
  files.nominal = {{"VDD", 1.1}};
  files.mesh_um = 1;
  const Layout layout = read_layout(files);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(layout.shorts.empty());
  const std::vector<NetMetal> stairs{{0, &layout.grids[0].network}, {1, &layout.grids[1].network}};
  EXPECT_FALSE(find_shorts(*layout.library, stairs).empty());
  for (const NetGrid& grid : layout.grids) EXPECT_TRUE(find_opens(grid.network).is_connected());
}

// ---- Real designs

std::string data(const std::string& name) { return gridiron::test::data_file("layout/nangate45/" + name); }

LayoutFiles gcd(const std::string& net) {
  LayoutFiles files;
  files.def = data("gcd.def.gz");
  files.lefs = {data("Nangate45.lef.gz")};
  files.nets = {net};
  files.nominal = {{"VDD", 1.1}};
  return files;
}

double sum(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// The same cuts, terminals and connected parts as by PDNSim's rules, and no two nodes of one name.
TEST(ExtractMesh, GcdHasWhatPdnsimFinds) {
  if (data("gcd.def.gz").empty()) GTEST_SKIP() << "no layout/nangate45/gcd.def.gz";
  for (const std::string name : {"VDD", "VSS"}) {
    LayoutFiles files = gcd(name);
    const Layout pdnsim = read_layout(files);
    for (const double mesh_um : {10.0, 0.5}) {
      files.mesh_um = mesh_um;
      const Layout fine = read_layout(files);
      const Network &a = pdnsim.grids[0].network, &b = fine.grids[0].network;
      EXPECT_EQ(sum(b.cuts), sum(a.cuts));
      EXPECT_EQ(b.terminal_component, a.terminal_component);
      for (int64_t t = 0; t < a.terminals(); ++t)
        ASSERT_EQ(b.node_place[b.terminal_node[t]], a.node_place[a.terminal_node[t]]);
      EXPECT_EQ(b.piece_box, a.piece_box);
      EXPECT_EQ(fine.opens[0].parts, pdnsim.opens[0].parts);
      EXPECT_TRUE(fine.opens[0].is_connected());
      EXPECT_TRUE(fine.shorts.empty());
      EXPECT_EQ(std::ranges::count(b.node_kind, NodeKind::wire) + b.terminals(), b.nodes());
      for (int64_t n = 1; n < b.nodes(); ++n) {
        const auto spot = [&](int64_t i) { return std::tuple(b.node_layer[i], b.node_place[i], b.node_kind[i]); };
        ASSERT_TRUE(spot(n - 1) < spot(n) || b.node_kind[n] == NodeKind::terminal) << n;
      }
    }
  }
}

TEST(ExtractMesh, GcdIsTheSameOnAnyNumberOfThreads) {
  if (data("gcd.def.gz").empty()) GTEST_SKIP() << "no layout/nangate45/gcd.def.gz";
  LayoutFiles files = gcd("VDD");
  files.mesh_um = 0.5;
  test::expect_same_on_any_number_of_threads(files);
}

TEST(ExtractMesh, OpensAreThoseByPdnsimsRules) {
  const std::string def = data("check_power_grid_disconnected.def.gz");
  if (def.empty()) GTEST_SKIP() << "no layout/nangate45/check_power_grid_disconnected.def.gz";
  const Library library = read_lef({data("Nangate45.lef.gz"), data("fakeram45_64x32.lef.gz")});
  const Chip chip = read_def(def, library);
  const Opens a = find_opens(extract(library, chip, chip.net("VDD"), lef_resistances(library)));
  const Opens b = find_opens(extract_mesh(library, chip, chip.net("VDD"), lef_resistances(library), 2));
  EXPECT_EQ(b.parts, a.parts);
  ASSERT_EQ(b.shapes.size(), a.shapes.size());
  for (size_t i = 0; i < a.shapes.size(); ++i) EXPECT_EQ(b.shapes[i].box, a.shapes[i].box);
  ASSERT_EQ(b.terminals.size(), a.terminals.size());
  for (size_t i = 0; i < a.terminals.size(); ++i) EXPECT_EQ(b.terminals[i].component, a.terminals[i].component);
}

}  // namespace
}  // namespace gridiron::layout::test
