// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

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

TEST_F(TclTran, OneNet) {
  write("two.sp",
        "* t\nvvdd p 0 1\nr1 p a 1\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\nvvcc q 0 2\nr2 q b 1\ni2 b 0 0.1\n"
        ".tran 0.5n 10n\n.end\n");
  const Outcome run_of_one =
      run("read_spice two.sp\nset r [simulate_power_grid -net q -limit 35% -quiet]\n"
          "foreach n [dict get $r nets] {puts [dict get $n name]}\nputs [dict get $r unjudged nets]\n"
          "puts [catch {simulate_power_grid -net q -limit p:5%} m]\nputs $m\n");
  EXPECT_EQ(run_of_one.code, 0) << run_of_one.err;
  EXPECT_EQ(run_of_one.out, "q\np\n1\n-limit p: -net q leaves this net out; leave out one of the two\n");
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

/// A simulation of the deck that write_pg_spice writes is that of the deck that was read.
TEST_F(TclTran, WrittenDecksSimulateAlike) {
  write("dynamic.sp",
        "* t\nvdd board 0 1 sin(1 0.01 100meg)\nl1 board bump 0.2n ic=1m\nl2 bump mid 0.1n\nk1 l1 l2 0.5\nrp mid "
        "n1_m1_0_0 "
        "20m\nr1 n1_m1_0_0 n1_m1_2000_0 50m\nc0 n1_m1_0_0 0 50p ic=0.9\nc1 n1_m1_2000_0 0 200p\ni0 n1_m1_2000_0 0 "
        "pulse(20m 120m 0.2n 50p 50p 100p 2n)\ni1 n1_m1_0_0 0 pwl(0 0 1n 0.1 2n 0) r=0\n.tran 10p 5n uic\n"
        ".print tran v(n1_m1_2000_0)\n.end\n");
  ASSERT_EQ(run("read_spice dynamic.sp\nwrite_pg_spice written.sp\nset_load i0 30m\nwrite_pg_spice changed.sp\n").code,
            0);
  const auto waveforms = [&](const std::string& deck) {
    const Outcome simulated = gridiron("tran " + deck + " --out o --formats csv");
    EXPECT_EQ(simulated.code, 0) << simulated.err;
    std::istringstream rows(slurp(folder_ / "o/waveforms.csv"));
    std::string row;
    std::getline(rows, row);
    std::vector<double> numbers;
    while (std::getline(rows, row, ','))
      for (std::istringstream cells(row); cells >> row;) numbers.push_back(std::stod(row));
    return numbers;
  };
  const std::vector<double> as_read = waveforms("dynamic.sp"), as_written = waveforms("written.sp");
  EXPECT_GT(as_read.size(), 1000u);
  EXPECT_THAT(as_written, Pointwise(DoubleNear(1e-11), as_read)) << slurp(folder_ / "written.sp");
  const std::string changed = slurp(folder_ / "changed.sp");
  EXPECT_THAT(changed, HasSubstr("\ni0 n1_m1_2000_0 0 DC 0.03\n"));
  EXPECT_THAT(changed, HasSubstr("\ni1 n1_m1_0_0 0 DC 0 PWL(0 0 1e-09 0.1 2e-09 0) R=0\n"));
}

}  // namespace
}  // namespace gridiron
