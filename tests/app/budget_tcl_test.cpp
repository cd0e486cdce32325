// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

/// Tcl's bound_over_budget, against `gridiron ir --budget`.
class TclBudget : public test::Tool {
 protected:
  void SetUp() override {
    if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
    write("d.sp", "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\nr3 b c 1\nia a 0 10m\nib b 0 10m\nic c 0 10m\n.end\n");
    write("b.csv", "each,*,200%\nsum,*,30mA\n");
  }
  Outcome run(const std::string& script) const {
    write("script.tcl", script);
    return gridiron("tcl script.tcl");
  }
};

TEST_F(TclBudget, BoundsTheGridThatWasAnalysed) {
  const Outcome bounded =
      run("read_spice d.sp\nanalyze_power_grid -quiet -limit worst=70mV\n"
          "set b [bound_over_budget b.csv -budget_node a]\nset net [lindex [dict get $b nets] 0]\n"
          "puts [format {%.6f %s %d %.6f} [dict get [lindex [dict get $net worst] 0] drop_v] [dict get $net net] "
          "[llength [dict get $net worst]] [dict get [lindex [dict get $b nodes] 0] drop_v]]\n"
          "write_report out -formats text,json,csv\n");
  ASSERT_EQ(bounded.code, 0) << bounded.err;
  EXPECT_THAT(bounded.out, HasSubstr("vdd: no node drops more than 80.00 mV (3 of 3 candidates bounded"));
  EXPECT_THAT(bounded.out, HasSubstr("0.080000 vdd 3 0.030000\n"));
  EXPECT_THAT(slurp(folder_ / "out" / "report.json"), HasSubstr("worst over budget"));
  ASSERT_EQ(gridiron("ir d.sp --budget b.csv --budget-node a --limit worst=70mV --out cli --formats csv").code, 1);
  EXPECT_EQ(slurp(folder_ / "out" / "budget.csv"), slurp(folder_ / "cli" / "budget.csv"));
}

TEST_F(TclBudget, FollowsChangesOfTheGridAndRefusesOthersOfTheLoads) {
  const Outcome changed =
      run("read_spice d.sp\nputs [catch {bound_over_budget b.csv} m]:$m\nset_resistor r1 2\nanalyze_power_grid -quiet\n"
          "set b [bound_over_budget b.csv -quiet]\n"
          "puts [format %.6f [dict get [lindex [dict get [lindex [dict get $b nets] 0] worst] 0] drop_v]]\n"
          "set_load ia 20m\nanalyze_power_grid -quiet\nputs [catch {bound_over_budget b.csv} m]:$m\n"
          "set_load ia 10m\nanalyze_power_grid -quiet\nputs [catch {bound_over_budget b.csv -budget_node x} m]:$m\n"
          "puts [catch {bound_over_budget none.csv} m]:$m\n");
  ASSERT_EQ(changed.code, 0) << changed.err;
  EXPECT_THAT(changed.out, HasSubstr("1:there is no analysis"));
  EXPECT_THAT(changed.out, HasSubstr("0.110000\n"));
  EXPECT_THAT(changed.out, HasSubstr("1:a budget bounds what the loads of the netlist may draw"));
  EXPECT_THAT(changed.out, HasSubstr("1:-budget_node x: the netlist has no node of that name"));
  EXPECT_THAT(changed.out, HasSubstr("1:none.csv"));
}

}  // namespace
}  // namespace gridiron
