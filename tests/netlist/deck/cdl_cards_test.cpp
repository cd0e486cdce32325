// SPDX-License-Identifier: Apache-2.0
// Cards of CDL that are comments to other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A deck with the head that auCdl writes.
std::string deck(const std::string& head, const std::string& cards = "") {
  return "* auCdl Netlist:\n" + head + ".subckt tile a\nr1 a VDD! 1\nr2 VSS! a 1\n.ends\n" + cards +
         "xi0 a / tile\nv1 VDD! 0 1\nv2 VSS! 0 0\n.end\n";
}

Circuit read(const std::string& text, Dialect dialect = Dialect::automatic) {
  return read_netlist_text(text, "deck.sp", {.dialect = dialect});
}

std::string error_of(const std::string& text, Dialect dialect = Dialect::automatic) {
  try {
    read(text, dialect);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

std::vector<std::string> nodes(const Circuit& circuit) {
  std::vector<std::string> names;
  for (NodeId n = 0; n < circuit.node_count(); ++n) names.push_back(std::string(circuit.node_name(n).view()));
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> warnings(const Circuit& circuit) {
  std::vector<std::string> all;
  for (const ReadFinding& f : circuit.findings)
    if (f.is_warning) all.push_back(f.place + " " + f.code + ": " + f.message);
  return all;
}

TEST(CdlCards, GlobalMakesNodesGlobal) {
  for (const std::string head : {
           "*.GLOBAL VDD! VSS!\n",
           "*.global VDD!:P VSS!:G\n",
           "*.GLOBAL VDD!, VSS!\n",
           "*.GLOBAL VSS!\n+        VDD!\n",
           "*.GLOBAL VSS!\n+VDD!\n",
           "*.GLOBAL VSS!:G\n*+ VDD!:P\n",
           "*.GLOBAL VSS!\n* a comment\n\n+ VDD!\n",
           "*.GLOBAL VSS!\n*.GLOBAL VDD!\n",
           "r9 VDD! a 1G\n*.GLOBAL VSS!\n+ VDD!\n",
           "*.EQUATION\n*.SCALE METER\n*.MEGA\n.PARAM\n\n*.GLOBAL VSS!\n+        VDD!\n\n*.PIN VSS!\n*+    VDD!\n",
       })
    for (const Dialect dialect : {Dialect::automatic, Dialect::cdl}) {
      const Circuit circuit = read(deck(head), dialect);
      EXPECT_THAT(nodes(circuit), ElementsAre("0", "VDD!", "VSS!", "a")) << head;
      EXPECT_THAT(warnings(circuit), IsEmpty()) << head;
    }
}

TEST(CdlCards, AreCommentsToOtherPrograms) {
  for (const Dialect dialect : {Dialect::ngspice, Dialect::hspice, Dialect::pspice, Dialect::ltspice}) {
    EXPECT_THAT(nodes(read(deck("*.GLOBAL VDD! VSS!\n"), dialect)),
                ElementsAre("0", "VDD!", "VSS!", "a", "xi0.VDD!", "xi0.VSS!"));
    EXPECT_EQ(read("* t\n*.connect a b\n*.mega\nr1 a 0 1m\n.end\n", dialect).resistors.size(), 1);
    EXPECT_EQ(read("* t\nr1 a 0 5\n*.GLOBAL VDD!\n+ m=2\n+ m=3\nr2 a 0 1\n.end\n", dialect).resistors.value,
              (std::vector<double>{5, 1}));
  }
}

TEST(CdlCards, OtherContinuedCommentsBelongToNoCard) {
  for (const std::string word :
       {"BIPOLAR", "CAPA", "CAPAREA", "CAPVAL", "DIOAREA", "DIODE", "DIOPERI", "EQUATION", "LDD", "MEGA", "PIN",
        "PININFO", "RESI = 2000", "RESSIZE", "RESVAL", "REVERSE", "SCALE"}) {
    const Circuit circuit = read(deck("*." + word + "\n", "r3 a b 5\n*." + word + "\n+ m=2 a:I\n"));
    EXPECT_EQ(circuit.resistors.value[0], 5) << word;
    EXPECT_THAT(circuit.ledger.count(Fate::harmless), 2) << word;
    ASSERT_FALSE(circuit.findings.empty()) << word;
    EXPECT_EQ(circuit.findings[0].code, "dialect") << word;
  }
}

TEST(CdlCards, WhatIsNoCardOfCdlIsAComment) {
  const Circuit circuit = read("* t\nr1 a 0 1\n*.global2 a\n*.parameter x=1\n*.pins a\n+ m=2\n.end\n");
  EXPECT_EQ(circuit.resistors.value[0], 0.5);
  EXPECT_THAT(circuit.findings, IsEmpty());
}

TEST(CdlCards, ConnectMakesOneNodeOfTwo) {
  const Circuit circuit = read("* t\nr1 a 0 1\nr2 b 0 1\n*.CONNECT a b\n.end\n");
  EXPECT_THAT(circuit.resistors.value, ElementsAre(1, 1, 0));
  EXPECT_THAT(error_of("* t\nr1 a 0 1\n*.CONNECT a b\n+ c\n.end\n"),
              HasSubstr("3:1: *.CONNECT joins two nodes, got 3"));
  EXPECT_THAT(error_of("* t\nr1 a 0 1\n*.CONNECT a=b\n.end\n"), HasSubstr("3:12: expected the end of the card"));
}

TEST(CdlCards, WhatIsNotCarriedOutIsTold) {
  EXPECT_THAT(warnings(read(deck("*.EQUIV VDD=VDD!\n*.GLOBAL VDD!\n*.SCALE MICRON\n"))),
              ElementsAre(HasSubstr("deck.sp:2:1 not-carried-out: *.equiv"),
                          HasSubstr("deck.sp:4:1 not-carried-out: *.scale micron")));
  EXPECT_THAT(warnings(read(deck("*.SCALE METER\n"))), IsEmpty());
}

TEST(CdlCards, MegaRefusesNumbersWithM) {
  const std::string kNumbers[] = {"r3 a b 1m",     "r3 a b 1M",     "r3 a b\n+ 2.5Mohm",       "r3 a b {2*1e-3*.5m}",
                                  "i1 a b dc=1mA", "e1 a b 5 3 2M", "g1 a b POLY(1) c d 0 2M", "v1 a 0 pwl(0 0 1n 5m)",
                                  ".param p=5M",   ".param p 5m",   "x9 a b q\n+ p=1M"};
  for (const std::string& number : kNumbers)
    EXPECT_THAT(error_of(deck("*.MEGA\n", number + "\n")), HasSubstr("M behind a number is mega to CDL")) << number;
  EXPECT_THAT(error_of(deck("*.MEGA\n", "r3 a b 1m\n")), HasSubstr("deck.sp:7:8: M behind"));
  EXPECT_THAT(error_of(deck("*.MEGA\n", "r3 a b 1m\n")), HasSubstr("as deck.sp:2:1 has"));
  for (const char* const other :
       {"r3 a b 1MEG", "r3 a m1 5 m=2", "r3 n1m_2 b 5 ; 1m", "r3 a b 5 $ 1m", "* 1m", "r3 5M 3m 7", "r3 5M\n+ 3m 7",
        ".subckt q 5M\nr1 5M 0 1\n.ends\nx9 4m q", ".global 5M", "*.PIN a\n+ 5M", ".print v(5M)", "e1 5M 0 3m 0 2",
        "g1 5M 0 POLY(1) 3m 0 0 2", "*.CONNECT 5M b"})
    EXPECT_EQ(error_of(deck("*.MEGA\n", std::string(other) + "\n")), "no error") << other;
}

TEST(CdlCards, APlainParamIsHarmless) {
  for (const std::string card : {".PARAM\n", ".PARAM\n\n", ".param\n\n+ x=2\n", ".PARAM $ none\n"})
    EXPECT_EQ(error_of("* t\n" + card + "r1 a 0 1\n.end\n"), "no error") << card;
  EXPECT_EQ(read("* t\n.PARAM\n\n+ x=2\nr1 a 0 x\n.end\n").resistors.value[0], 2);
  EXPECT_THAT(error_of("* t\n.param x\nr1 a 0 1\n.end\n"), HasSubstr("2:9: expected '='"));
}

TEST(CdlCards, MultipliersBehindAnnotationsAreRefused) {
  for (const char* card : {"r3 a 0 1k $[rm1] M=2", "c3 a 0 1p $[mim] $SUB=0 w=3u m = 4", "xi1 a / tile $L=1 m=2"})
    EXPECT_THAT(error_of(deck("", std::string(card) + "\n"), Dialect::cdl), HasSubstr("M= behind annotations")) << card;
  for (const char* card : {"r3 a 0 1k M=2 $[rm1]", "r3 a 0 1k $[rm1]\n+ M=2", "xi1 a / tile $PINS M=a", "* $[x] m=2",
                           "r3 a 0 1k $[rm1] w=1u mult=2", "r3 a 0 1k ; $[x] m=2"})
    EXPECT_EQ(error_of(deck("", std::string(card) + "\n"), Dialect::cdl), "no error") << card;
  EXPECT_EQ(error_of("* t\nv1 a 0 1\nr3 a 0 1k $ both of m=2\n.end\n", Dialect::hspice), "no error");
}

}  // namespace
}  // namespace gridiron
