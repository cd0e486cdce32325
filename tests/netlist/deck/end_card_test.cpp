// SPDX-License-Identifier: Apache-2.0
// Decks without .end, and decks that are cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

std::string finding_of(const std::string& deck) {
  const Circuit c = read_netlist_text(deck, "deck.sp");
  for (const ReadFinding& f : c.findings)
    if (f.code == "no-end") return f.place + ": " + f.message;
  return "none";
}

TEST(EndCard, IsMissed) {
  EXPECT_EQ(finding_of("* t\nr1 a 0 1\n.end\n"), "none");
  EXPECT_EQ(finding_of("* t\nr1 a 0 1\n.END"), "none");
  EXPECT_EQ(finding_of("* t\nr1 a 0 1\n.end\nr2 a 0 1"), "none") << "nothing counts behind it";
  EXPECT_EQ(finding_of("* t\nr1 a 0 1\nr2 a 0 10\n\n"), "deck.sp:3:1: this file has no .end; is it complete?");
}

TEST(EndCard, ACutInTheLastValueIsTold) {
  EXPECT_THAT(finding_of("* t\nr1 a 0 1\nr2 a 0 10"), HasSubstr("deck.sp:3:1: the deck ends in the middle of a line"));
}

TEST(EndCard, ACardThatTheEndInterruptsSaysSo) {
  for (const std::string cut : {"r2 a", "r2", "r2 a b\n", "r2 a b\n+"}) {
    try {
      read_netlist_text("* t\nr1 a 0 1\n" + cut, "deck.sp");
      ADD_FAILURE() << cut;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("the file ends here, it may be cut")) << cut;
    }
  }
  try {
    read_netlist_text("* t\nr1 a\nr2 a 0 1\n.end\n", "deck.sp");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::Not(HasSubstr("may be cut")));
  }
}

}  // namespace
}  // namespace gridiron
