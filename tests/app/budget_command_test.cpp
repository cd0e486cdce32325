// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --budget` from outside.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kDeck =
    "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\nr3 b c 1\nia a 0 10m\nib b 0 10m\nic c 0 10m\n.end\n";

class BudgetCommand : public test::Tool {
 protected:
  void SetUp() override {
    write("d.sp", kDeck);
    write("b.csv", "each,*,200%\nsum,*,30mA\n");
  }
};

TEST_F(BudgetCommand, ItsLoadsReproduceTheWorstCase) {
  const Outcome run = gridiron("ir d.sp --budget b.csv --budget-node a --out o");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("vdd: no node drops more than 80.00 mV (3 of 3 candidates bounded"));
  EXPECT_THAT(run.out, HasSubstr("Nodes asked for"));
  const std::string text = slurp(folder_ / "o/report.json");
  EXPECT_EQ(test::violations("gridiron.ir-1", text), "");
  const json budget = json::parse(text)["budget"];
  EXPECT_NEAR(budget["nets"][0]["worst"][0]["drop_v"], 0.08, 1e-12);
  EXPECT_EQ(budget["nets"][0]["worst"][0]["node"], "c");
  EXPECT_EQ(budget["nets"][0]["worst"][0]["full_blocks"], json::array({0}));
  EXPECT_NEAR(budget["nodes"][0]["drop_v"], 0.03, 1e-12);
  EXPECT_THAT(slurp(folder_ / "o/budget.csv"),
              testing::StartsWith("net,node,layer,x_um,y_um,drop_v,bound_v,deck_drop_v,full_blocks\nvdd,c,,,,0.08,"));
  EXPECT_THAT(slurp(folder_ / "o/report.html"), HasSubstr("\"budget\":{"));

  ASSERT_EQ(gridiron("ir d.sp --loads o/budget_loads.csv --out again").code, 0);
  const json again = json::parse(slurp(folder_ / "again/report.json"));
  EXPECT_EQ(again["nets"][0]["worst_node"], "c");
  EXPECT_NEAR(again["nets"][0]["worst_drop_v"], 0.08, 1e-12);

  ASSERT_EQ(gridiron("ir d.sp --out o").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/budget.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/budget_loads.csv"));
}

TEST_F(BudgetCommand, LimitsDecideTheExitCode) {
  EXPECT_EQ(gridiron("ir d.sp --limit worst=70mV").code, 0);  // 60 mV under the deck's loads
  const Outcome exceeded = gridiron("ir d.sp --budget b.csv --limit worst=70mV");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_EQ(exceeded.err, "gridiron: limit exceeded: net vdd: worst drop over the budget of 80 mV exceeds 70 mV\n");
  EXPECT_EQ(gridiron("ir d.sp --budget b.csv --limit worst=81mV").code, 0);
  const Outcome undecided = gridiron("ir d.sp --budget b.csv --budget-solves 1 --budget-worst 1 --limit a=1V");
  EXPECT_EQ(undecided.code, 2);
  const Outcome information = gridiron("ir d.sp --budget b.csv --limit average=1V");
  EXPECT_EQ(information.code, 0);
  EXPECT_THAT(information.out, HasSubstr("[budget-limits]"));
}

TEST_F(BudgetCommand, WhatTheSearchLeavesOpenIsExitCode4) {
  // After one solve, at c, a load at d could still draw its most beside all others'.
  write("y.sp",
        "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a c 1\nr3 a d 1\nic c 0 10m\nid d 0 10m\nr4 vdd e 1\nie e 0 10m\n.end\n");
  write("y.csv", "each,ic,200%\neach,id,199%\neach,ie,500%\nsum,*,30mA\n");
  const Outcome run = gridiron("ir y.sp --budget y.csv --budget-solves 1 --budget-worst 1 --limit worst=51mV");
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("after 1 solve another node may drop by"));
  EXPECT_THAT(run.err, HasSubstr("raise --budget-solves"));
  EXPECT_EQ(gridiron("ir y.sp --budget y.csv --limit worst=51mV").code, 0);
}

TEST_F(BudgetCommand, IsComparedByDiff) {
  write("more.csv", "each,*,200%\nsum,*,40mA\n");
  ASSERT_EQ(gridiron("ir d.sp --out none").code, 0);
  ASSERT_EQ(gridiron("ir d.sp --budget b.csv --limit worst=70mV --out with").code, 1);
  ASSERT_EQ(gridiron("ir d.sp --budget more.csv --out more").code, 0);
  const json limits = json::parse(slurp(folder_ / "with/report.json"))["limits"];
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[1]["quantity"], "worst over budget");
  EXPECT_TRUE(limits[1]["exceeded"]);
  const Outcome gained = gridiron("diff none with --out d");
  EXPECT_THAT(gained.out, HasSubstr("no budget  80.00 mV"));
  EXPECT_THAT(gained.out, testing::Not(HasSubstr("Nothing has changed")));
  const std::string text = slurp(folder_ / "d/diff.json");
  EXPECT_EQ(test::violations("gridiron.diff-1", text), "");
  const json change = json::parse(text)["nets"][0]["worst_over_budget"];
  EXPECT_TRUE(change["before_v"].is_null());
  EXPECT_TRUE(change["is_change"]);
  EXPECT_THAT(gridiron("diff with with").out, HasSubstr("Nothing has changed"));
  EXPECT_THAT(gridiron("diff with more").out, HasSubstr("+20.00 mV"));
}

TEST_F(BudgetCommand, SharesOfNothingAreWarnings) {
  write("zero.sp", "* t\nv1 vdd 0 1\nr1 vdd a 1\nia a 0 0\nib a 0 1m\n.end\n");
  write("share.csv", "each,*,200%\n");
  const Outcome run = gridiron("ir zero.sp --budget share.csv --strict");
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("1 of 2 loads of this rule draw 0 A in the deck"));
}

TEST_F(BudgetCommand, ErrorsAreOneLineAndLeaveNothing) {
  write("bad.csv", "each,*,2mA\nsum,zz,1A\n");
  const Outcome run = gridiron("ir d.sp --budget bad.csv --out bad");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "gridiron: bad.csv:2:1: \"zz\" means no load; name current sources or instances of the netlist\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad/report.json"));
  EXPECT_EQ(gridiron("ir d.sp --budget none.csv").code, 2);
  EXPECT_EQ(gridiron("ir d.sp --budget b.csv --loads b.csv").code, 2);
  const Outcome alone = gridiron("ir d.sp --budget-node a");
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--budget-node a: there is no --budget to bound it over"));
  for (const char* option : {"--budget-worst 3", "--budget-solves 7"}) {
    const Outcome run = gridiron(std::string("ir d.sp ") + option);
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr(std::string(option) + ": there is no --budget that it is for"));
  }
  const Outcome unknown = gridiron("ir d.sp --budget b.csv --budget-node q");
  EXPECT_THAT(unknown.err, HasSubstr("--budget-node q: the netlist has no node of that name"));
}

}  // namespace
}  // namespace gridiron
