// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/branches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct BranchRun {
  Circuit circuit;
  IrReport report;

  explicit BranchRun(const std::string& cards) : circuit(read_netlist_text("* t\n" + cards + ".end\n")) {
    IrOptions options;
    options.engine = "cholmod";
    report = analyse_ir_drop(circuit, options);
  }
  std::vector<std::string> outside() const {
    std::vector<std::string> names;
    for (NodeId n = 1; n < circuit.node_count(); ++n)
      if (report.nodes.net[n] < 0) names.emplace_back(circuit.node_name(n));
    return names;
  }
  std::vector<std::string> pads() const {
    std::vector<std::string> names;
    for (const PadResult& pad : report.pads) names.push_back(pad.name);
    return names;
  }
};

constexpr const char* kBranchesOn = "v1 vdd 0 1\nr1 vdd a 1\ni1 a g 10m\nvg g0 0 0\nrg g0 g 1\n";

TEST(Branches, ADecapWithAResistanceIsNoPartOfTheGrid) {
  for (const char* cards :
       {"rz a z 5\ncz z 0 1p\n", "cz 0 z 1p\nrz z a 5\n", "rz g z 5\ncz z a 1p\n", "rz 0 z 5\ncz z g 1p\n",
        "lz a z 1n\ncz z 0 1p\n", "rz a z 5\nrz2 z a 5\ncz z 0 1p\ncz2 z g 1p\n"}) {
    const BranchRun run(std::string(kBranchesOn) + cards);
    EXPECT_THAT(run.outside(), ElementsAre("z")) << cards;
    EXPECT_THAT(run.pads(), UnorderedElementsAre("v1", "vg")) << cards;
    EXPECT_EQ(run.report.nets.size(), 2U) << cards;
    for (const NetResult& net : run.report.nets) EXPECT_EQ(net.nodes, 2) << cards;
  }
}

TEST(Branches, GridNodesStayThose) {
  for (const char* cards : {"ca a 0 1p\n",                                 // a load
                            "r2 a b 1\nr3 b c 1\ncb b 0 1p\nic c 0 1m\n",  // on the way
                            "r2 a b 1\ncb b 0 1p\nib b 0 1m\n",            // a load
                            "r2 a b 1\nr3 b c 1\n",                        // no capacitor
                            "r2 a n1_m1_10_10 1\nc2 n1_m1_10_10 0 1p\n",   // a strap's end, by its name
                            "r2 a b 0\ncb b 0 1p\n"})                      // a short
    EXPECT_THAT(BranchRun(std::string(kBranchesOn) + cards).outside(), IsEmpty()) << cards;
}

TEST(Branches, BetweenAnInductorAndAResistor) {
  EXPECT_THAT(BranchRun(std::string(kBranchesOn) + "r2 a x 1\nl2 x b 1n\nib b 0 1m\n").outside(), ElementsAre("x"));
  // What the source holds are the pads' own nodes, behind the package.
  const BranchRun package("v1 y 0 1\nl1 y x 1n\nr1 x a 1\ni1 a 0 10m\nl2 0 w 1n\nr2 w g 1\ni2 0 g 1m\n");
  EXPECT_THAT(package.outside(), IsEmpty());
  EXPECT_THAT(package.pads(), UnorderedElementsAre("v1", "l2"));
}

TEST(Branches, AResistorInSeriesWithAnInductorToNode0IsAPad) {
  for (const char* package :
       {"rp 0 pk 0.05\nlp pk g 1p\n", "lp 0 pk 1p\nrp pk g 0.05\n", "rp 0 pk 0.05\nlp pk q 1p\nrq q g 0.05\n"}) {
    const BranchRun run("v1 vdd 0 1\nr1 vdd a 1\ni1 a h 10m\nr2 g h 1\nr3 h k 1\nr4 k g 1\n" + std::string(package));
    ASSERT_EQ(run.report.pads.size(), 2U) << package;
    for (const PadResult& pad : run.report.pads) EXPECT_NEAR(std::abs(pad.current_a), 10e-3, 1e-9) << pad.name;
    for (const NetResult& net : run.report.nets) EXPECT_EQ(net.pads, 1) << net.name << package;
  }
}

TEST(Branches, ADecapIsNoNetWhateverTheOrderOfItsElements) {
  for (const char* first : {"a", "g"})
    for (const char* order : {"crl", "clr", "rcl", "rlc", "lcr", "lrc", "cl", "lc", "cr", "rc"}) {
      std::string cards, from = first;
      for (const char* kind = order; *kind != 0; ++kind) {
        const std::string to = kind[1] == 0 ? "0" : "y" + std::to_string(kind - order);
        cards += std::string(1, *kind) + "d " + from + " " + to + (*kind == 'r' ? " 1\n" : " 1p\n");
        from = to;
      }
      const BranchRun run(kBranchesOn + cards);
      EXPECT_EQ(run.outside().size(), std::string(order).size() - 1) << first << order;
      EXPECT_THAT(run.pads(), UnorderedElementsAre("v1", "vg")) << first << order;
      EXPECT_EQ(run.report.nets.size(), 2U) << first << order;
    }
}

TEST(Branches, WhatIsAllThereIsOfAGridIsTheGrid) {
  EXPECT_THAT(BranchRun("v1 vdd 0 1\nr1 vdd a 1\nc1 a 0 1p\n").outside(), IsEmpty());
}

TEST(Branches, AResistorToNode0IsAPadUnlessItLeaks) {
  EXPECT_THAT(BranchRun("v1 vdd 0 1\nr1 vdd a 1\ni1 a g 10m\nrp g 0 1meg\n").pads(), UnorderedElementsAre("v1", "rp"));
  EXPECT_THAT(BranchRun(std::string(kBranchesOn) + "rp g 0 50\n").pads(), UnorderedElementsAre("v1", "vg", "rp"));
  const BranchRun leaky(std::string(kBranchesOn) + "rl g 0 200\n");
  EXPECT_THAT(leaky.pads(), UnorderedElementsAre("v1", "vg"));
  EXPECT_TRUE(std::ranges::any_of(leaky.report.findings, [](const Finding& f) { return f.code == "ground-leaks"; }));
  EXPECT_NEAR(leaky.report.certificate.current_imbalance_a, 0, 1e-12);
}

}  // namespace
}  // namespace gridiron
