// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/top_subcircuit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

Circuit read(const std::string& deck, const std::string& top) {
  ReadOptions options;
  options.top = top;
  return read_netlist_text("* t\n" + deck, "<text>", options);
}

std::string refusal_of(const std::string& deck, const std::string& top) {
  try {
    read(deck, top);
  } catch (const InputError& e) {
    return e.what();
  }
  return "read";
}

std::vector<std::string> node_names(const Circuit& circuit) {
  std::vector<std::string> names;
  for (NodeId n = 0; n < circuit.node_count(); ++n) names.emplace_back(std::string(circuit.node_name(n)));
  return names;
}

const std::string kExtracted =
    ".subckt Chip VDD gnd w=2\nr1 VDD VDD:1 {w}\nr2 VDD:1 gnd 3 $[m1]\nx1 VDD:1 cell m=2\n.model m r(tc1=0)\n"
    ".subckt cell p\nr1 p q 1\nr2 q 0 m 1\n.ends\n.ends\n";

TEST(TopSubcircuit, ItsNodesHaveTheirOwnNames) {
  const Circuit circuit = read(kExtracted + ".end\n", "CHIP");
  EXPECT_THAT(node_names(circuit), ElementsAre("0", "VDD", "VDD:1", "x1.q"));
  EXPECT_THAT(circuit.resistors.value, Pointwise(DoubleNear(1e-12), {2.0, 3.0, 0.5, 0.5}));
  EXPECT_EQ(circuit.element_name(kResistor, 0), "r1");
  EXPECT_EQ(circuit.element_name(kResistor, 2), "x1.r1");
  EXPECT_TRUE(circuit.findings.empty()) << circuit.findings[0].message;
}

TEST(TopSubcircuit, ElementsOutsideRemain) {
  const Circuit circuit = read("v1 VDD 0 1\n" + kExtracted + "i1 VDD:1 0 1m\n.end\n", "Chip");
  EXPECT_EQ(circuit.node_count(), 4);
  EXPECT_EQ(circuit.current_sources.a[0], circuit.nodes.find("vdd:1"));
  EXPECT_EQ(circuit.findings.front().code, "outside-of-top");
  EXPECT_THAT(circuit.findings.front().message,
              HasSubstr("2 cards outside of .subckt Chip are part of the circuit, too"));
}

/// What an instance of a subcircuit makes of it, `--top` does, too.
TEST(TopSubcircuit, HasAllThatAnInstanceHas) {
  const std::string body =
      "rv p q {v}\nc1 q 0 {f(1)}\nl1 q a 1n\nl2 a 0 {2*temper}\nk1 l1 l2 {k}\nv2 a 0 1\ni1 q 0 pwl(0 0 1 {v})\n"
      "e1 b 0 p q 2\nf1 q 0 v2 3\ng1 q 0 b 0 {v}\nh1 c 0 v2 4\nr2 b c 1 m\n.func f(x) {x*v}\n.param k=0.5\n"
      ".model m r(tc1=0.1)\nx1 q inner\n.subckt inner z\nr1 z 0 {v+f(1)}\n.ends\n"
      ".if (v == 2)\nr3 q 0 {w}\n.param w=7\nx2 q inner\n.elseif (v == 3)\nr4 q 0 8\n.else\nr5 q 0 9\n.endif\n";
  const std::string rest = ".subckt s p v=2\n" + body + ".ends\n.temp 40\nv1 p 0 1\n";
  const Circuit top = read(rest, "s"), instance = read(rest + "xs p s\n", "");
  for (const Kind k : kEveryKind) {
    std::vector<double> values = top.elements(k).value, wanted = instance.elements(k).value;
    EXPECT_THAT(values, testing::UnorderedElementsAreArray(wanted)) << static_cast<int>(k);
  }
  EXPECT_EQ(top.node_count(), instance.node_count());
  ASSERT_EQ(top.controlled_sources.size(), 4);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(top.controlled_sources[i].controls.at(0).gain, instance.controlled_sources[i].controls.at(0).gain);
    EXPECT_EQ(top.element_name(top.controlled_sources[i]), (std::vector{"e1", "f1", "g1", "h1"})[i]);
  }
  ASSERT_EQ(top.couplings.size(), 1);
  EXPECT_EQ(top.couplings[0].k, 0.5);
  EXPECT_EQ(top.waveforms.size(), instance.waveforms.size());
}

