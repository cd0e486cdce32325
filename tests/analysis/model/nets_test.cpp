// SPDX-License-Identifier: Apache-2.0
// Names, nominal voltages and supplies of nets, and what is odd about them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::failure;
using testing::AllOf;
using testing::HasSubstr;

TEST(Nets, SuppliesJoinedByResistorsAreToldApartByVoltage) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nrload a b 98\nr2 b vss 1\nv2 vss 0 0\n");
  EXPECT_TRUE(run.found("supplies-joined"));
  EXPECT_NEAR(run.net("vdd").worst_drop_v, 0.01, 1e-12);
  EXPECT_NEAR(run.net("vss").worst_drop_v, 0.01, 1e-12);
  EXPECT_TRUE(run.net("vss").is_ground);
}

TEST(Nets, EveryFileHasItsOwnNetCard) {
  const Analysed run(
      "* Netlist for VDD on default\nv1 Node_m1_0_0 0 1.1\nr1 Node_m1_0_0 Node_m1_2_0 1\n* Netlist for VSS on default\n"
      "v2 Node_m1_0_9 0 0\nr2 Node_m1_0_9 Node_m1_2_9 1\n");
  EXPECT_EQ(run.net("VDD").nominal_v, 1.1);
  EXPECT_EQ(run.net("VSS").nominal_v, 0);
}

TEST(Nets, ASupplyBehindItsResistanceIsCalledAfterTheNodeBeforeIt) {
  const Analysed run(
      "* t\nv1 a 0 1 rser=1m\nr1 a b 1\ni1 b g 1m\nv2 0 g 0 rser=1m\nx1 s\n.subckt s\nv1 p 0 2 rser=1\nr1 p q 1\n"
      "r2 p t 1\n.ends\n");
  EXPECT_EQ(run.net("a").nominal_v, 1);
  EXPECT_NEAR(run.net("a").worst_drop_v, 1.001e-3, 1e-12);
  EXPECT_NEAR(run.net("g").worst_drop_v, 1e-6, 1e-12);
  EXPECT_EQ(run.net("x1.p").nominal_v, 2);
  EXPECT_FALSE(run.found("duplicate-name"));
  EXPECT_EQ(Analysed("* t\nv1 a 0 1\nrser a b 1\nr1 b c 1\ni1 c 0 1m\n").result.nets.at(0).name, "a");

  // Of two supplies that resistors join, names tell one and the node before its resistance the other.
  const Analysed joined(
      "* t\nv1 va_m1_0_0 0 1 rser=1m\nr1 va_m1_0_0 vb_m1_9_0 1\nv2 vb_m1_9_0 0 0.5 rser=1m\ni1 va_m1_0_0 0 1m\n");
  EXPECT_EQ(joined.net("va").nominal_v, 1);
  EXPECT_EQ(joined.net("vb").nominal_v, 0.5);
}

TEST(Nets, PlainNetsOfEqualVoltageStayApart) {
  const Analysed run("* t\nv1 vdda 0 1\nr1 vdda a 1\nv2 vddb 0 1\nr2 vddb b 1\ni2 b 0 20m\n");
  EXPECT_NEAR(run.net("vdda").worst_drop_v, 0, 1e-15);
  EXPECT_NEAR(run.net("vddb").worst_drop_v, 0.02, 1e-12);
}

TEST(Nets, AlmostEqualPadsAreOneNet) {
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\nv2 n1_m1_8_0 0 1.0000001\nr2 n1_m1_8_0 n1_m1_9_0 1\n");
  ASSERT_EQ(run.result.nets.size(), 1u);
  EXPECT_EQ(run.result.nets[0].name, "n1");
}

