// SPDX-License-Identifier: Apache-2.0
// What `gridiron ir` prints: a page that begins with the verdict.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class BriefCommand : public test::Tool {
 protected:
  void SetUp() override {
    write("deck.sp", "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\ni1 n1_m1_2000_0 0 0.1\n.end\n");
  }
  std::string printed(const std::string& command, int code = 0) {
    const Outcome run = gridiron(command);
    EXPECT_EQ(run.code, code) << run.err;
    return run.out;
  }
};

auto lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_F(BriefCommand, BeginsWithTheVerdict) {
  EXPECT_THAT(printed("ir deck.sp"), StartsWith("Verdict      none, as no limit is given\n"));
  EXPECT_THAT(printed("ir deck.sp --limit 30%"), StartsWith("Verdict      kept: the limit\n"));
  EXPECT_THAT(printed("ir deck.sp --limit 30% --limit average=150mV"), StartsWith("Verdict      kept: all 2 limits\n"));
  EXPECT_THAT(printed("ir deck.sp --limit 10% --limit average=150mV", 1),
              StartsWith("Verdict      EXCEEDED: 1 of 2 limits, 1 node above\n"));
  EXPECT_THAT(printed("ir deck.sp --em-limit m1=50mA", 1), StartsWith("Verdict      EXCEEDED: 1 of 1 limit\n"));
  EXPECT_THAT(
      printed("ir deck.sp --limit 0.2V", 4),
      StartsWith("Verdict      UNDECIDED: 1 of 1 limit, left open by the certified error or by what is unknown\n"));
}

TEST_F(BriefCommand, SaysWhereTheReportsAreAndWhatToDoNext) {
  EXPECT_THAT(printed("ir deck.sp"), HasSubstr("Reports      --full prints all of it, --out FOLDER writes"));
  EXPECT_THAT(printed("ir deck.sp --out o --formats json,text"),
              HasSubstr("Reports      o: summary.txt, report.json\n"));
  EXPECT_THAT(printed("ir deck.sp --out o --formats csv"), HasSubstr("Reports      o\n"));
  EXPECT_THAT(printed("ir deck.sp"), HasSubstr("Next         --limit worst=5% judges the drops\n"));
  EXPECT_THAT(printed("ir deck.sp --limit 10%", 1),
              HasSubstr("Next         gridiron fix --widen LAYER=3 proposes a plan"));
}

TEST_F(BriefCommand, FullIsWhatSummaryHolds) {
  const std::string full = printed("ir deck.sp --full --out o --formats text"),
                    summary = slurp(folder_ / "o/summary.txt");
  const auto without_cost = [](const std::string& text) { return text.substr(0, text.find("\nTime  ")); };
  EXPECT_EQ(without_cost(full), without_cost(summary));
  EXPECT_THAT(full, StartsWith("########## IR report"));
  EXPECT_THAT(printed("ir deck.sp"), Not(HasSubstr("IR report")));
}

TEST_F(BriefCommand, HotSpotsAreOfEveryNetHoweverSmallItsDrops) {
  ASSERT_EQ(gridiron("generate --style openroad --nodes 9000 --nets 2 --seed 1 two.sp").code, 0);
  std::string two = slurp(folder_ / "two.sp");
  const std::string out = printed("ir two.sp");
  const auto spots = [&](const char* net) {
    size_t count = 0;
    for (size_t at = out.find("hot spot"); (at = out.find(std::string("\n  ") + net + "   n", at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  };
  EXPECT_EQ(spots("n1"), 3u) << out;
  EXPECT_EQ(spots("n2"), 3u) << out;
}

TEST_F(BriefCommand, IsAPageHoweverManyNetsLimitsAndFindingsThereAre) {
  std::string deck = "* t\n";
  for (int net = 1; net <= 20; ++net)
    deck += fmt::format("v{0} n{0}_m1_0_0 0 1\nr{0} n{0}_m1_0_0 n{0}_m1_2000_0 2\ni{0} n{0}_m1_2000_0 0 {1}\n", net,
                        0.001 * net);
  write("many.sp", deck + ".end\n");
  const std::string out = printed("ir many.sp --limit worst=3.1% --limit average=30mV", 1);
  EXPECT_LE(lines_of(out), 30) << out;
  EXPECT_THAT(out, StartsWith("Verdict      EXCEEDED: 5 of 40 limits, 5 nodes above\n"));
  EXPECT_THAT(out, HasSubstr("\nNets, 5 of 20\n"));
  EXPECT_THAT(out, HasSubstr("\n  n20  drop  40.00 mV"));
  EXPECT_THAT(out, HasSubstr("\n  and 37 more\n"));
  EXPECT_THAT(out, HasSubstr("\n  worst     n20  40.00 mV  31.00 mV"));
}

TEST_F(BriefCommand, OfASimulationToo) {
  write("t.sp",
        "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\nc1 n1_m1_2000_0 0 1p\n"
        "i1 n1_m1_2000_0 0 pulse(0 0.1 1n 0.1n 0.1n 5n 20n)\n.tran 0.1n 4n\n.end\n");
  const std::string out = printed("tran t.sp --limit worst=10% --out o --formats text", 1);
  EXPECT_THAT(out, StartsWith("Verdict      EXCEEDED: 1 of 1 limit, 1 node above\nNext         --why worst tells "
                              "causes, gridiron ir with the same "
                              "deck how much of it is static\nInput        t.sp: 3 nodes, 1 resistor, "
                              "1 capacitor, 0 inductors; 6 cards, all used or harmless\nSimulation   "));
  EXPECT_THAT(out, HasSubstr("\n  n1   n1_m1_2000_0  m1"));
  EXPECT_THAT(out, HasSubstr("\nCertificate  operating point within "));
  EXPECT_THAT(out, EndsWith("\nReports      o: summary.txt\n"));
  EXPECT_LE(lines_of(out), 30) << out;
  EXPECT_THAT(printed("tran t.sp"), StartsWith("Verdict      none, as no limit is given\n"));
  EXPECT_THAT(printed("tran t.sp --full"), StartsWith("Gridiron "));
}

}  // namespace
}  // namespace gridiron
