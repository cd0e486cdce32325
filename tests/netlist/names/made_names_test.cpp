// SPDX-License-Identifier: Apache-2.0
// Circuits that no SPICE text spells.
#include <gtest/gtest.h>

#include "netlist/circuit.hpp"
#include "netlist/names/sink_comment.hpp"
#include "netlist/writer.hpp"

namespace gridiron {
namespace {

class TwoCells : public MadeNames {
 public:
  Sink sink(int64_t i) const override { return {i == 0 ? "u1" : "u2", "VDD"}; }
};

TEST(MadeNames, NumberElementsAndNameSinks) {
  Circuit circuit;
  circuit.made_names = std::make_shared<TwoCells>();
  EXPECT_EQ(circuit.card_name(kResistor, 0), "R0");
  EXPECT_EQ(circuit.card_name(kVoltageSource, 12), "V12");
  EXPECT_EQ(circuit.card_name(kCurrentSource, 9'223'372'036'854'775'807), "I9223372036854775807");
  EXPECT_EQ(circuit.element_name(kCapacitor, 3), "C3");
  EXPECT_EQ(card_name(circuit, kInductor, 4), "L4");
  EXPECT_EQ(sink_name(circuit, 1).text(), "u2/VDD");
}

/// A copy holds its own characters.
TEST(MadeNames, MayBeCopied) {
  const CardName copy = [] { return CardName('R', 7); }();
  EXPECT_EQ(copy, "R7");
}

}  // namespace
}  // namespace gridiron
