// SPDX-License-Identifier: Apache-2.0
// What one program writes and others do not: lines that end with backslashes, units with what a source is for, nodes
// that begin with '$', suffixes in place of a point, and parameters that refer to those around them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <string>
#include <variant>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Circuit circuit(const std::string& cards, Dialect dialect = Dialect::automatic) {
  return read_netlist_text("* t\n" + cards + ".end\n", "deck.sp", {.dialect = dialect});
}

std::string error_of(const std::string& cards, Dialect dialect = Dialect::automatic) {
  try {
    circuit(cards, dialect);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Spellings, BackslashesContinueALine) {
  for (const char* const cards :
       {"r1 a \\\\\n0 5\n", "r1 a 0 \\\\  \r\n5\n", "r1 \\\\\na \\\\\n0 \\\\\n5\n", "r1 a 0 2.5 \\\\\nm=0.5\n",
        "r1 a \\\\\n+ 0 5\n", ".param x='2 + \\\\\n3'\nr1 a 0 x\n",
        ".param x={2 \\\\\n+ 3} y=1\nr1 a 0 {x \\\\\n* y}\n", ".func f(x) {x \\\\\n+ 1}\nr1 a 0 {f(4)}\n",
        ".if (1 \\\\\n== 1)\nr1 a 0 5\n.else\nr1 a 0 6\n.endif\n", "x1 a \\\\\ns\n.subckt s \\\\\np\nr1 p 0 5\n.ends\n",
        ".control\necho \\\\\n.endc\nr1 a 0 5\n"})
    EXPECT_THAT(circuit(cards).resistors.value, ElementsAre(5)) << cards;
  const Circuit waves = circuit("r1 a 0 1\nv1 a 0 pwl(0 0 \\\\\n1n 2)\n");
  EXPECT_EQ(std::get<Pwl>(waves.waveforms.at(0)).points.size(), 2u);
  const Circuit names = circuit("r1 \\\\ a\\\\b 5\nr2 a\\\\b 0 6 $ c\\\\\n");
  EXPECT_EQ(names.node_name(names.resistors.a[0]).view(), "\\\\");
  EXPECT_EQ(names.node_name(names.resistors.b[0]).view(), "a\\\\b");
  EXPECT_THAT(error_of("r1 a 0 {1 \\\\\n+ }\n"), HasSubstr("deck.sp:2:9: expected a number, parameter or parenthesis"));
  EXPECT_EQ(error_of("r1 a 0 {1 \\\\\n+ }\n").find('\n'), std::string::npos);
}

TEST(Spellings, ExpressionsInBracketsMayHaveSeveralLines) {
  for (const char* const cards :
       {"r1 a 0 {2 +\n+ 3}\n", "r1 a 0 {2\n+ +3}\n", "r1 a 0 '2 +\r\n+3'\n", "r1 a 0 {max(1,\n* c }\n\n + 5)}\n",
        ".param p='2 +\n+ 3'\nr1 a 0 p\n", ".param p = {2 *\n+ 2 +\n+ 1} q=1\nr1 a 0 {p}\n",
        "x1 a s r={2 +\n+ 3}\n.subckt s p r=1\nr1 p 0 {r}\n.ends\n", "r1 a 0 r='2 +\n+ 3'\n"})
    EXPECT_THAT(circuit(cards).resistors.value, ElementsAre(5)) << cards;
  EXPECT_EQ(circuit("r1 a 0 1\nv1 a 0 {1m *\n+ 2}\n").voltage_sources.value.at(0), 0.002);
  for (const char* const cards :
       {"r1 a 0 {2 +\n3}\n", "r1 a 0 {2 +\nr2 a 0 1}\n", "r1 a 0 {2 +\n* c\n}\n", "r1 a 0 '2 +"})
    EXPECT_THAT(error_of(cards), HasSubstr("deck.sp:2:")) << cards;
  EXPECT_THAT(error_of("r1 a 0 {1 *\n+ (2 3)}\n"), HasSubstr("'1 *  (2 3)'"));
}

TEST(Spellings, BackslashesHoldTogetherWhatThreadsRead) {
  std::string cards;
  for (int i = 0; i < 60'000; ++i) cards += "r" + std::to_string(i) + " a \\\\\nb" + std::to_string(i) + " \\\\\n5\n";
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8}) {
    omp_set_num_threads(n);
    EXPECT_EQ(circuit(cards).resistors.size(), 60'000) << n;
  }
  omp_set_num_threads(threads);
}

/// Cards on a line of their own are read apart from those with a comment behind them.
TEST(Spellings, ValuesBehindTheirKeyAreReadAlike) {
  const auto outcome = [](const std::string& cards, Dialect dialect) {
    try {
      const Circuit read = circuit(".param x=3\n" + cards, dialect);
      std::string values;
      for (const Kind kind : {kResistor, kCapacitor, kInductor})
        for (const double value : read.elements(kind).value) values += fmt::format("{} ", value);
      return values;
    } catch (const InputError& e) {
      return std::string(e.what());
    }
  };
  for (const Dialect dialect :
       {Dialect::automatic, Dialect::ngspice, Dialect::hspice, Dialect::pspice, Dialect::ltspice, Dialect::cdl})
    for (const std::string letter : {"r", "c", "L"})
      for (const std::string value : {"1.5",        "1.5k",
                                      "-2",         "+2",
                                      ".5",         "2.",
                                      "1e-3",       "1e",
                                      "4k7",        "4k7u",
                                      "1M",         "1mil",
                                      "1Vdc",       "2ohm",
                                      "3F",         "2.5$w=3",
                                      "2.5$",       "2.5 $w=3",
                                      "2.5 m=2",    "2.5 \\\\\nm=2",
                                      "2.5\n+ m=2", "{2*x}",
                                      "'2*x'",      "'x'",
                                      "{4k7}",      "{2 \\\\\n* x}",
                                      "{2\n+ * x}", "{x",
                                      "{}",         "{x} {x}",
                                      "{x}2",       "x",
                                      "y",          " 1",
                                      "1 1",        "1.5.2",
                                      "1,2",        "{gauss(1,0.1,3)}",
                                      "1 r=1",      "0"}) {
        const std::string card = letter + "1 a 0 " + letter + "=" + value;
        EXPECT_EQ(outcome(card + "\n", dialect), outcome(card + " ; c\n", dialect)) << card;
      }
  EXPECT_THAT(circuit("r1 a 0 R=1.5k\nr2 a 0 r={2*3}\nr3 a 0 R='7'\n").resistors.value, ElementsAre(1500, 6, 7));
  EXPECT_THAT(circuit("r1 a 0 r=4k7\n", Dialect::ltspice).resistors.value, ElementsAre(4700));
  EXPECT_THAT(error_of("r1 a 0 r=4k7\n"), HasSubstr("deck.sp:2:"));
  EXPECT_THAT(circuit("c1 a 0 C=2p\n").capacitors.value, ElementsAre(2e-12));
  EXPECT_THAT(error_of("r1 a 0 c=1\n"), HasSubstr("got 'c='"));
}

TEST(Spellings, UnitsOfPspiceTellWhatASourceIsFor) {
  const Circuit c =
      circuit("v1 a 0 1Vdc\nv2 b 0 DC 2.5mVdc AC 1Vac\ni1 a 0 DC 3mAdc AC 0Aac\nr1 a b 1\n", Dialect::pspice);
  EXPECT_THAT(c.voltage_sources.value, ElementsAre(1, 2.5e-3));
  EXPECT_THAT(c.current_sources.value, ElementsAre(3e-3));
  EXPECT_THAT(error_of("v1 a 0 1Adc\n", Dialect::pspice), HasSubstr("is no unit of a voltage"));
  EXPECT_THAT(error_of("r1 a 0 {x}\n.param x=1Vdc\n", Dialect::pspice), HasSubstr("'x' is a voltage"));
  EXPECT_THAT(error_of("v1 a 0 1Vdc\n"), HasSubstr("'Vdc' is no unit of a voltage"));
}

TEST(Spellings, NodesOfPspiceBeginWithADollarSign) {
  const std::string cards =
      "v1 $N_0001 0 1\nr1 $N_0001 0 5 $ comment\nx1 $N_0001 s\n.subckt s p\nr2 p $G_VCC 6\nr3 $N_0001 p 7\n.ends\n"
      "r4 $G_vcc 0 8\n.print v($N_0001)\n";
  const Circuit c = circuit(cards, Dialect::pspice);
  EXPECT_THAT(c.resistors.value, ElementsAre(5, 8, 6, 7));
  EXPECT_EQ(c.node_name(c.voltage_sources.a[0]).view(), "$N_0001");
  EXPECT_EQ(c.resistors.a[1], c.resistors.b[2]) << "of everywhere";
  EXPECT_EQ(c.node_name(c.resistors.a[3]).view(), "x1.$N_0001");
  EXPECT_THAT(error_of(cards), HasSubstr("expected a node name here"));
  EXPECT_THAT(error_of("r1 a b 1\n.subckt s p OPTIONAL: vcc=$G_VCC PARAMS: r=2\n.ends\n", Dialect::pspice),
              HasSubstr("deck.sp:3:13: OPTIONAL: nodes are not read; make them ports"));
}

TEST(Spellings, SuffixesOfLtspiceStandForAPoint) {
  const Circuit c =
      circuit("r1 a 0 4k7\nr2 a 0 {2*1k5}\nr3 4k7 0 2Meg2\nc1 a 0 2u2\n.param p=0k33\nr5 a 0 p\n", Dialect::ltspice);
  EXPECT_THAT(c.resistors.value, ElementsAre(4.7e3, 3e3, 2.2e6, 330));
  EXPECT_THAT(c.capacitors.value, ElementsAre(2.2e-6));
  EXPECT_EQ(c.node_name(c.resistors.a[2]).view(), "4k7");
  EXPECT_THAT(circuit("r1 a 0 0k1\nr2 a 0 2k301\nr3 a 0 -0k5\nr4 a 0 1k00000000000000000001\nr5 a 0 "
                      "123456789012k3456\nr6 a 0 0k000000000000000000000000000005\n",
                      Dialect::ltspice)
                  .resistors.value,
              ElementsAre(100, 2301, -500, 1000, 123456789012.3456e3, 5e-30 * 1e3));
  EXPECT_THAT(error_of("r1 a 0 1.5k3\n", Dialect::ltspice), HasSubstr("'k3' is no suffix of a number"));
  EXPECT_THAT(error_of("r1 a 0 4.5k7\n", Dialect::ltspice), HasSubstr("'k7' is no suffix of a number"));
  for (const Dialect other : {Dialect::automatic, Dialect::ngspice, Dialect::hspice, Dialect::pspice})
    EXPECT_THAT(error_of("r1 a 0 4k7\n", other), HasSubstr("digits behind one, as in 4k7 for 4.7k, are LTspice's"));
}

/// As in ngspice.
TEST(Spellings, ParametersMayReferToThoseAroundOfTheirName) {
  const std::string around = ".param r=5\n";
  const auto cell = [](const std::string& header, const std::string& body = "") {
    return ".subckt s p " + header + "\n" + body + "r1 p 0 {r}\n.ends\nx1 a s";
  };
  EXPECT_THAT(circuit(around + cell("r={r}") + "\n").resistors.value, ElementsAre(5));
  EXPECT_THAT(circuit(around + cell("r={2*r}") + "\n").resistors.value, ElementsAre(10));
  EXPECT_THAT(circuit(around + cell("", ".param r={2*r}\n") + "\n").resistors.value, ElementsAre(10));
  EXPECT_THAT(circuit(around + cell("r={2*r}") + " r={r*3}\n").resistors.value, ElementsAre(15));
  EXPECT_THAT(circuit(around + cell("q=1 r={r*q}") + " q=3\n").resistors.value, ElementsAre(15));
  EXPECT_THAT(error_of(cell("r={r}") + "\n"), HasSubstr("deck.sp:2:16: parameter 'r' depends on itself"));
  EXPECT_THAT(error_of(".param r={r}\nr1 a 0 r\n"), HasSubstr("parameter 'r' depends on itself"));
  EXPECT_THAT(error_of(around + cell("q={r} r={q}") + "\n"), HasSubstr("depends on itself"));
  EXPECT_THAT(error_of(".param r=5V\n" + cell("r={r}") + "\n"), HasSubstr("parameter 'r' is a voltage"));
}

}  // namespace
}  // namespace gridiron
