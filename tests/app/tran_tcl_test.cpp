// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class TclTran : public test::Tool {
 protected:
  void SetUp() override {
    if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
    write("deck.sp",
          "* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 10p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.5n 10n\n.end\n");
  }
  Outcome run(const std::string& script) const {
    write("script.tcl", script);
    return gridiron("tcl script.tcl");
  }
};

TEST_F(TclTran, SimulatesTheNetlistThatWasRead) {
  const Outcome simulated =
      run("read_spice deck.sp\nset r [simulate_power_grid -limit worst=25% -window 2ns -out out -formats json,html]\n"
          "puts \"[format %.1e [dict get [lindex [dict get $r nets] 0] worst_time_s]] [dict get $r limit_exceeded] "
          "[llength [dict get $r windows]]\"\n");
  EXPECT_EQ(simulated.code, 0) << simulated.err;
  EXPECT_THAT(simulated.out, HasSubstr("trapezoidal to 10.00 ns, 20 steps"));
  EXPECT_THAT(simulated.out, HasSubstr("Limits: EXCEEDED"));
  EXPECT_THAT(simulated.out, HasSubstr("3.5e-09 1 5\n"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "report.html"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "nodes.csv"));
}

TEST_F(TclTran, InstancesOfTheLastSimulationOrAnalysis) {
  write("cells.sp",
        "* t\nvvdd p 0 1\nrp p a 1\nrg g 0 1\nca a g 1f\niu1_v a 0 pwl(0 0 2n 0 3n 0.1 4n 0)\n"
        "iu1_g 0 g pwl(0 0 2n 0 3n 0.1 4n 0)\niu2 a g 0.02\n.tran 0.5n 10n\n.end\n");
  const Outcome reported =
      run("read_spice cells.sp\nputs [catch report_instances]\nsimulate_power_grid -quiet\n"
          "foreach i [report_instances -count 5] {puts \"[dict get $i name] [format %.1e [dict get $i time_s]]\"}\n"
          "analyze_power_grid -quiet\nputs [dict exists [lindex [report_instances] 0] time_s]\n"
          "simulate_power_grid -quiet\nread_spice cells.sp\nputs [catch report_instances]\n");
  EXPECT_EQ(reported.code, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("iu1 3.0e-09\n"));
  EXPECT_THAT(reported.out, HasSubstr("iu2 3.0e-09\n"));
  EXPECT_TRUE(reported.out.starts_with("1\n")) << reported.out;
  EXPECT_THAT(reported.out, HasSubstr("\n0\n1\n"));
}

TEST_F(TclTran, ChangedGridsAreRefused) {
  for (const char* change : {"set_load i1 5m", "set_resistor r1 2"}) {
    const Outcome refused =
        run("read_spice deck.sp\n" + std::string(change) + "\nputs [catch {simulate_power_grid} m]\nputs $m\n");
    EXPECT_EQ(refused.code, 0) << refused.err;
    EXPECT_THAT(refused.out, HasSubstr("1\na simulation takes the netlist as it was read")) << change;
  }
  EXPECT_THAT(run("puts [catch {simulate_power_grid} m]\nputs $m\n").out, HasSubstr("1\n"));
}

}  // namespace
}  // namespace gridiron
