// SPDX-License-Identifier: Apache-2.0
// Islands with loads: which are left out, and that the rest is as if they were not there.
#include "analysis/model/deck/islands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/run/session.hpp"
#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kIslands =
    "* t\nv1 VDD:1 0 1\nr1 VDD:1 VDD:2 1\ni1 VDD:2 0 1m\n"
    "r2 VDDX:1 VDDX:2 1\ni2 VDDX:2 0 2m\ni3 VDDX:1 VDD:2 1m\nr3 x y 1\ni4 y 0 4m\n.end\n";

IrOptions ignoring(const std::string& net = "") {
  IrOptions options;
  options.islands.ignores_all = true;
  options.net = net;
  return options;
}

TEST(Islands, AreErrorsThatNameTheOption) {
  EXPECT_THAT(test::failure<GridError>(kIslands), HasSubstr("or leave them out by"));
}

TEST(Islands, AreLeftOutAndCounted) {
  const Analysed run(kIslands, ignoring());
  EXPECT_NEAR(run.volts("VDD:2"), 1 - 1e-3 + 1e-3, 1e-12);  // i3 still feeds what i1 draws
  const LeftOut& left_out = run.result.left_out;
  EXPECT_EQ(left_out.nodes, 4);
  EXPECT_EQ(left_out.loads, 3);
  EXPECT_NEAR(left_out.amperes, 7e-3, 1e-15);
  EXPECT_THAT(left_out.nets, ElementsAre("", "VDDX"));
  EXPECT_THAT(run.finding("islands-left-out"), HasSubstr("2 islands of 4 nodes with 3 loads of 0.007 A in all are"));
  EXPECT_EQ(run.result.reduced.left_out_loads, 3);
  EXPECT_FALSE(run.found("floating-load"));
}

TEST(Islands, OfOtherNetsAreLeftOutWhereOneIsWanted) {
  IrOptions one;
  one.net = "VDD";
  EXPECT_THAT(Analysed(kIslands, one).result.left_out.parts, testing::SizeIs(2));
  const std::string of_it = "* t\nv1 VDD:1 0 1\nr1 VDD:1 VDD:2 1\nr2 VDD:7 VDD:8 1\ni2 VDD:8 0 2m\n.end\n";
  EXPECT_THAT(test::failure<GridError>(of_it, one), HasSubstr("[floating-load]"));
}

TEST(Islands, ConcernLimitsOnTheirNets) {
  const Analysed run(kIslands, ignoring());
  LeftOut of_one = run.result.left_out;
  of_one.nets = {"VDDX"};
  EXPECT_TRUE(of_one.concerns(""));
  EXPECT_TRUE(of_one.concerns("vddx"));
  EXPECT_TRUE(of_one.concerns("VDDX@1.1V"));
  EXPECT_FALSE(of_one.concerns("VDD"));
  EXPECT_TRUE(run.result.left_out.concerns("VDD")) << "one of them may be of any net";
  EXPECT_FALSE(LeftOut().concerns(""));
}

TEST(Islands, VectorsMayLoadThem) {
  IrOptions options = ignoring();
  options.loads = LoadTable{{"i4"}, 1, {1.0}, "", {}};
  EXPECT_NEAR(Analysed(kIslands, options).volts("VDD:2"), 1, 1e-12);
}

TEST(Islands, OfASessionAreLookedAtAnew) {
  Session session;
  session.read("deck.sp", std::make_shared<const Circuit>(read_netlist_text(kIslands)));
  EXPECT_THROW(session.analyse({}), GridError);
  session.set_islands({true});
  session.set_load("i1", 2e-3);
  EXPECT_NEAR(session.analyse({}).nets.at(0).worst_drop_v, 1e-3, 1e-12);
  EXPECT_THROW(session.apply(AddPad{"y", 1.0, 1.0}), GridError) << "its loads are gone";
  session.set_islands({});
  EXPECT_THROW(session.analyse({}), GridError);
  session.set_islands({false, "VDD"});
  EXPECT_NEAR(session.analyse({}).nets.at(0).worst_drop_v, 1e-3, 1e-12) << "edits and loads stay";
}

TEST(GroundNetAlone, ItsResistorsToNode0ArePads) {
  const std::string deck = "* t\nr1 a 0 1\nr2 b a 2\ni1 0 b 1m\n.end\n";
  EXPECT_THAT(test::failure<GridError>(deck), HasSubstr("[no-source]"));
  IrOptions options;
  options.nominal_v = {{"VSS", 0.0}};
  const Analysed run(deck, options);
  EXPECT_NEAR(run.volts("a"), 1e-3, 1e-15);
  EXPECT_NEAR(run.volts("b"), 3e-3, 1e-15);
  ASSERT_EQ(run.result.pads.size(), 1u);
  EXPECT_EQ(run.net("VSS").nodes, 2);
  options.nominal_v = {{"VSS", 1.0}};
  EXPECT_THAT(test::failure<GridError>(deck, options), HasSubstr("[no-source]"));
}

TEST(GroundNetAlone, LeaksAreNoPads) {
  const Analysed run(
      "* t\nvss vss 0 0\nr0 vss n0_1000_0 0.1\nr1 n0_1000_0 n0_1000_4000 0.4\nrleak0 n0_1000_0 0 1e12\n"
      "rleak4 n0_1000_4000 0 1e12\ni1 0 n0_1000_4000 10m\n.end\n");
  ASSERT_EQ(run.result.pads.size(), 1u);
  EXPECT_EQ(run.result.pads[0].name, "vss");
  EXPECT_NEAR(run.volts("n0_1000_4000"), 5e-3, 1e-12);
}

}  // namespace
}  // namespace gridiron
