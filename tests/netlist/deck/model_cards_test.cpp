// SPDX-License-Identifier: Apache-2.0
// E, F, G, H and K cards: how they may be written, what they refer to, and which become simple elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

const std::string kGrid = "v1 a 0 1\nr1 a b 1\nr2 b c 1\nl1 b c 1n\nl2 a c 4n\n";

Circuit circuit(const std::string& cards) { return read_netlist_text("* t\n" + kGrid + cards, "deck.sp"); }

std::string error_of(const std::string& cards) {
  try {
    circuit(cards);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ModelCards, AreWrittenInManyWays) {
  const double kGain = 0.002;
  for (const char* cards : {"g1 b 0 a c 2m\n", "G1 B 0 A C 2mS\n", "g1 (b,0) (a,c) 2m\n", "g1 b 0 vccs a c 0.002\n",
                            "g1 b 0 poly(1) a c 0 2m\n", "g1 b 0 POLY 1 (a,c) (0 2m 0)\n", "g1 b 0 a c 1m M=2\n",
                            "g1 b 0 a c {half*4m}\n.param half=0.5\n", "g1 b 0 a c gm\n.param gm=2m\n",
                            "g1 b 0\n+ a c ; note\n+ 2m\n", "g1 b 0 poly(1) a c 0 1m m=2\n"}) {
    const Circuit c = circuit(cards);
    ASSERT_EQ(c.controlled_sources.size(), 1u) << cards;
    const ControlledSource& g = c.controlled_sources[0];
    EXPECT_EQ(g.kind, kCurrentSource) << cards;
    EXPECT_DOUBLE_EQ(g.controls.at(0).gain, kGain) << cards;
    EXPECT_EQ(g.constant, 0) << cards;
    EXPECT_EQ(c.node_name(g.a), "b") << cards;
    EXPECT_EQ(g.b, kGround) << cards;
    EXPECT_EQ(c.node_name(g.controls.at(0).a), "a") << cards;
    EXPECT_EQ(c.node_name(g.controls.at(0).b), "c") << cards;
    EXPECT_EQ(c.element_name(g), cards[0] == 'G' ? "G1" : "g1") << cards;
  }
  const Circuit c = circuit("e1 d 0 poly(1) b 0 0.5 3\nf1 b 0 v1 2\nh1 e 0 ccvs v1 5ohm\n");
  ASSERT_EQ(c.controlled_sources.size(), 3u);
  EXPECT_EQ(c.controlled_sources[0].kind, kVoltageSource);
  EXPECT_EQ(c.controlled_sources[0].constant, 0.5);
  EXPECT_EQ(c.controlled_sources[0].controls.at(0).gain, 3);
  EXPECT_EQ(c.controlled_sources[1].kind, kCurrentSource);
  EXPECT_EQ(c.controlled_sources[1].controls.at(0).source, 0);
  EXPECT_EQ(c.controlled_sources[2].kind, kVoltageSource);
  EXPECT_EQ(c.controlled_sources[2].controls.at(0).gain, 5);
}

TEST(ModelCards, ThatAreSimpleElementsBecomeThese) {
  const Circuit g = circuit("g1 b 0 b 0 0.5\ng2 b 0 0 b 0.25\ng3 b 0 b 0 0\ng4 b b a 0 1\n");
  EXPECT_TRUE(g.controlled_sources.empty());
  ASSERT_EQ(g.resistors.size(), 4);
  EXPECT_EQ(g.resistors.value[2], 2);
  EXPECT_EQ(g.element_name(kResistor, 2), "g1");
  EXPECT_EQ(g.resistors.value[3], -4) << "a current against its own voltage";
  const Circuit e =
      circuit("e1 d 0 value={1.5*2}\ne2 e 0 a a 7\ne3 f 0 poly(1) f 0 1 0.5\ng1 b 0 cur='1m'\nf1 b 0 v1 0\n");
  EXPECT_TRUE(e.controlled_sources.empty());
  EXPECT_THAT(e.voltage_sources.value, testing::ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(e.current_sources.value, testing::ElementsAre(0.001));
  EXPECT_EQ(e.current_sources.waveform.size(), 1u);
  EXPECT_EQ(circuit("e1 b 0 b 0 1\n").controlled_sources.size(), 1u) << "it says nothing of its voltage";
}

TEST(ModelCards, InsideOfInstancesMeanWhatIsThere) {
  const std::string cell =
      ".subckt cell p n w=1\nvs p q 0\nr9 q n 9\nf1 p n vs 0.5\nh1 z n vs 6\nrz z n 1\ng1 p n q n {w*1m}\n"
      "e1 y n p n 2\nry y n 1\nl3 p x 1n\nl4 x n 4n\nk1 l3 l4 0.5\n.ends\n";
  const Circuit c = circuit(cell + "x1 b 0 cell w=3\nx2 c 0 cell m=2\nf9 b 0 v.x1.vs 1\nf8 b 0 x2.vs 1\n");
  ASSERT_EQ(c.controlled_sources.size(), 10u);
  const auto source = [&](const std::string& name) -> const ControlledSource& {
    for (const ControlledSource& s : c.controlled_sources)
      if (c.element_name(s) == name) return s;
    throw std::runtime_error(name);
  };
  EXPECT_DOUBLE_EQ(source("x1.g1").controls.at(0).gain, 0.003);
  EXPECT_DOUBLE_EQ(source("x2.g1").controls.at(0).gain, 0.002) << "two in parallel";
  EXPECT_EQ(source("x2.f1").controls.at(0).gain, 0.5) << "the source has the current of both";
  EXPECT_EQ(source("x2.h1").controls.at(0).gain, 3) << "and each voltage is of one";
  EXPECT_EQ(source("x2.e1").controls.at(0).gain, 2);
  EXPECT_EQ(c.element_name(kVoltageSource, source("x2.f1").controls.at(0).source), "x2.vs");
  EXPECT_EQ(c.element_name(kVoltageSource, source("x1.f1").controls.at(0).source), "x1.vs");
  EXPECT_EQ(c.element_name(kVoltageSource, source("f9").controls.at(0).source), "x1.vs");
  EXPECT_EQ(c.element_name(kVoltageSource, source("f8").controls.at(0).source), "x2.vs");
  EXPECT_EQ(c.node_name(source("x1.g1").controls.at(0).a), "x1.q");
  ASSERT_EQ(c.couplings.size(), 2u);
  EXPECT_EQ(c.element_name(kInductor, c.couplings[1].b), "x2.l4");
}

TEST(ModelCards, CouplingsAreOfTwoInductorsOrMore) {
  EXPECT_EQ(circuit("k1 l1 l2 0.5\n").couplings.size(), 1u);
  EXPECT_EQ(circuit("K1 L2 L1 K=-0.5\n").couplings.at(0).k, -0.5);
  EXPECT_EQ(circuit("l3 a 0 1n\nkall l1 l2 l3 {k}\n.param k=0.3\n").couplings.size(), 3u);
  EXPECT_TRUE(circuit("k1 l1 l2 0\n").couplings.empty());
}

TEST(ModelCards, PolynomialsMayHaveSeveralControls) {
  const Circuit c = circuit(
      "e1 d 0 poly(2) a 0 b c 1 2 3 0 0\ng1 b 0 POLY(3) (a,0) (c,0) (b,0) 0 1m 0 2m m=2\nv2 a e 0\n"
      "f1 b 0 poly(2) v1 v2 0.5 2 3\nh1 e 0 POLY(2) v1 v2 0 4\ne2 f 0 poly(2) a 0 b 0 7\n");
  ASSERT_EQ(c.controlled_sources.size(), 4u);
  const auto is = [&](size_t k, double constant, std::vector<double> gains) {
    const ControlledSource& s = c.controlled_sources[k];
    EXPECT_DOUBLE_EQ(s.constant, constant) << k;
    ASSERT_EQ(s.controls.size(), gains.size()) << k;
    for (size_t i = 0; i < gains.size(); ++i) EXPECT_DOUBLE_EQ(s.controls[i].gain, gains[i]) << k << i;
  };
  is(0, 1, {2, 3});
  is(1, 0, {2e-3, 4e-3});
  is(2, 0.5, {2, 3});
  is(3, 0, {4});
  EXPECT_EQ(c.node_name(c.controlled_sources[0].controls[1].b), "c");
  EXPECT_EQ(c.node_name(c.controlled_sources[1].controls[1].a), "b");
  EXPECT_EQ(c.element_name(kVoltageSource, c.controlled_sources[2].controls[1].source), "v2");
  EXPECT_EQ(c.voltage_sources.value.back(), 7) << "e2 is constant";
}

TEST(ModelCards, ThatCannotBeReadAreRefusedByName) {
  struct Situation {
    const char *cards, *message;
  };
  for (const auto& [cards, message] : {
           Situation{"g1 b 0 a c\n", "deck.sp:7:11: expected a number or {expression} here"},
           {"g1 b 0 a c 1 2\n", "deck.sp:7:14: '2' is not read here; expected the end of the card or M="},
           {"e1 d 0 a c 1 max=2\n", "deck.sp:7:14: 'max' is not read here; expected the end of the card"},
           {"e1 d 0 a c 1 m=2\n", "deck.sp:7:14: 'm' is not read here"},
           {"g1 b 0 a c 1 m=0\n", "deck.sp:7:1: M is 0; it must be positive"},
           {"e1 d 0 table {v(a)} 1 2\n", "deck.sp:7:8: table is not read"},
           {"e1 d 0 laplace {v(a)} {1}\n", "deck.sp:7:8: laplace is not read"},
           {"g1 b 0 value={v(a,b)*2}\n", "value= of voltages and currents is not read"},
           {"g1 b 0 cur='-i(v1)'\n", "cur= of voltages and currents is not read"},
           {"e1 d 0 poly(2) a 0 b 0 0 1 1 2\n", "'e1' is not linear: coefficient 4 of its polynomial is not 0"},
           {"e1 d 0 poly(0) a 0\n", "deck.sp:7:12: expected the number of controls, as in POLY(2)"},
           {"e1 d 0 poly(x) a 0 1\n", "deck.sp:7:12: expected the number of controls"},
           {"e1 d 0 poly(1) a 0 2\n", "the only coefficient of 'e1' is its constant to ngspice and its gain to HSPICE"},
           {"e1 d 0 poly(1) a 0 0 1 2\n", "'e1' is not linear: the coefficient of power 2 is not 0"},
           {"f1 b 0 vx 1\n", "deck.sp:7:8: there is no voltage source 'vx'"},
           {"f1 b 0 r1 1\n", "deck.sp:7:8: there is no voltage source 'r1'"},
           {".subckt s p\nf1 p 0 v1 1\nr5 p 0 1\n.ends\nx1 b s\n",
            "deck.sp:8:8: there is no voltage source 'v1' in this subcircuit"},
           {"g1 b 0 a c nan\n", "nan"},
           {"k1 l1 l9 0.5\n", "deck.sp:7:7: there is no inductor 'l9'"},
           {"k1 l1 l1 0.5\n", "'l1' is coupled to itself"},
           {"k1 l1 l2 1.5\n", "deck.sp:7:1: the coefficient of 'k1' is 1.5; it must lie between -1 and 1"},
           {"k1 l1 0.5\n", "deck.sp:7:7: expected the name of an inductor here"},
           {"k1 l1 l2\n", "expected a number or {expression}"},
       })
    EXPECT_THAT(error_of(cards), HasSubstr(message)) << cards;
}

TEST(ModelCards, ATitleThatReadsLikeOneIsATitle) {
  for (const char* title : {"Full chip power grid 1", "Grid of two nets 5", "Kernel power grid 5",
                            "Hello chip vdd vss 7", "Eight layers of metal"}) {
    const Circuit c = read_netlist_text(std::string(title) + "\n" + kGrid + ".end\n");
    EXPECT_EQ(c.title, title);
    EXPECT_TRUE(c.controlled_sources.empty() && c.couplings.empty()) << title;
    EXPECT_EQ(c.ledger.count(Fate::used), 6) << title;
  }
  const Circuit c = read_netlist_text("g1 b 0 a 0 1\n" + kGrid + ".end\n");
  EXPECT_EQ(c.controlled_sources.size(), 1u) << "its nodes occur again";
}

TEST(ModelCards, AreCardsOfTheLedger) {
  const Circuit c = circuit("g1 b 0 a c 1\ne1 d 0 a c 1\nf1 b 0 v1 1\nh1 e 0 v1 1\nk1 l1 l2 0.5\n");
  for (const char* letter : {"E", "F", "G", "H", "K"}) {
    const auto row = std::ranges::find(c.ledger.files[0].rows, letter, &Ledger::Row::what);
    ASSERT_NE(row, c.ledger.files[0].rows.end()) << letter;
    EXPECT_EQ(row->count, 1);
    EXPECT_EQ(row->fate, Fate::used);
  }
}

}  // namespace
}  // namespace gridiron