TEST(Nets, APowerNetWithoutSourceIsTold) {
  EXPECT_TRUE(
      Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\nrleak p 0 1meg\nr2 p q 1\ni1 q 0 1m\n").found("net-without-source"));
}

/// A terminal of a load behind a meter, an inductor, a resistor or a drop is of the net that it is connected to.
TEST(Nets, TerminalsOfLoadsAreNoNets) {
  for (const char* const way : {"vm{0} a{0} {1} 0\n", "vm{0} a{0} {1} 1m\n", "vm{0} {1} a{0} -1m\n",
                                "lm{0} a{0} {1} 1n\n", "rm{0} a{0} {1} 1\n", "vm{0} a{0} t{0} 1m\nvn{0} t{0} {1} 1m\n"})
    for (const char* const terminal : {"i_block_{}_vdd", "u{}/VDD", "u{}:1"}) {
      std::string deck = "* t\nv1 vdd 0 1\n";
      for (int k = 0; k < 55; ++k) {
        const std::string name = fmt::format(fmt::runtime(terminal), k);
        deck += fmt::format("r{} {} a{} 1m\n", k, k == 0 ? "vdd" : fmt::format("a{}", k - 1), k);
        deck += fmt::format(fmt::runtime(way), k, name) + fmt::format("i{} {} 0 1u\n", k, name);
      }
      const Analysed run(deck);
      ASSERT_EQ(run.result.nets.size(), 1u) << way << terminal;
      EXPECT_EQ(run.result.nets[0].name, "vdd") << way << terminal;
      EXPECT_FALSE(run.result.nets[0].is_ground);
      EXPECT_LT(run.result.nets[0].worst_drop_v, 0.01);
      for (const char* const code : {"net-without-source", "reversed-load", "nets-joined", "several-voltages"})
        EXPECT_EQ(run.finding(code), "") << way << terminal;
    }
}

/// Instances of extracted nets have numbers of terminals, too.
TEST(Nets, TerminalsOfExtractedNetsAreNoNets) {
  std::string deck = "* t\nv1 VDD 0 1\nv2 VSS 0 0\nra VDD VDD:1 1m\nrb VSS VSS:1 1m\n";
  for (int k = 1; k < 20; ++k)
    for (const char* const net : {"VDD", "VSS"})
      deck += fmt::format("r{1}{0} {1}:{0} {1}:{2} 1m\nrt{1}{0} {1}:{0} u{0}:{3} 1m\n", k, net, k + 1,
                          net[1] == 'S' ? 1 : 0);
  const Analysed run(deck + "i1 u3:0 u3:1 1m\n");
  EXPECT_EQ(run.result.nets.size(), 2u);
  EXPECT_FALSE(run.found("nets-joined"));
  const Analysed joined(deck + "r1 VDD:5 VSS:6 1k\n");
  EXPECT_TRUE(joined.found("supplies-joined"));
}

TEST(Nets, NamesInLettersOfBothCasesAreTold) {
  const Analysed run("* t\nv1 VDD 0 1\nr1 vdd a 1\ni1 A 0 1m\n");
  EXPECT_THAT(run.finding("case-of-names"),
              HasSubstr("names have no case: node VDD occurs in letters of another case"));
  EXPECT_FALSE(Analysed("* t\nv1 VDD 0 1\nr1 VDD a 1\ni1 a 0 1m\n").found("case-of-names"));
  EXPECT_THAT(failure<GridError>("* t\nv1 VDD 0 1\nv2 vdd 0 0.9\nr1 VDD b 1\ni1 b 0 1m\n"),
              HasSubstr("names have no case: VDD in other letters is the same node"));
}

/// A source of many volts makes a supply of another voltage, from which its drops are counted.
TEST(Nets, ASourceBetweenPartsMakesASupply) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nv2 core a -0.4\nr2 core b 1\ni1 b 0 10m\n");
  EXPECT_EQ(run.result.nets.size(), 2u);
  EXPECT_NEAR(run.net("core").nominal_v, 0.6, 1e-12);
  EXPECT_NEAR(run.net("core").worst_drop_v, 0.02, 1e-12);
  EXPECT_FALSE(run.found("net-without-source"));
}

/// Terminals that only a large resistance to node 0 holds are told once.
TEST(Nets, TerminalsWithoutASupplyAreOneNet) {
  std::string deck = "* t\nv1 vdd 0 1\nr1 vdd a 1\n";
  for (int k = 0; k < 55; ++k) deck += fmt::format("rl{0} i_block_{0}_vdd 0 1k\ni{0} i_block_{0}_vdd 0 1u\n", k);
  const Analysed run(deck);
  EXPECT_EQ(run.result.nets.size(), 2u);
  EXPECT_THAT(run.finding("net-without-source"), HasSubstr("55 nodes, the first one i_block_0_vdd, have loads of"));
  const Analysed one("* t\nv1 vdd 0 1\nr1 vdd a 1\nrl b 0 1k\ni1 b 0 1u\n");
  EXPECT_NO_THROW(one.net("b"));
}

TEST(Nets, SupplyOfAGroundNet) {
  const std::string both =
      "* t\n* layer: M1,VDD net: 1\n* layer: M1,GND net: 0\nv1 n1_0_0 0 1.8\nr1 n1_0_0 n1_1_0 1\nv0 n0_0_0 0 0\nr0 "
      "n0_0_0 n0_1_0 1\ni0 0 n0_1_0 9m\n";
  IrOptions options;
  options.net = "GND";
  options.limits.push_back(parse_limit("1%"));
  const Analysed only_ground(both, options);
  EXPECT_EQ(only_ground.net("GND").supply_v, 1.8)
      << "the other nets are left out of the report, not out of the physics";
  EXPECT_FALSE(only_ground.result.limits[0].exceeded);
  IrOptions misspelt;
  misspelt.nominal_v["VDDD"] = 3;
  EXPECT_THAT(failure<InputError>(both, misspelt), HasSubstr("no such net"));
  IrOptions reference;
  reference.nominal_v["VDD"] = 1.1;
  EXPECT_EQ(Analysed("* t\nv0 vss 0 0\nr0 vss a 1\ni0 0 a 1m\n", reference).net("vss").supply_v, 1.1);
}

