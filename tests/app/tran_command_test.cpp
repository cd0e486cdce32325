// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

constexpr const char* kDeck =
    "* t\nv1 p 0 1\nl1 p q 1p\nr1 q a 1\nc1 a 0 10p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.5n 10n\n"
    ".print tran v(a)\n.end\n";

class TranCommand : public test::Tool {};

TEST_F(TranCommand, SimulatesAndJudges) {
  write("deck.sp", kDeck);
  const Outcome kept = gridiron("tran deck.sp --limit worst=350mV --out reports");
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("trapezoidal to 10.00 ns, 20 steps of 500.0 ps"));
  EXPECT_THAT(slurp(folder_ / "reports" / "deck.output"), HasSubstr("Node: a"));
  const Outcome exceeded = gridiron("tran deck.sp --limit worst=250mV --quiet");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_THAT(exceeded.err, HasSubstr("limit exceeded"));
  EXPECT_EQ(gridiron("tran deck.sp --window 1").code, 0);
  EXPECT_EQ(gridiron("tran deck.sp --method backward-euler --step 0.1ns --stop 5ns --window 1ns --worst-probes 1").code,
            0);
}

TEST_F(TranCommand, NonsenseIsRefused) {
  write("deck.sp", kDeck);
  write("static.sp", "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1m\n.end\n");
  for (const auto& [command, words] : {std::pair("tran static.sp", "--step"),
                                       {"tran static.sp --step 1ns", "--stop"},
                                       {"tran deck.sp --step -1ns", "above 0"},
                                       {"tran deck.sp --step 1mA", "not a time"},
                                       {"tran deck.sp --step 1us", "longer than the simulation"},
                                       {"tran deck.sp --method euler", "--method"},
                                       {"tran deck.sp --probe nowhere", "nowhere"},
                                       {"tran deck.sp --window 1e-30", "too many"},
                                       {"tran deck.sp --time-tolerance 0", "positive"}}) {
    const Outcome run = gridiron(command);
    EXPECT_EQ(run.code, 2) << command;
    EXPECT_THAT(run.err, HasSubstr(words)) << command;
  }
}

}  // namespace
}  // namespace gridiron
