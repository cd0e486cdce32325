// SPDX-License-Identifier: Apache-2.0
// Temperature, models of resistors, and multipliers: what becomes of the value of an element, as in ngspice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& cards) {
  try {
    read_netlist_text("* t\n" + cards, "deck.sp");
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

Circuit circuit(const std::string& cards) { return read_netlist_text("* t\n" + cards); }
double resistance(const std::string& cards) { return circuit(cards).resistors.value.at(0); }
constexpr double kClose = 1e-9;

TEST(Temperature, CoefficientsApplyToTheDifferenceFromTnom) {
  EXPECT_NEAR(resistance("r1 a b 1k TC=0.004\n.option temp=125\n"), 1392, kClose);  // 1000 (1 + 0.004 · 98)
  EXPECT_NEAR(resistance("r1 a b 1k tc=0.004,1e-5\n.temp 125\n"), 1488.04, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tc=0.004 1e-5\n.temp 125\n"), 1488.04, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tc1=4m tc2=10u\n.temp 125\n"), 1488.04, kClose);
  EXPECT_NEAR(resistance("r1 a b r=1k tc1=4m\n.options reltol=1e-4, temp=50 tnom=0 post\n"), 1200, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tce=0.1\n.temp 125\n"), 1000 * std::pow(1.01, 9.8), kClose);
  EXPECT_EQ(resistance("r1 a b 1k tc=0.004\n"), 1000) << "27 °C is both temperatures";
  EXPECT_EQ(resistance("r1 a b 0 tc=-1\n.temp 125\n"), 0) << "a short stays one";
}

TEST(Temperature, HspiceCountsFrom25) {
  const auto resistance = [](const std::string& cards, Dialect dialect) {
    return read_netlist_text("* t\n" + cards, "deck.sp", {.dialect = dialect}).resistors.value.at(0);
  };
  EXPECT_NEAR(resistance("r1 a b 1k tc1=1m\n.temp 125\n", Dialect::hspice), 1100, kClose);
  EXPECT_NEAR(resistance(".prot\nr1 a b 1k tc1=1m\n.temp 125\n", Dialect::automatic), 1100, kClose);
  EXPECT_NEAR(resistance("r1 a b {1k*temper}\n", Dialect::hspice), 25e3, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tc1=1m\n.option tnom=27 temp=127\n", Dialect::hspice), 1100, kClose);
  EXPECT_EQ(resistance("r1 a b 1k tc1=1m\n", Dialect::hspice), 1000);
  EXPECT_NEAR(resistance("r1 a b 1k tc1=1m\n.temp 125\n", Dialect::pspice), 1098, kClose);
}

TEST(Temperature, AnElementMayHaveItsOwn) {
  EXPECT_NEAR(resistance("r1 a b 1k tc=4m dtemp=10\n.temp 125\n"), 1432, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tc=4m temp=37\n.temp 125\n"), 1040, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k tc=4m temp=37 dtemp=50\n.temp 125\n"), 1040, kClose) << "temp overrides dtemp";
}

TEST(Temperature, TempCardsOverrideOptionsAndTheLastOneApplies) {
  const std::string r = "r1 a b 1k tc=4m\n";
  for (const char* cards : {".temp 127\n", ".temp=127\n", ".option temp=50\n.temp 127\n", ".temp 127\n.opt temp=50\n",
                            ".option temp=50\n.options temp = 127\n", ".param t=100\n.temp {t+27}\n",
                            ".param t=127\n.option temp=t\n", ".subckt s q\n.temp 127\nr9 q 0 1\n.ends\nx1 a s\n"})
    EXPECT_NEAR(resistance(r + cards), 1400, kClose) << cards;
  const Circuit c = read_netlist_text("* t\n" + r + ".temp 50\n.temp 127\n", "deck.sp");
  EXPECT_NEAR(c.resistors.value[0], 1400, kClose);
  EXPECT_EQ(c.findings.at(0).place, "deck.sp:4:1");
  EXPECT_TRUE(c.findings[0].is_warning);
}

TEST(Temperature, ExpressionsMayUseIt) {
  EXPECT_NEAR(resistance("r1 a b {1k*(1+4m*(temper-27))}\n.temp 127\n"), 1400, kClose);
  EXPECT_THAT(error_of("r1 a b {1k*temper}\n.param temper=2\n"),
              HasSubstr("deck.sp:3:8: temper is the circuit's temperature"));
  EXPECT_THAT(error_of("r1 a b 1\n.temp {temper}\n"), HasSubstr("deck.sp:3:8: unknown parameter 'temper'"));
}

TEST(Temperature, CapacitorsAndInductorsFollowTheSameLaw) {
  const Circuit c = circuit("c1 a b 1p tc1=4m m=2\nl1 a b l=1n tc1=4m m=2 ic=0\nr1 a b 1\n.temp 127\n");
  EXPECT_THAT(c.capacitors.value, ElementsAre(DoubleEq(2.8e-12)));
  EXPECT_THAT(c.inductors.value, ElementsAre(DoubleEq(0.7e-9)));
}

TEST(Temperature, WhatItCannotBeIsRefusedWithThePlace) {
  EXPECT_THAT(error_of("v1 a 0 1\nr1 a b 1k tc=-0.1\n.temp 125\n"), HasSubstr("deck.sp:3:1: the value becomes -8800"));
  EXPECT_THAT(error_of("r1 a b 1k scale=0\n"), HasSubstr("deck.sp:2:1: the value becomes 0"));
  EXPECT_THAT(error_of("r1 a b 1\n.temp 25 125\n"),
              HasSubstr("deck.sp:3:1: .temp asks for runs at 2 temperatures; give"));
  EXPECT_THAT(error_of("r1 a b 1\n.temp\n"), HasSubstr("deck.sp:3:6: expected a number"));
  EXPECT_THAT(error_of("r1 a b 1\n.temp -300\n"), HasSubstr("below absolute zero"));
  EXPECT_THAT(error_of("r1 a b 1\n.option post temp 125\n"), HasSubstr("deck.sp:3:14: expected 'temp='"));
  EXPECT_THAT(error_of("r1 a b 1\n.option rshunt=1e12\n"), HasSubstr("deck.sp:3:9: rshunt ties every node"));
  EXPECT_THAT(error_of("r1 a b 1k tc=1,2,3\n"), HasSubstr("deck.sp:2:11: 'tc' takes 1 to 2 numbers, got 3"));
  EXPECT_THAT(error_of("r1 a b 1k tc1=1 2\n"), HasSubstr("'tc1' takes 1 number, got 2"));
  EXPECT_THAT(error_of("r1 a b 1k foo=1\n"), HasSubstr("deck.sp:2:11: expected the end of the card or one of 'r tc"));
}

TEST(Models, GiveCoefficientsAndResistance) {
  const std::string t = "\n.temp 127\n";
  EXPECT_NEAR(resistance("r1 a b rm 1k\n.model rm r (tc1=4m tc2=0)" + t), 1400, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k RM\n.model rm res tc1=4m" + t), 1400, kClose);
  EXPECT_NEAR(resistance("r1 a b rm r=1k\n.model rm R(tc1=4m, tnom=77)" + t), 1200, kClose);
  EXPECT_NEAR(resistance("r1 a b 1k rm tc1=1m\n.model rm r(tc1=4m)" + t), 1100, kClose) << "the card overrides";
  EXPECT_NEAR(resistance("r1 a b rm\n.model rm r (r=700)\n"), 700, kClose);
  EXPECT_NEAR(resistance("r1 a b rm l=10u w=2u\n.model rm r (rsh=300 r=1)\n"), 1500, kClose);
  EXPECT_NEAR(resistance("r1 a b rm l=10 w=1\n.model rm r(rsh=10 narrow=0.1 short=0.2 kf=1)\n"), 120, kClose);
  EXPECT_NEAR(resistance("r1 a b rm\n.model rm r(rsh=10 l=4 defw=2)\n"), 20, kClose);
  EXPECT_EQ(resistance("r1 a b 1k\n.model nch nmos (level=54 vth0={x} binunit=1\n+ toxe=1.8e-9)\n"), 1000);
}

TEST(Models, AreSeenWhereSubcircuitsAre) {
  const Circuit c = circuit(
      ".model rm r (r={w})\n.param w=1\n"
      ".subckt s p w=2\n.model own r (r={10*w})\nr1 p 0 own\nr2 p 0 rm\n.ends\nx1 a s\nx2 a s w=3\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(20, 1, 30, 1));
}

TEST(Models, ThatAreNotUnderstoodAreRefusedWhenUsed) {
  EXPECT_THAT(error_of("r1 a b rm\n"),
              HasSubstr("deck.sp:2:8: expected a number, {expression} or the name of a model"));
  EXPECT_THAT(error_of("r1 a b rm\n.model rm d\n"), HasSubstr("deck.sp:2:8: model 'rm' is of type d, expected R"));
  EXPECT_THAT(error_of("r1 a b rm\n.model rm r(tc1=1m\n+ tref=1)\n"),
              HasSubstr("deck.sp:4:3: unknown parameter 'tref' of a resistor model"));
  EXPECT_THAT(error_of("r1 a b rm\n.model rm r(tc1=1m)\n"), HasSubstr("model 'rm' has neither r nor rsh"));
  EXPECT_THAT(error_of("r1 a b 1 rm 2\n"), HasSubstr("deck.sp:2:10: a second value"));
  EXPECT_THAT(error_of("c1 a b cm\n"), HasSubstr("deck.sp:2:8: unknown parameter 'cm'; define it with .param"));
  EXPECT_EQ(error_of("r1 a b 1\n.model rm r(tref=1)\n"), "no error");
}

TEST(Multipliers, PutElementsInParallel) {
  const Circuit c = circuit(
      "r1 a b 1k M=4\nr2 a b 1k m={n}\n.param n=2.5\nc1 a b 1p m=2\nl1 a b 1n m=2\ni1 a b 1m M=3\n"
      "i2 a b M=3 DC 1m\ni3 a b pulse(1m 2m 0 1n 1n 1n 10n) m={n}\ni4 a b 5m pwl(0 1m 1n 3m) M=2\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(250, 400));
  EXPECT_THAT(c.capacitors.value, ElementsAre(2e-12));
  EXPECT_THAT(c.inductors.value, ElementsAre(0.5e-9));
  EXPECT_THAT(c.current_sources.value, ElementsAre(3e-3, 3e-3, 2.5e-3, 10e-3));
  EXPECT_EQ(std::get<Pulse>(c.waveforms[0]).pulsed, 5e-3);
  EXPECT_EQ(std::get<Pwl>(c.waveforms[1]).points[1].second, 6e-3);
  EXPECT_EQ(std::get<Pwl>(c.waveforms[1]).points[1].first, 1e-9);
}

TEST(Multipliers, OfInstancesApplyToAllThatIsInside) {
  const Circuit c = circuit(
      ".subckt s p q\nr1 p q 1k\nr2 p q 1k m=2\nv1 p x 1\ni1 x q 1m pwl(0 1m 1n 2m)\n.ends\n"
      ".subckt t p q\nx9 p q s M=3\n.ends\nx1 a b s m=2\nx2 a b t m={2}\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(500, 250, DoubleEq(1e3 / 6), DoubleEq(1e3 / 12)));
  EXPECT_THAT(c.voltage_sources.value, ElementsAre(1, 1));
  EXPECT_THAT(c.current_sources.value, ElementsAre(DoubleEq(2e-3), DoubleEq(6e-3)));
  EXPECT_THAT(std::get<Pwl>(c.waveforms[1]).points[1].second, DoubleEq(12e-3));
}

TEST(Multipliers, AreParametersWhereTheSubcircuitSaysSo) {
  EXPECT_EQ(resistance(".subckt s p q m=1\nr1 p q {1k*m}\n.ends\nx1 a b s m=2\n"), 2000);
  EXPECT_EQ(resistance(".subckt s p q\n.param m=1\nr1 p q {1k*m}\n.ends\nx1 a b s m=2\n"), 2000);
}

TEST(Multipliers, ThatMakeNoSenseAreRefused) {
  EXPECT_THAT(error_of("r1 a b 1k m=0\n"), HasSubstr("deck.sp:2:1: M is 0; it must be positive"));
  EXPECT_THAT(error_of("i1 a b 1k m=-2\n"), HasSubstr("deck.sp:2:1: M is -2; it must be positive"));
  EXPECT_THAT(error_of("v1 a b 1 m=2\n"), HasSubstr("deck.sp:2:10: a voltage source has no M"));
  const std::string cell = ".subckt s p\nr1 p 0 1\n.ends\n";
  EXPECT_THAT(error_of(cell + "x1 a s m=0\n"), HasSubstr("deck.sp:5:8: M is 0"));
  EXPECT_THAT(error_of(cell + "x1 a s dtemp=10\n"), HasSubstr("deck.sp:5:8: dtemp= of an instance is not supported"));
}

}  // namespace
}  // namespace gridiron