/// Net n1 with pads of two voltages; the lower one is on line 3.
std::string two_pads(const std::string& volts) {
  return "* t\nv1 n1_m1_0_0 0 1.8\nv2 n1_m1_8_0 0 " + volts +
         "\nr1 n1_m1_0_0 n1_m1_4_0 1\nr2 n1_m1_4_0 n1_m1_8_0 1\ni1 n1_m1_4_0 0 10m\n.end\n";
}

TEST(SeveralVoltages, TheHighestCountsAndAWarningTellsWhere) {
  const Analysed run(two_pads("1.75"));
  ASSERT_EQ(run.result.nets.size(), 1u);
  EXPECT_EQ(run.net("n1").nominal_v, 1.8);
  EXPECT_NEAR(run.net("n1").worst_drop_v, 0.05, 1e-12) << "at the lower pad";
  EXPECT_EQ(run.finding("several-voltages"),
            "<text>:3:1: the sources of net n1 have different voltages, 1.75 V at n1_m1_8_0 and 1.8 V at n1_m1_0_0; "
            "drops are counted from 1.8 V; decide with " +
                field("nominal") + " NET=VOLTS");
  EXPECT_EQ(Analysed("* t\nv1 a 0 -1.8\nv2 b 0 -1.75\nr1 a b 1\n").net("a").nominal_v, -1.8) << "farthest from 0";
}

TEST(SeveralVoltages, TheUserDecides) {
  IrOptions options;
  options.nominal_v["n1"] = 1.75;
  const Analysed run(two_pads("1.75"), options);
  EXPECT_EQ(run.net("n1").nominal_v, 1.75);
  EXPECT_FALSE(run.found("several-voltages"));
  const Analysed far_apart(two_pads("1.2"), options);
  EXPECT_EQ(far_apart.result.nets.size(), 1u) << "one net by decree";
  EXPECT_FALSE(far_apart.found("supplies-joined"));
}

TEST(SeveralVoltages, ANetNameIsStrongerThanTheDifference) {
  const Analysed run(two_pads("1.2"));
  ASSERT_EQ(run.result.nets.size(), 1u);
  EXPECT_NEAR(run.net("n1").worst_drop_v, 0.6, 1e-12) << "not 0 below a supply of its own";
  EXPECT_TRUE(run.found("several-voltages"));
  EXPECT_TRUE(Analysed("* t\nv1 a 0 1.8\nv2 b 0 1.2\nr1 a b 1\n").found("supplies-joined")) << "no name tells";
}

TEST(SeveralVoltages, RoundingIsNoDifference) {
  EXPECT_FALSE(Analysed(two_pads("1.8000000000001")).found("several-voltages"));
}

TEST(SeveralVoltages, OfPiecesThatNothingConnects) {
  const std::string pieces = "* t\nv1 n1_m1_0_0 0 1.8\nr1 n1_m1_0_0 n1_m1_1_0 1\nv2 n1_m1_8_0 0 ";
  const Analysed close(pieces + "1.801\nr2 n1_m1_8_0 n1_m1_9_0 1\n");
  ASSERT_EQ(close.result.nets.size(), 1u);
  EXPECT_EQ(close.net("n1").nominal_v, 1.801);
  EXPECT_THAT(close.finding("several-voltages"), HasSubstr("net n1 are at 1.8 V and 1.801 V"));
  const Analysed apart(pieces + "1.75\nr2 n1_m1_8_0 n1_m1_9_0 1\n");
  EXPECT_THAT(apart.finding("several-voltages"),
              HasSubstr("net n1 is fed at several voltages and reported as n1@1.8V"));
}

TEST(Nets, JoinedSuppliesAreNamedWithPlace) {
  EXPECT_THAT(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a vss 1\nv2 vss 0 0\n").finding("supplies-joined"),
              AllOf(HasSubstr("<text>:2:1: "), HasSubstr("0 V at vss and 1 V at vdd")));
}

TEST(JoinedNets, NamesAndPlace) {
  const Analysed run(
      "* t\nv1 vdd_m1_0_0 0 1\nr1 vdd_m1_0_0 vdd_m1_1_0 1\nr2 vdd_m1_1_0 vcc_m1_2_0 1\nr3 vcc_m1_2_0 vdd_m1_3_0 1\n");
  EXPECT_EQ(run.finding("nets-joined"),
            "<text>:4:1: nodes named after different nets, vdd and vcc, are connected, e.g. by 'r2' from vdd_m1_1_0 to "
            "vcc_m1_2_0; they are treated as net vdd");
}

