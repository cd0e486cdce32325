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
  EXPECT_THAT(refusal_of(".subckt a p\nr1 p 0 1\n.ends\n.subckt b p\nx1 p a\n.ends\n", ""),
              HasSubstr("all elements are in .subckt b, which no X card"));
  EXPECT_THAT(refusal_of(".subckt a p\nr1 p 0 1\n.ends\n.subckt b p\nr1 p 0 1\n.ends\n", ""),
              HasSubstr("all elements are in .subckt a, b, which"));
}

}  // namespace
}  // namespace gridiron