TEST(TopSubcircuit, TakesTheBranchesThatApply) {
  const auto currents = [](const std::string& deck) { return read(deck, "s").current_sources.value; };
  EXPECT_THAT(currents("v1 p 0 1\n.subckt s p\nr1 p q 1\n.if (1)\ni2 q 0 2\n.endif\n.ends\n"), ElementsAre(2));
  EXPECT_THAT(currents("v1 p 0 1\n.subckt s p k=1\nr1 p q 1\n.if (k == 2)\nx1 q c\ni1 q 0 3\n.else\ni2 q 0 {w}\n"
                       ".param w=4\n.if (w == 4)\nx2 q c\n.endif\n.endif\n.subckt c a\ni1 a 0 5\n.ends\n.ends\n"),
              ElementsAre(4, 5));
  EXPECT_THAT(currents("v1 p 0 1\n.subckt s p\nr1 p q 1\n.if (temper > 50)\ni1 q 0 6\n.endif\n.temp 60\n.ends\n"),
              ElementsAre(6));
  const Circuit circuit = read("v1 p 0 1\n.subckt s p\nr1 p q 1\n.if (0)\nr2 q 0 1\nx1 q c\n.endif\n.ends\n", "s");
  EXPECT_EQ(circuit.resistors.size(), 1);
  int64_t left_out = 0;
  for (const Ledger::Row& row : circuit.ledger.files[0].rows)
    if (row.what == class_of(CardKind::other_branch).name) left_out += row.count;
  EXPECT_EQ(left_out, 2);
}

TEST(TopSubcircuit, FindsSubcircuitsOfControlledSourcesAlone) {
  EXPECT_THAT(refusal_of(".subckt s p\ne1 q 0 p 0 2\n.ends\n", ""), HasSubstr("all elements are in .subckt s, which"));
}

TEST(TopSubcircuit, Refusals) {
  EXPECT_THAT(refusal_of(kExtracted, ""),
              HasSubstr("<text>: all elements are in .subckt Chip, which no X card "
                        "instantiates; give top Chip, or add a card such as 'x1 VDD gnd Chip'"));
  EXPECT_THAT(refusal_of(kExtracted, "cell"),
              HasSubstr("cell: the deck has no .subckt of that name outside of others; it "
                        "has Chip without an X card"));
  EXPECT_THAT(refusal_of("v1 a 0 1\nr1 a 0 1\n", "chip"), HasSubstr("no subcircuit of it needs one"));
  EXPECT_THAT(refusal_of(kExtracted + "x9 a 0 chip\n", "Chip"), HasSubstr("<text>:12:1: this card instantiates chip"));
  EXPECT_THAT(refusal_of(".param w=1\n" + kExtracted, "Chip"), HasSubstr("another parameter 'w' outside"));
  EXPECT_THAT(refusal_of(".subckt cell a\n.ends\n" + kExtracted, "Chip"),
              HasSubstr("another subcircuit 'cell' outside"));
  EXPECT_THAT(refusal_of(".func f(x) {x}\n.subckt s p\nr1 p 0 1\n.func f(x) {2*x}\n.ends\n", "s"),
              HasSubstr("another function 'f' outside"));
  EXPECT_THAT(refusal_of(".param w=1\n.subckt s p\nr1 p 0 1\n.if (1)\n.param w=2\n.endif\n.ends\n", "s"),
              HasSubstr("another parameter 'w' outside"));
  EXPECT_THAT(refusal_of(".subckt a p\nr1 p 0 1\n.ends\n.subckt b p\nx1 p a\n.ends\n", ""),
              HasSubstr("all elements are in .subckt b, which no X card"));
  EXPECT_THAT(refusal_of(".subckt a p\nr1 p 0 1\n.ends\n.subckt b p\nr1 p 0 1\n.ends\n", ""),
              HasSubstr("all elements are in .subckt a, b, which"));
}

}  // namespace
}  // namespace gridiron
