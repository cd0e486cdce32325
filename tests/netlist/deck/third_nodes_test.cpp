// SPDX-License-Identifier: Apache-2.0
// Elements as CDL, HSPICE and extraction write them: third nodes, names of models, '/', annotations behind '$'.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

Circuit read(const std::string& cards) { return read_netlist_text("* t\nv1 a 0 1\n" + cards + "\n.end\n"); }

std::string findings_of(const Circuit& circuit) {
  std::string text;
  for (const ReadFinding& f : circuit.findings)
    text += f.place + " " + f.code + (f.is_warning ? "! " : " ") + f.message;
  return text;
}

std::string refusal_of(const std::string& cards) {
  try {
    read(cards);
  } catch (const InputError& e) {
    return e.what();
  }
  return "read";
}

struct Card {
  const char* card;
  double value;
  const char* finding;  ///< empty: none
};

TEST(ThirdNodes, OfResistors) {
  for (const Card& c : {
           Card{"r1 a b sub 1k\nr2 b sub 1", 1000, "<text>:3:1 third-node 'sub' is the third node"},
           Card{"r1 a b sub rm r=1k\n.model rm r(tc1=0)\nr2 b 0 1", 1000, ""},
           Card{"r1 a b sub rm w=1u l=10u\n.model rm r(rsh=5)\nr2 b 0 1", 50, ""},
           Card{"r1 a b sub rm 1k w=1u\nr2 b 0 1", 1000, "model-unknown! 'rm' is no .model"},
           Card{"r1 a b rm 1k\nr2 b 0 1", 1000, "model-unknown! 'rm' is no .model"},
           Card{"r1 a b 1k rm\nr2 b 0 rm 1", 1000,
                "model-unknown! 'rm' is no .model of this deck and no other node "
                "of it (2 such elements)"},
           Card{"r1 a b 1k rm\n.model rm r(tc1=0)\nr2 b 0 1", 1000, ""},
           Card{"r1 a b 1k $[rm1] $SUB=vss $w=1u $l=2u\nr2 b 0 1", 1000, ""},
           Card{"r1 a b 1k$[rm1]\nr2 b 0 1", 1000, ""},
           Card{"r1 a b r={2*500} $[rm1] $X=1 $Y=2\nr2 b 0 1", 1000, ""},
           Card{"r1 a b gnd 1k\nr2 b 0 1", 1000, "third-node"},
           Card{"r1 a b rm rv\n.model rm r(tc1=0)\n.param rv=1k\nr2 b 0 1", 1000, ""},
           Card{"r1 a b rm $ note\n* between\n+ rv m=1\n.model rm r(tc1=0)\n.param rv=1k\nr2 b 0 1", 1000, ""},
           Card{"r1 a b sub rv\n.param rv=1k\nr2 b sub 1", 1000, "third-node"},
       }) {
    const Circuit circuit = read(c.card);
    EXPECT_NEAR(circuit.resistors.value[0], c.value, 1e-9) << c.card;
    EXPECT_THAT(findings_of(circuit),
                *c.finding ? testing::Matcher<std::string>(HasSubstr(c.finding)) : testing::Matcher<std::string>(""))
        << c.card;
  }
}

TEST(ThirdNodes, OfCapacitors) {
  for (const char* card : {"c1 a b sub 1p", "c1 a b 1p sub", "c1 a b sub cm c=1p", "c1 a b 1p $[cm] $SUB=vss"}) {
    const Circuit circuit = read(std::string(card) + "\nr2 b 0 1");
    EXPECT_THAT(circuit.capacitors.value, Pointwise(DoubleNear(1e-20), {1e-12})) << card;
  }
  EXPECT_THAT(refusal_of("c1 a b cm 1p\n.model cm c(tc1=1)"),
              HasSubstr("<text>:3:8: expected a number or {expression}, "
                        "got 'cm'; models of capacitors are not read"));
  EXPECT_THAT(refusal_of("c1 a b cm w=1u l=1u"), HasSubstr("models of capacitors are not read"));
  EXPECT_THAT(refusal_of("l1 a b lm 1n"),
              HasSubstr("only resistors may have a model, and they and capacitors a third"));
}

TEST(ThirdNodes, PortsAndGlobalNodesOfSubcircuits) {
  const Circuit circuit = read(".global vss\n.subckt s p q bulk\nr1 p q bulk 1k\nr2 p q vss 1k\n.ends\nx1 a 0 a s");
  EXPECT_THAT(findings_of(circuit), HasSubstr("third-node 'bulk' is the third node of an element (2 such elements)"));
  EXPECT_EQ(circuit.node_count(), 2);
}

TEST(ThirdNodes, StillRefused) {
  EXPECT_THAT(refusal_of("r1 a b rm"), HasSubstr("there is no '.model rm R'"));
  EXPECT_THAT(refusal_of("r1 a b sub rm"), HasSubstr("there is no '.model rm R'"));
  EXPECT_THAT(refusal_of("r1 a b sub rm x 1k"), HasSubstr("<text>:3:17: expected the end of the card"));
  EXPECT_THAT(refusal_of("r1 a b 0 1k"), HasSubstr("<text>:3:10: expected the end of the card"));
}

TEST(ThirdNodes, InstancesAsCdlWritesThem) {
  for (const char* instance :
       {"x1 a b / strap", "X1 a b strap", "xi1/x2 a b / strap $T=1 2 N R90", "x1 a b / strap\n+ M=1"}) {
    const Circuit circuit = read(std::string(".subckt strap p q\nr1 p q 1k\n.ends\n") + instance + "\nr6 b 0 sub 1k");
    EXPECT_THAT(circuit.resistors.value, Pointwise(DoubleNear(1e-9), {1000.0, 1000.0})) << instance;
    EXPECT_EQ(circuit.node_count(), 3) << instance;
  }
  EXPECT_THAT(refusal_of("x1 a b / strap"), HasSubstr("unknown subcircuit 'strap'"));
}

TEST(ThirdNodes, CharactersThatLookLikeOthers) {
  EXPECT_THAT(refusal_of("r1\xc2\xa0"
                         "a b 1k"),
              HasSubstr("this line has a no-break space (U+00A0), which is part of names"));
  EXPECT_THAT(refusal_of("i1 a 0 \xe2\x88\x92"
                         "5m"),
              HasSubstr("this line has a minus sign (U+2212) for '-'"));
  EXPECT_THAT(read("r1 a b 1k\xce\xa9\nr2 b 0 1000000000\xc2\xb5").resistors.value,
              Pointwise(DoubleNear(1e-9), {1000.0, 1000.0}));
}

}  // namespace
}  // namespace gridiron
