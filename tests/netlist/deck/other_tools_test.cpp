// SPDX-License-Identifier: Apache-2.0
// What LTspice, PSpice and HSPICE write on cards besides what counts: attributes of parts, forms of .tran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Circuit read(const std::string& cards, Dialect dialect = Dialect::automatic) {
  return read_netlist_text("* t\n" + cards + ".end\n", "deck.sp", {.dialect = dialect});
}

std::string error_of(const std::string& cards, Dialect dialect = Dialect::automatic) {
  try {
    read(cards, dialect);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(OtherTools, AttributesOfPartsAreHarmless) {
  for (const std::string card :
       {"r1 a 0 2 tol=1 pwr=0.1", "r1 a 0 2 tol=1% mfg=Vishay pn=CRCW-0402", "r1 a 0 R=2 pn=\"0402 x\"",
        "c1 a 0 2 V=6.3 Irms=0 mfg=\"Murata\" pn=\"GRM 155\" type=\"X7R\"", "c1 a 0 2 V=6.3 Lser=0 RLshunt=1k",
        "c1 a 0 2 Lser=0n type=X7R", "l1 a 0 2 Ipk=5 mfg=\"Coil, craft (R)\" pn=\"X\"",
        "l1 a 0 2\n+ Irms={x} pn = 7"}) {
    const Circuit circuit = read(card + "\n");
    std::vector<double> values;
    for (const Kind k : kEveryKind)
      values.insert(values.end(), circuit.elements(k).value.begin(), circuit.elements(k).value.end());
    EXPECT_THAT(values, ElementsAre(2)) << card;
    EXPECT_THAT(circuit.findings, IsEmpty()) << card;
  }
  EXPECT_THAT(read("r1 a 0 2 tol=1 m=2\n").resistors.value, ElementsAre(1));
}

TEST(OtherTools, WhatHasAnEffectStaysRefused) {
  EXPECT_THAT(error_of("c1 a 0 1u Rser=1m Lser=1n mfg=\"Murata\"\n"),
              HasSubstr("deck.sp:2:19: Lser= other than 0 is not supported; write the inductance as a card"));
  EXPECT_THAT(error_of("c1 a 0 1u Lser={x}\n"), HasSubstr("Lser= other than 0"));
  EXPECT_THAT(error_of("r1 a 0 1 ipk=3\n"), HasSubstr("got 'ipk='"));
  EXPECT_THAT(error_of("r1 a 0 1 mfg=\"Vishay\n"), HasSubstr("2:14: expected numbers here"));
  EXPECT_THAT(error_of("r1 a 0 1 tc1=\"Vishay\"\n"), HasSubstr("2:14: expected numbers here"));
}

TEST(OtherTools, ACurrentSourceMayBeALoad) {
  const std::string p = ".param load=3\n";
  EXPECT_THAT(read("i1 a 0 2 load\n").current_sources.value, ElementsAre(2));
  EXPECT_THAT(read(p + "i1 a 0 2 load\n").current_sources.value, ElementsAre(2));
  EXPECT_THAT(read(p + "i1 a 0 load\n").current_sources.value, ElementsAre(3)) << "a parameter";
  EXPECT_THAT(read(p + "i1 a 0 DC load\n").current_sources.value, ElementsAre(3));
  EXPECT_THAT(read("i1 a 0 PULSE(2 3 0 1n 1n 1n 9n) load\n").current_sources.value, ElementsAre(2));
  EXPECT_THAT(read("i1 a 0 PWL(0 2 1n 3) load\n").current_sources.value, ElementsAre(2));
  EXPECT_THAT(error_of("v1 a 0 2 load\n"), HasSubstr("a voltage source is no load"));
}

TEST(OtherTools, TranHasFormsWithoutAStep) {
  struct Case {
    std::string card;
    double step, stop, start, largest;
    bool uic;
  };
  for (const Case& c :
       {Case{"200n", 0, 200e-9, 0, 0, false}, Case{"0 200n", 0, 200e-9, 0, 0, false},
        Case{"0 200n 50n", 0, 200e-9, 50e-9, 0, false}, Case{"0 200n 0 1n", 1e-9, 200e-9, 0, 1e-9, false},
        Case{"0 100ns 0 1ns SKIPBP", 1e-9, 100e-9, 0, 1e-9, true}, Case{"200n startup", 0, 200e-9, 0, 0, false},
        Case{"200n nodiscard steady uic", 0, 200e-9, 0, 0, true}, Case{"1n 200n UIC startup", 1e-9, 200e-9, 0, 0, true},
        Case{"0 200n step", 0, 200e-9, 0, 0, false}, Case{"step 200n", 3e-9, 200e-9, 0, 0, false},
        Case{"1n step", 1e-9, 3e-9, 0, 0, false}}) {
    const TranCard tran = read(".param step=3n\nr1 a 0 1\n.tran " + c.card + "\n").tran;
    EXPECT_NEAR(tran.step, c.step, 1e-20) << c.card;
    EXPECT_NEAR(tran.stop, c.stop, 1e-20) << c.card;
    EXPECT_NEAR(tran.start, c.start, 1e-20) << c.card;
    EXPECT_NEAR(tran.largest, c.largest, 1e-20) << c.card;
    EXPECT_EQ(tran.uic, c.uic) << c.card;
  }
}

TEST(OtherTools, TranIsRefusedByName) {
  EXPECT_THAT(error_of("r1 a 0 1\n.tran 1n 10n sweep x 1 2 3\n"),
              HasSubstr("deck.sp:3:14: .tran with a sweep is not supported: it asks for several runs"));
  EXPECT_THAT(error_of("r1 a 0 1\n.tran 1n 10n\n+ SWEEP data=d\n"), HasSubstr("deck.sp:4:3: .tran with a sweep"));
  for (const std::string card : {".tran", ".tran 0", ".tran -1n", ".tran 0 0", ".tran -1n 5n", ".tran 1n 2n 0 1n 1n"})
    EXPECT_THAT(error_of("r1 a 0 1\n" + card + "\n"), testing::AnyOf(HasSubstr("3:1: expected '.tran STEP STOP"),
                                                                     HasSubstr("a card reads like '.tran 10p 10n'")))
        << card;
  const Circuit circuit = read("r1 a 0 1\n.tran 200n startup\n");
  ASSERT_EQ(circuit.tran_findings.size(), 1u);
  EXPECT_THAT(circuit.tran_findings[0].message, HasSubstr("startup: sources do not rise"));
  EXPECT_THAT(circuit.findings, IsEmpty());
}

TEST(OtherTools, ProbesOfPspiceAreHarmless) {
  for (const std::string card :
       {".PROBE64", ".PROBE/CSDF", ".probe64/csdf v(a)", ".AUTOCONVERGE ITL1=1000", ".VECTOR 1 a"})
    EXPECT_EQ(read("r1 a 0 1\n" + card + "\n").ledger.count(Fate::skipped), 0) << card;
  EXPECT_EQ(read("r1 a 0 1\n.tran/op 1n 10n\n").tran.stop, 10e-9);
  EXPECT_THAT(error_of("r1 a 0 1\n.prob/csdf\n"), HasSubstr("unknown card '.prob/csdf'"));
}

}  // namespace
}  // namespace gridiron
