// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/regular_tables.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// A 3 × 3 mesh of 2 S with a pitch of 1 µm, fed at a corner through 4 S from 1.1 V, with 0.1 A drawn at each node.
std::string mesh(const std::string& net, const std::string& layer) {
  const auto node = [&](int x, int y) { return fmt::format("{}_{}_{}_{}", net, layer, 2000 * x, 2000 * y); };
  std::string deck = fmt::format("v{0} supply_{0} 0 1.1\nrp{0} supply_{0} {1} 0.25\n", net, node(0, 0));
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
      if (x < 2) deck += fmt::format("rh{}{}{} {} {} 0.5\n", net, x, y, node(x, y), node(x + 1, y));
      if (y < 2) deck += fmt::format("rv{}{}{} {} {} 0.5\n", net, x, y, node(x, y), node(x, y + 1));
      deck += fmt::format("i{}{}{} {} 0 0.1\n", net, x, y, node(x, y));
    }
  return deck;
}

RegularTables tables_of(const std::string& deck, const IrOptions& options) {
  return regularize_netlist(read_netlist_text("* t\n" + deck), options);
}

std::string failure(const std::string& deck, const IrOptions& options) {
  try {
    tables_of(deck, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no failure";
}

IrOptions unreduced() {
  IrOptions options;
  options.reduce = false;
  return options;
}

TEST(RegularizeNetlist, MeshIsItsOwnTable) {
  const RegularTables result = tables_of(mesh("n1", "m4"), unreduced());
  ASSERT_EQ(result.nets.size(), 1u);
  const RegularNet& net = result.nets[0];
  EXPECT_EQ(net.name, "n1");
  EXPECT_THAT(net.layers, ElementsAre("m4"));
  EXPECT_THAT(std::vector({net.tables.used_nx, net.tables.used_ny, net.tables.nx, net.tables.ny}),
              ElementsAre(3, 3, 8, 8));
  EXPECT_EQ(net.network.nodes, 9);
  EXPECT_EQ(net.network.edges, 12);
  EXPECT_EQ(net.network.edges_inside_cells, 0);
  EXPECT_EQ(net.cells_with_nodes, 9);
  EXPECT_EQ(net.used_cells(), 9);
  EXPECT_DOUBLE_EQ(net.network.wires_s, 24);
  EXPECT_DOUBLE_EQ(net.gh_s, 12);
  EXPECT_DOUBLE_EQ(net.gv_s, 12);
  EXPECT_DOUBLE_EQ(net.gz_s, 4);
  EXPECT_NEAR(net.network.injection_a, -0.9, 1e-14);
  EXPECT_NEAR(net.iz_a, -0.9, 1e-14);
}

TEST(RegularizeNetlist, PadsAndInjectionsSurviveReductionAndScales) {
  for (const char* scale : {"0.5", "1", "2"})
    for (const char* plane : {"layered", "single"}) {
      IrOptions options;
      options.settings = {{"grid_scale", scale}, {"plane", plane}};
      const RegularTables result = tables_of(mesh("n1", "m4") + mesh("n2", "m1"), options);
      EXPECT_EQ(result.nets.size(), 2u);
      for (const RegularNet& net : result.nets) {
        EXPECT_GT(net.gz_s, 0);
        EXPECT_NEAR(net.gz_s, net.network.pads_s, 1e-14) << scale << plane;
        EXPECT_NEAR(net.iz_a, net.network.injection_a, 1e-14) << scale << plane;
      }
    }
}

TEST(RegularizeNetlist, SinglePlaneHasNoVias) {
  const std::string deck = mesh("n1", "m1") + "rv1 n1_m1_2000_2000 n1_m4_2000_2000 0.5\n" +
                           "rv2 n1_m1_4000_2000 n1_m4_4000_2000 0.5\nrs n1_m4_2000_2000 n1_m4_4000_2000 1\n";
  IrOptions options = unreduced();
  const RegularNet layered = tables_of(deck, options).nets.at(0);
  EXPECT_THAT(layered.layers, ElementsAre("m1", "m4"));
  EXPECT_DOUBLE_EQ(layered.network.vias_s, 4);
  options.settings = {{"plane", "single"}};
  const RegularNet plane = tables_of(deck, options).nets.at(0);
  EXPECT_THAT(plane.layers, ElementsAre("all layers"));
  EXPECT_THAT(std::vector({plane.tables.used_nx, plane.tables.used_ny}), ElementsAre(3, 3));
  EXPECT_DOUBLE_EQ(plane.network.vias_s, 4);
  EXPECT_EQ(plane.network.edges_inside_cells, 2);
  EXPECT_THAT(plane.tables.via, Each(0));
  EXPECT_DOUBLE_EQ(plane.gh_s, 13);
}

TEST(RegularizeNetlist, OneNetOnly) {
  IrOptions options;
  options.net = "N2";
  const RegularTables result = tables_of(mesh("n1", "m4") + mesh("n2", "m4"), options);
  ASSERT_EQ(result.nets.size(), 1u);
  EXPECT_EQ(result.nets[0].name, "n2");
  options.net = "vdd";
  EXPECT_THAT(failure(mesh("n1", "m4"), options), HasSubstr("there are n1"));
}

TEST(RegularizeNetlist, FloatingPartsAreLeftOut) {
  const std::string island = "ra n9_m1_0_0 n9_m1_2000_0 1\nrb n9_m1_2000_0 n9_m1_4000_0 1\n";
  const RegularTables result = tables_of(mesh("n1", "m4") + island, unreduced());
  ASSERT_EQ(result.nets.size(), 1u);
  EXPECT_EQ(result.nets[0].name, "n1");
}

TEST(RegularizeNetlist, RefusesWhatHasNoPlaces) {
  const std::string reason = failure("v1 vdd 0 1\nr1 vdd a 2\nr2 a b 1\ni1 b 0 0.1\n", unreduced());
  EXPECT_THAT(reason, HasSubstr("2 of 2 nodes have none"));
  EXPECT_THAT(reason, HasSubstr("names like n1_200_300"));
  EXPECT_THAT(failure(mesh("n1", "m4") + "r9 n1_m4_0_0 plain 1\n", unreduced()), HasSubstr("1 of 10 nodes"));
}

TEST(RegularizeNetlist, RefusesWhenNothingIsLeft) {
  EXPECT_THAT(failure("v1 n1_m4_0_0 0 1\nr1 n1_m4_0_0 n1_m4_2000_0 2\n", {}), HasSubstr("no_reduce"));
}

TEST(RegularizeNetlist, RefusesUnknownSettings) {
  IrOptions options;
  options.settings = {{"gridscale", "1"}};
  EXPECT_THAT(failure(mesh("n1", "m4"), options), HasSubstr("grid_scale, plane"));
  options.settings = {{"plane", "both"}};
  EXPECT_THAT(failure(mesh("n1", "m4"), options), HasSubstr("layered, single"));
  options.settings = {{"grid_scale", "-1"}};
  EXPECT_THAT(failure(mesh("n1", "m4"), options), HasSubstr("grid_scale=-1"));
}

}  // namespace
}  // namespace gridiron