TEST(JoinedNets, ThroughNodesWithoutNet) {
  EXPECT_THAT(Analysed("* t\nv1 vdd_m1_0_0 0 1\nr1 vdd_m1_0_0 x 1\nr2 x y 1\nr3 y vcc_m1_2_0 1\nr4 x vdd_m1_3_0 1\n")
                  .finding("nets-joined"),
              HasSubstr("<text>:5:1: nodes named after different nets, vdd and vcc, are connected, e.g. by 'r3'"));
}

/// Nets vdd12 and vdd33, and ground vss with a bounce of 80 mV, drawn by loads from `supply`.
std::string io_and_core(const std::string& supply) {
  return "* t\nv12 vdd12 0 1.2\nr12 vdd12 c 1\nv33 vdd33 0 3.3\nr33 vdd33 p 1\nvg vss 0 0\nrg vss g 8\ni1 " + supply +
         " g 10m\n.end\n";
}

TEST(Supplies, BounceIsAShareOfTheSupplyThatItsLoadsDrawFrom) {
  EXPECT_EQ(Analysed(io_and_core("c")).net("vss").supply_v, 1.2);
  EXPECT_EQ(Analysed(io_and_core("p")).net("vss").supply_v, 3.3);
  EXPECT_NEAR(Analysed(io_and_core("p")).net("vss").worst_drop_v, 0.08, 1e-12);
}

TEST(Supplies, OfSeveralTheLowest) {
  const std::string shared =
      "* t\nv12 vdd12 0 1.2\nr12 vdd12 c 1\nv33 vdd33 0 3.3\nr33 vdd33 p 1\nvg vss 0 0\nrg vss g 8\n";
  EXPECT_EQ(Analysed(shared + "i1 c g 1m\ni2 p g 9m\n").net("vss").supply_v, 1.2);
  EXPECT_EQ(Analysed(shared + "i1 c 0 1m\ni2 0 g 9m\n").net("vss").supply_v, 1.2) << "no load names both ends";
  EXPECT_EQ(Analysed(shared + "i1 p 0 1m\ni2 0 g 9m\n").net("vss").supply_v, 3.3) << "nothing draws from 1.2 V";
  EXPECT_EQ(Analysed(shared + "i1_v p 0 1m\ni1_g 0 g 1m\ni2 c 0 1m\n").net("vss").supply_v, 3.3) << "a pair tells";
}

/// A ground net as OpenROAD writes it: its sink draws 10 mA out of it.
constexpr const char* kOpenRoadGround =
    "* Netlist for VSS on default\nr1 Node_m1_0_0 Node_m1_2000_0 R=2\n* Sinks\n* Sink for u1/VSS\n"
    "i0 Node_m1_2000_0 0 DC 1e-2\n* Sources\nv0 Node_m1_0_0 0 DC 0\n.end\n";

TEST(InvertedSinks, BounceUpAndReturnCurrent) {
  IrOptions options;
  options.nominal_v["VDD"] = 1.1;
  const Analysed run(kOpenRoadGround, options);
  const NetResult& vss = run.net("VSS");
  EXPECT_NEAR(run.volts("Node_m1_2000_0"), 0.02, 1e-12);
  EXPECT_NEAR(vss.worst_drop_v, 0.02, 1e-12);
  EXPECT_NEAR(vss.load_current_a, 0.01, 1e-12);
  EXPECT_NEAR(vss.pad_current_a, 0.01, 1e-12);
  EXPECT_NEAR(run.result.pads[0].current_a, -0.01, 1e-12) << "into the grid";
  EXPECT_NEAR(vss.total_power_w, 0.011, 1e-12);
  EXPECT_NEAR(run.result.certificate.current_imbalance_a, 0, 1e-15);
  EXPECT_THAT(run.finding("sinks-inverted"), HasSubstr("draw 0.01 A out of it, as OpenROAD writes them"));
  EXPECT_FALSE(run.found("overvoltage") || run.found("reversed-load"));
}

TEST(InvertedSinks, OnlyInDecksOfOpenRoad) {
  const Analysed run("* t\nr1 vss a 2\ni0 a 0 10m\nv0 vss 0 0\n.end\n");
  EXPECT_NEAR(run.volts("a"), -0.02, 1e-12);
  EXPECT_TRUE(run.found("overvoltage") && run.found("reversed-load"));
}

TEST(InvertedSinks, NotWhereTheSinksPushUp) {
  const Analysed run("* Netlist for VSS on default\nr1 vss a 2\ni0 0 a 10m\nv0 vss 0 0\n.end\n");
  EXPECT_NEAR(run.volts("a"), 0.02, 1e-12);
  EXPECT_FALSE(run.found("sinks-inverted"));
}

}  // namespace
}  // namespace gridiron
