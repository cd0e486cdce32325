// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/unknown_name.hpp"

#include <gtest/gtest.h>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

Circuit circuit() { return read_netlist_text("* t\nv1 vdd 0 1\nrail12 vdd n1_2 2\ni1 n1_2 0 1m\n", "t.sp"); }

TEST(UnknownName, TellsTheNearestNode) {
  const UnknownName error = unknown_node(circuit(), "N1_3", "pad at N1_3: none", "; or not");
  EXPECT_EQ(error.message(), "pad at N1_3: none; the nearest is n1_2; or not");
  EXPECT_EQ(error.name, "N1_3");
  EXPECT_EQ(error.nearest, "n1_2");
}

TEST(UnknownName, GroundIsNoGuess) {
  EXPECT_EQ(unknown_node(circuit(), "1", "none").nearest, "vdd") << "0 is one letter away, vdd three, as n1_2";
}

TEST(UnknownName, TellsTheNearestElementOfItsKind) {
  EXPECT_EQ(unknown_element(circuit(), kResistor, "v1", "none").nearest, "rail12");
  const UnknownName none = unknown_element(circuit(), kCapacitor, "c1", "none");
  EXPECT_EQ(none.nearest, "");
  EXPECT_EQ(none.message(), "none");
}

}  // namespace
}  // namespace gridiron
