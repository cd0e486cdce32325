// SPDX-License-Identifier: Apache-2.0
// Directives other than those that build the circuit: accepted, told once per kind, or refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Circuit circuit(const std::string& cards, bool lenient = false) {
  const bool ends = cards.find(".end\n") != std::string::npos;
  return read_netlist_text("* t\nr1 a 0 1\n" + cards + (ends ? "" : ".end\n"), "deck.sp", {.lenient = lenient});
}

std::string error_of(const std::string& cards, bool lenient = false) {
  try {
    circuit(cards, lenient);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Directives, WithoutEffectOnTheOperatingPointAreAccepted) {
  const Circuit c = circuit(
      ".op\n.save v(a)\n.probe v(a) i(r1)\n.plot op v(a)\n.width out=80\n.title chip\n.nodeset v(a)=1 v(b)={x}\n"
      ".option post list\n.model d1 d (is=1f)\n.tran 1n 10n uic\n.print op v(a)\n");
  EXPECT_EQ(c.element_count(), 1);
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(Directives, ThatAskForMoreAreToldOncePerKind) {
  const Circuit c = circuit(
      ".ic v(a)=1\n.measure tran x max v(a)\n.meas op y find v(a)\n.MEASURE tran z\n+ min v(a)\n.four 1k v(a)\n"
      ".ac dec 10 1 1k\n.dc v1 0 1 0.1\n.noise v(a) v1 dec 10 1 1k\n.tf v(a) v1\n.sens v(a)\n.disto dec 10 1 1k\n"
      ".pz a 0 b 0 vol pz\n");
  std::vector<std::string> told;
  for (const ReadFinding& f : c.findings) {
    EXPECT_TRUE(f.is_warning);
    EXPECT_EQ(f.code, "not-carried-out");
    told.push_back(f.message.substr(0, f.message.find(' ')));
  }
  EXPECT_THAT(
      told, ElementsAre(".ic", ".measure", ".meas", ".four", ".ac", ".dc", ".noise", ".tf", ".sens", ".disto", ".pz"));
  EXPECT_EQ(c.findings[1].place, "deck.sp:4:1");
  EXPECT_THAT(c.findings[1].message, HasSubstr("(2 cards)"));
}

TEST(Directives, ThatChangeTheAnswerAreRefusedByName) {
  EXPECT_THAT(error_of(".alter fast\nr1 a 0 2\n"),
              HasSubstr("deck.sp:3:1: .alter is not supported: it asks for several"));
  EXPECT_THAT(error_of(".data d r\n1\n2\n.enddata\n"), HasSubstr("deck.sp:3:1: .data is not supported"));
  EXPECT_THAT(error_of(".step param r 1 2 1\n"), HasSubstr("deck.sp:3:1: .step is not supported"));
  EXPECT_THAT(error_of(".connect a\n"), HasSubstr("deck.sp:3:1: .connect joins two nodes, got 1"));
  EXPECT_THAT(error_of(".eom\n"), HasSubstr("deck.sp:3:1: .ends without .subckt"));
  EXPECT_THAT(error_of(".frobnicate a b\n"), HasSubstr("deck.sp:3:1: unknown card '.frobnicate'"));
}

TEST(Directives, AMacroIsASubcircuit) {
  const Circuit c = circuit(".macro s a\nr2 a 0 7\n.eom s\nr3 a 0 3\nx1 a s\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(1, 3, 7));
}

TEST(Directives, ConnectJoinsTwoNodes) {
  const Circuit c = circuit(".connect a b\nr2 b 0 2\n.subckt s p\n.connect p q\nr3 q 0 3\n.ends\nx1 b s\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(1, 0, 2, 0, 3));
  EXPECT_EQ(c.card_name(kResistor, 1), ".connect");
}

/// What only one program writes and what changes nothing.
TEST(Directives, OfOneProgramAreHarmless) {
  const Circuit c = circuit(
      ".backanno\n.prot\nr2 a 0 2\n.unprot\n.watch v(a)\n.savebias f\n.aliases\nr_r1 r1(1=a 2=0)\n_ _(x=y)\n"
      ".endaliases\nr3 a 0 3\n.csparam x=1\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(1, 2, 3));
}

TEST(Directives, ControlBlocksAreSkipped) {
  const std::string body =
      "run\nlet x = 1\nr2 a 0 1\nprint v(a)\n+ oops\nalter r1 = 5\n * dbu: 7\n.print v(q)\nq1 a b\n";
  const std::string two = ".control\n" + body + ".endc\nr3 a 0 3\n.CONTROL\n" + body + " .EndC\nr4 a 0 4\n.end\n";
  const std::string open = ".control\n" + body + ".end\n";
  for (const bool lenient : {false, true}) {
    const Circuit c = circuit(two, lenient);
    EXPECT_THAT(c.resistors.value, ElementsAre(1, 3, 4));
    EXPECT_EQ(c.skipped_cards, 0);
    EXPECT_THAT(c.print_nodes, IsEmpty());
    ASSERT_EQ(c.findings.size(), 1u);
    EXPECT_EQ(c.findings[0].place, "deck.sp:3:1");
    EXPECT_THAT(c.findings[0].message, HasSubstr(".control is not carried out (2 cards)"));
    EXPECT_THAT(error_of(open, lenient), HasSubstr("deck.sp:3:1: .control has no .endc"));
  }
}

TEST(Directives, LenientSkipsWholeBlocks) {
  EXPECT_THAT(circuit(".alter a\nr1 a 0 5\n.alter b\nr1 a 0 6\n.end\nr8 a 0 8\n", true).resistors.value,
              ElementsAre(1));
  EXPECT_THAT(circuit(".alter a\nr1 a 0 5\n", true).resistors.value, ElementsAre(1));
  EXPECT_THAT(circuit(".data d r1 r2\n1 2\nr9 a 0 1\n.enddata\nr8 a 0 8\n", true).resistors.value, ElementsAre(1, 8));
}

/// Chunks may divide a block anywhere.
TEST(Directives, BlocksAreSkippedAlikeByAnyNumberOfThreads) {
  std::string body, mesh;
  for (int i = 0; i < 100'000; ++i) body += "r" + std::to_string(i) + " a 0 1\nprint v(a)\n.end\n";
  for (int i = 0; i < 30'000; ++i) mesh += "r" + std::to_string(i) + " a 0 2\n";
  const std::string deck = mesh + ".control\n" + body + ".endc\n" + mesh + ".if (1)\n" + mesh + ".if (2)\n" + mesh +
                           ".endif\n" + mesh + ".endif\n" + mesh + ".alter\n" + body.substr(0, body.size() - 5);
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8}) {
    omp_set_num_threads(n);
    const Circuit c = circuit(deck, true);
    EXPECT_EQ(c.resistors.size(), 180'001) << n;
    EXPECT_EQ(c.findings.front().code, "after-end")
        << n << ": the first .end, in the block of .alter, is that of the deck";
    EXPECT_THAT(error_of(deck), HasSubstr("deck.sp:480009:1: .alter is not supported")) << n;
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace gridiron
