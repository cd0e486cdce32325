// SPDX-License-Identifier: Apache-2.0
// Cards, continuation, comments, parameters, subcircuits, includes: text in, Circuit out.
#include "netlist/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <filesystem>
#include <fstream>

#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read_netlist_text(text, "deck.sp", options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Reader, ReadsEveryElementKind) {
  const Circuit c =
      read_netlist_text("* title\nr1 a b 1.5k\nC2 b 0 10f\nl3 b c 2n\nV4 a 0 1.8\ni5 c 0 1m\n.op\n.end\n");
  EXPECT_EQ(c.node_count(), 4);
  EXPECT_THAT(c.resistors.value, ElementsAre(1500.0));
  EXPECT_THAT(c.capacitors.value, ElementsAre(10e-15));
  EXPECT_THAT(c.inductors.value, ElementsAre(2e-9));
  EXPECT_THAT(c.voltage_sources.value, ElementsAre(1.8));
  EXPECT_THAT(c.current_sources.value, ElementsAre(1e-3));
  EXPECT_EQ(c.node_name(c.resistors.b[0]), "b");
  EXPECT_EQ(c.element_name(kCapacitor, 0), "C2");
  EXPECT_EQ(c.place(c.capacitors.origin[0]), "<text>:3:1");
}

TEST(Reader, NumbersCarryScaleSuffixesAndIgnoreUnits) {
  const Circuit c = read_netlist_text(
      "r1 a 0 1.5MEGohm\nr2 a 0 2m\nr3 a 0 3Ohm\nr4 a 0 4e-3k\nr5 a 0 .5\nr6 a 0 +7\nr7 a 0 R=8\nr8 a 0 1u\nr9 a 0 "
      "1mil\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(1.5e6, 2e-3, 3.0, 4.0, 0.5, 7.0, 8.0, 1e-6, 25.4e-6));
}

TEST(Reader, ContinuationLinesSkipCommentsAndEmptyLines) {
  const Circuit c = read_netlist_text("r1 a\n+ b\n* between\n\n  + 5\nr2 b 0 ; comment\n+6 $ more\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(5.0, 6.0));
  EXPECT_EQ(c.node_name(c.resistors.b[0]), "b");
}

/// Plain cards are not read by the grammar where a newline ends the deck.
TEST(Reader, PlainCardsReadLikeAllOthers) {
  const std::string cards =
      "* t\nr1 a b 1\nr2 b c 2 ; rest\nr3 c d 3$ rest\nr4\td  e\t4k \r\nr5 e f\n+ 5\nr6 f g 6\n* between\n+ tc=0\n"
      "r7 g $h 7\n+ h 7\nr8 h a\n\n+8\nv1 a 0 1.8\nv2 b gnd dc 2\ni1 c 0 3m\ni2 GND c 4m m=2\nc1 B 0 1f\nl1 C b 1n\n"
      "r9 A a 9\nr10 a a2 10Ohm\nr11 a2 a3 1e1";
  const Circuit whole = read_netlist_text(cards + "\n"), cut = read_netlist_text(cards);
  EXPECT_THAT(whole.resistors.value, ElementsAre(1, 2, 3, 4e3, 5, 6, 7, 8, 9, 10, 10));
  for (int k = 0; k < kKinds; ++k) {
    const Elements &a = whole.elements(static_cast<Kind>(k)), &b = cut.elements(static_cast<Kind>(k));
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.b, b.b);
    EXPECT_EQ(a.value, b.value);
  }
  EXPECT_EQ(whole.voltage_sources.waveform, cut.voltage_sources.waveform);
  EXPECT_EQ(whole.current_sources.waveform, cut.current_sources.waveform);
  ASSERT_EQ(whole.nodes.size(), cut.nodes.size());
  for (NodeId n = 0; n < whole.nodes.size(); ++n) EXPECT_EQ(whole.node_name(n), cut.node_name(n));
  for (const char* bad : {"r1 a b 1.2.3", "r1 a b 1,2", "r1 a b (1)", "r1 a b=1 2", "r1 a {b} 1"})
    EXPECT_EQ(error_of("* t\n" + std::string(bad) + "\n"), error_of("* t\n" + std::string(bad))) << bad;
}

TEST(Reader, NamesIgnoreCaseAndKeepTheirFirstSpelling) {
  const Circuit c = read_netlist_text("R1 VDD a 1\nr2 vdd A 1\nv1 Vdd GND 1\n");
  EXPECT_EQ(c.node_count(), 3);
  EXPECT_EQ(c.node_name(1), "VDD");
  EXPECT_EQ(c.voltage_sources.b[0], kGround);
}

TEST(Reader, FirstLineIsATitleUnlessItIsACard) {
  EXPECT_EQ(read_netlist_text("Power grid of chip 7\nr1 a 0 1\n").title, "Power grid of chip 7");
  EXPECT_EQ(read_netlist_text("r1 a 0 1\nr2 a 0 1\n").resistors.size(), 2);
  EXPECT_EQ(read_netlist_text("r1 a 0\n+ 1\nr2 a 0 1\n").resistors.size(), 2);
}

TEST(Reader, SourcesTakeDcAcAndWaveforms) {
  const Circuit c = read_netlist_text(
      "v1 a 0 DC 1\nv2 a 0 DC=2\nv3 a 0 3 AC 1 0\nv4 a 0\ni1 a 0 1m pulse(1m, 2m, 0, 1n, 1n, 2n, 10n)\ni2 a 0 PULSE(5m "
      "2m)\n"
      "i3 a 0 PWL(0 1 1n 2 2n 3)\ni4 a 0 SIN 1 2 1k\ni5 a 0 exp (1 2 3n 4n)\n");
  EXPECT_THAT(c.voltage_sources.value, ElementsAre(1.0, 2.0, 3.0, 0.0));
  EXPECT_THAT(c.current_sources.value, ElementsAre(1e-3, 5e-3, 1.0, 1.0, 1.0));
  const auto& pulse = std::get<Pulse>(c.waveforms[c.current_sources.waveform[0]]);
  EXPECT_EQ(pulse.pulsed, 2e-3);
  EXPECT_EQ(pulse.period, 10e-9);
  EXPECT_EQ(std::get<Pwl>(c.waveforms[2]).points.size(), 3u);
  EXPECT_EQ(std::get<Sin>(c.waveforms[3]).frequency, 1e3);
  EXPECT_EQ(std::get<Exp>(c.waveforms[4]).rise_tau, 4e-9);
  EXPECT_EQ(c.voltage_sources.waveform[0], -1);
}

TEST(Reader, ParametersMayBeUsedBeforeTheyAreDefined) {
  const Circuit c =
      read_netlist_text("r1 a 0 {2*w + l}\nr2 a 0 'min(w, 1k) ** 2'\n.param w=3 l={w*w}\n.param m=w+l\nr3 a 0 {m}\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(15.0, 9.0, 12.0));
}

TEST(Reader, SubcircuitsAreFlattenedWithPortsGlobalsAndParameters) {
  const Circuit c = read_netlist_text(
      ".global vdd\n.subckt cell in out w=1\nr1 in mid {w}\nr2 mid out {2*w}\nr3 mid VDD 9\nx1 mid 0 leaf\n.ends\n"
      ".subckt leaf a b\nr1 a b 4\n.ends\nx1 p q cell w=5\nx2 q 0 cell\nv1 p 0 1\nv2 vdd 0 1\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(5, 10, 9, 4, 1, 2, 9, 4));
  EXPECT_EQ(c.element_name(kResistor, 0), "x1.r1");
  EXPECT_EQ(c.element_name(kResistor, 3), "x1.x1.r1");
  EXPECT_EQ(c.element_name(kResistor, 4), "x2.r1");
  EXPECT_GE(c.nodes.find("x2.mid"), 0);
  EXPECT_LT(c.nodes.find("mid"), 0) << "names inside a definition are no nodes of the circuit";
  EXPECT_EQ(c.resistors.b[2], c.nodes.find("vdd"));
  EXPECT_EQ(c.resistors.b[7], kGround);
}

TEST(Reader, ParametersMayStandBehindAKeyword) {
  const Circuit c = read_netlist_text(
      ".subckt cell in PARAMS: w=1\nr1 in 0 {w}\n.ends\nx1 p cell params: w=5\nx2 p cell\nx3 p cell Params:\n"
      "v1 p 0 1\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(5, 1, 1));
}

TEST(Reader, CommentCardsOfTheBenchmarksAreUnderstood) {
  const Circuit c = read_netlist_text(
      "* Netlist for VSS on default\n* layer: M5,VDD net: 1\n* nominal: VDD 1.1\n* dbu: 2000\nr1 a 0 1\n");
  ASSERT_EQ(c.layer_cards.size(), 1u);
  EXPECT_EQ(c.layer_cards[0].number, 1);
  EXPECT_EQ(c.layer_cards[0].layer, "M5");
  EXPECT_EQ(c.layer_cards[0].net, "VDD");
  ASSERT_EQ(c.net_cards.size(), 1u);
  EXPECT_EQ(c.net_cards[0].net, "VSS");
  EXPECT_EQ(c.dbu_card, 2000);
  EXPECT_EQ(c.nominal_cards[0].volts, 1.1);
}

TEST(Reader, ControlCards) {
  const Circuit c = read_netlist_text(
      "r1 a 0 1\n.option numdgt=6\n.opti nopage acct plotwinsize=0 advconv stepgmin\n.width out=512\n.SAVE TYPE=IC "
      "FILE=x.ic\n.tran 10p 10n\n.print "
      "tran v(a) V( b )\n.end\nthis is never read\n");
  EXPECT_EQ(c.tran.step, 1e-11);
  EXPECT_THAT(c.print_nodes, ElementsAre("a", "b"));
  EXPECT_TRUE(c.tran_findings.empty());
  for (const ReadFinding& f : c.findings) EXPECT_NE(f.code, "option-ignored") << f.message;
}

TEST(Reader, WhatPrintCardsAskForBesidesVoltagesOfNodesIsTold) {
  const Circuit c = read_netlist_text(
      "* t\nr1 a 0 1\n.print tran v(a,b) i(v1) v(a) ; v(c)\n+ vdb( a ) V ( b )\n.print v(d)\n.tran 1n 2n\n.tran 1n "
      "3n\n.end\n",
      "deck.sp");
  EXPECT_THAT(c.print_nodes, ElementsAre("a", "b", "d"));
  ASSERT_EQ(c.print_origins.size(), 3u);
  EXPECT_EQ(c.place(c.print_origins[1]), "deck.sp:4:16");
  std::vector<std::string> codes;
  for (const ReadFinding& finding : c.tran_findings) codes.push_back(finding.code + " " + finding.place);
  EXPECT_THAT(codes, ElementsAre("tran-replaced deck.sp:7:1", "not-printed deck.sp:3:13", "not-printed deck.sp:3:20",
                                 "not-printed deck.sp:4:3"));
  EXPECT_THAT(c.tran_findings[1].message, testing::HasSubstr(".print of v(a,b): only V(node)"));
  EXPECT_THAT(c.tran_findings[0].message, testing::HasSubstr("replaces the one at deck.sp:6:1"));
  EXPECT_EQ(c.tran.stop, 3e-9);
}

TEST(Reader, ErrorsTellPlaceProblemAndRemedy) {
  EXPECT_THAT(error_of("* t\nr1 a b\n"), HasSubstr("deck.sp:2:7: expected a number or {expression} here"));
  EXPECT_THAT(error_of("* t\n\nq1 a b c\n"), HasSubstr("deck.sp:3:1: unknown card 'q1'"));
  EXPECT_THAT(error_of("* t\nr1 a b 1 2\n"), HasSubstr("deck.sp:2:10: expected the end of the card"));
  EXPECT_THAT(error_of("* t\nr1 a b 1.2.3\n"), HasSubstr("deck.sp:2:8:"));
  EXPECT_THAT(error_of("* t\nr1 a b {w}\n"), HasSubstr("unknown parameter 'w'"));
  EXPECT_THAT(error_of("* t\n.param a={b} b={a}\nr1 a 0 {a}\n"), HasSubstr("depends on itself"));
  EXPECT_THAT(error_of("* t\n.subckt s a\nr1 a 0 1\n"), HasSubstr(".subckt s has no .ends"));
  EXPECT_THAT(error_of("* t\n.subckt s a\nx1 a s\n.ends\nx1 p s\n"), HasSubstr("contain itself"));
  EXPECT_THAT(error_of("* t\nx1 a b nothing\n"), HasSubstr("unknown subcircuit 'nothing'"));
  EXPECT_THAT(error_of("* t\nr1 a 0 nan\n"), HasSubstr("expected a number"));
  EXPECT_THAT(error_of("* t\nr1 a 0 1e999\n"), HasSubstr("beyond what a double holds"));
  EXPECT_THAT(error_of(""), HasSubstr("no elements"));
  EXPECT_THAT(error_of("* t\n.include missing.sp\n"), HasSubstr("deck.sp:2:1: cannot include: missing.sp"));
}

TEST(Reader, LenientSkipsAndCounts) {
  const Circuit c =
      read_netlist_text("* t\nq1 a b c\nr1 a 0 1\nm1 d g s b nmos\n+ w=1\n.connect x\n", "deck.sp", {.lenient = true});
  EXPECT_EQ(c.resistors.size(), 1);
  EXPECT_EQ(c.skipped_cards, 3);
  EXPECT_THAT(c.findings[0].message, HasSubstr("card skipped"));
  EXPECT_EQ(c.findings[0].place, "deck.sp:2:1");
}

/// A folder that is removed after the test.
class Files : public testing::Test {
 protected:
  Files() : folder_(test::temporary("reader")) { std::filesystem::create_directories(folder_); }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST_F(Files, IncludesAreRelativeToTheIncludingFile) {
  write("sub/inner.sp", "r2 b 0 2\n.end\n");
  write("sub/outer.sp", ".include 'inner.sp'\nr3 b 0 3\n");
  write("models.lib", ".lib slow\nr4 a 0 4\n.endl\n.lib fast\nr5 a 0 5\n.endl\n");
  const std::string deck = write("deck.sp", "* t\nr1 a b 1\n.inc \"sub/outer.sp\"\n.lib models.lib fast\nv1 a 0 1\n");
  const Circuit c = read_netlist(deck);
  EXPECT_THAT(c.resistors.value, ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(c.place(c.resistors.origin[1]), HasSubstr("inner.sp:1:1"));
}

TEST_F(Files, SeveralContinueEachOther) {
  const std::string a = write("a.sp", "a title\nr1 a 0 1\n"), b = write("b.sp", "r2 a b 2\n.include inner.sp\n"),
                    c = write("c.sp", "r3 b 0 3\n.end\nr4 b 0 4\n"), d = write("d.sp", "r5 b\n"),
                    e = write("e.sp", "r7 b 0 7\n.end\n");
  write("inner.sp", "r6 b c 6\n");
  const Circuit circuit = read_netlist_files({a, b, c, e});
  EXPECT_EQ(circuit.title, "a title");
  EXPECT_THAT(circuit.resistors.value, ElementsAre(1, 2, 6, 3, 7));
  EXPECT_EQ(circuit.place(circuit.resistors.origin[3]), c + ":1:1");
  ASSERT_EQ(circuit.findings.size(), 2u);
  EXPECT_EQ(circuit.findings[0].code, "after-end");
  EXPECT_EQ(circuit.findings[0].place, c + ":3:1");
  EXPECT_EQ(circuit.findings[1].code, "no-end");
  EXPECT_EQ(circuit.findings[1].place, a + ":2:1");
  try {
    read_netlist_files({a, b, d, c});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(d + ":1:"));
  }
  const Circuit open = read_netlist_files({a, b});
  ASSERT_EQ(open.findings.size(), 1u);
  EXPECT_EQ(open.findings[0].place, b + ":2:1") << "the last file has no .end";
}

TEST_F(Files, IncludeCyclesAreNamed) {
  write("b.sp", ".include a.sp\n");
  const std::string a = write("a.sp", "* t\n.include b.sp\n");
  EXPECT_THROW(
      {
        try {
          read_netlist(a);
        } catch (const InputError& e) {
          EXPECT_THAT(e.what(), HasSubstr("includes itself"));
          throw;
        }
      },
      InputError);
}

TEST_F(Files, MissingFilesAndFoldersAreRefused) {
  EXPECT_THROW(read_netlist((folder_ / "none.sp").string()), InputError);
  EXPECT_THROW(read_netlist(folder_.string()), InputError);
}

/// Ids, columns and errors do not depend on how the text is split among threads.
TEST(Reader, ThreadsDoNotChangeTheCircuit) {
  std::string text = "* many cards\n";
  for (int i = 0; i < 60000; ++i)
    text += "r" + std::to_string(i) + " n1_" + std::to_string(i * 7919 % 50021) + "_0\n+ N1_" + std::to_string(i) +
            "_0 " + std::to_string(i % 17 + 1) + "\n";
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Circuit one = read_netlist_text(text);
  for (const int n : {2, 3, 8}) {
    omp_set_num_threads(n);
    const Circuit many = read_netlist_text(text);
    ASSERT_EQ(many.node_count(), one.node_count());
    for (NodeId id = 0; id < one.node_count(); ++id) ASSERT_EQ(many.node_name(id), one.node_name(id));
    EXPECT_EQ(many.resistors.a, one.resistors.a);
    EXPECT_EQ(many.resistors.b, one.resistors.b);
    EXPECT_EQ(many.resistors.value, one.resistors.value);
    EXPECT_EQ(many.place(many.resistors.origin[59999]), one.place(one.resistors.origin[59999]));
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace gridiron
