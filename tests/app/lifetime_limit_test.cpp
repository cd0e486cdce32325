// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --limit lifetime=10y`: what it is on, with what exit code it ends, and bad input.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class LifetimeLimit : public test::Tool {
 protected:
  LifetimeLimit() {
    write("deck.sp",
          "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n"
          "R2 n1_m1_0_0 n1_m2_0_0 1\nR3 n1_m2_0_0 n1_m2_100000_0 1\nR4 n1_m2_100000_0 n1_m1_100000_0 1\n.end\n");
    write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\nm2,1,0.5\n");
  }
  Outcome ir(const std::string& options) const {
    return gridiron("ir deck.sp --quiet --em-layers layers.csv --em-stress default " + options);
  }
  void expect(const std::string& options, int code, const std::string& what) const {
    const Outcome outcome = ir(options + " --out r");
    EXPECT_EQ(outcome.code, code) << options << outcome.err;
    if (code == 0)
      EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr(what)) << options;
    else
      EXPECT_THAT(outcome.err, HasSubstr(what)) << options;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), code == 0 ? 0 : 1) << outcome.err;
  }
};

TEST_F(LifetimeLimit, OnTheFirstVoid) {
  expect("--em-lifetime 1e7y --limit lifetime=1e6y", 1, "limit exceeded: lifetime of ");
  expect("--em-lifetime 1e7y --limit lifetime=1e6y", 1, " to the first void, in tree 0, is below 1e+06 y");
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), ContainsRegex("\nlimit: lifetime of .*, EXCEEDED\n"));
  const std::string json = slurp(folder_ / "r/report.json");
  EXPECT_THAT(json, HasSubstr("\"of\": \"first_void\""));
  EXPECT_THAT(json, HasSubstr("\"limit_exceeded\": true"));
  expect("--em-lifetime 1e7y --limit lifetime=1s", 0, "is above 1 s, ok\n");
  expect("--em-lifetime 10s --limit lifetime=10s", 0, "lifetime to the first void is above 10 s, ok\n");
}

TEST_F(LifetimeLimit, IsOpenWithinErrors) {
  ASSERT_EQ(ir("--em-lifetime 1e7y --out r").code, 0);
  const std::string table = slurp(folder_ / "r/nucleation.csv");
  std::string row = table.substr(table.find('\n') + 1);
  for (int k = 0; k < 6; ++k) row = row.substr(row.find(',') + 1);
  const double time_s = std::stod(row), error_s = std::stod(row.substr(row.find(',') + 1));
  ASSERT_GT(error_s, 0);
  const auto limit = [&](double time) { return "--em-lifetime 1e7y --limit lifetime=" + std::to_string(time) + "s"; };
  expect(limit(time_s - 0.5 * error_s), 4, "leaves it open");
  expect(limit(time_s - 1.1 * error_s), 0, ", ok\n");
  expect(limit(time_s + 1), 1, "is below");
}

TEST_F(LifetimeLimit, OnSamples) {
  const std::string samples = "--em-lifetime 1e7y --em-samples 2000 --em-sigma 0.3 ";
  expect(samples + "--limit lifetime@5%=1e6y", 1, "that 5 % of the samples do not reach is below 1e+06 y");
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"percent\": 5"));
  expect(samples + "--limit lifetime@5%=1s", 0, "that 5 % of the samples do not reach is above 1 s, ok\n");
  expect(samples + "--limit lifetime@0.01%=1s", 4, "leaves it open");
}

TEST_F(LifetimeLimit, OnTheFailureOfTheGridWithACascade) {
  const std::string cascade = "--em-lifetime 1e7y --em-void 0.05 --limit 20mV ";
  expect(cascade + "--em-cascade 4 --limit lifetime=1e7y", 1, " to the IR-drop failure, at stage 1, is below 1e+07 y");
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"of\": \"ir_drop_failure\""));
  expect(cascade + "--em-cascade 4 --limit lifetime=1s", 0, "at stage 1, is above 1 s, ok\n");
  const std::string liner = "--em-lifetime 1e7y --em-void 0.05 --em-liner 40 --limit 90% ";
  expect(liner + "--em-cascade 4 --limit lifetime=1e7y", 0, "lifetime to the IR-drop failure is above 1e+07 y, ok\n");
  expect(liner + "--em-cascade 1 --limit lifetime=1e7y", 4,
         "the 1 stage at most that a cascade was to have end after ");
}

TEST_F(LifetimeLimit, IsOpenWhereGeometryIsUnknown) {
  write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\n");
  expect("--em-lifetime 10s --limit lifetime=10s", 4, "the lifetime of 1 metal tree is not known");
  expect("--em-lifetime 1e7y --limit lifetime=1e7y", 1, "is below");
}

TEST_F(LifetimeLimit, TellsOfNetsThatAreLeftOut) {
  write("deck.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n"
        "V2 n2_m1_0_9000 0 0\nR2 n2_m1_0_9000 n2_m1_20000_9000 1\nI2 0 n2_m1_20000_9000 10u\n.end\n");
  const std::string lifetime = "--em-lifetime 1e7y --net n2 --strict ";
  const std::string limits = "limits on stress and lifetimes do not judge n1, which --net leaves out; leave --net out";
  expect(lifetime + "--limit lifetime=1e6y", 3, limits);
  expect(lifetime + "--limit stress=80%", 3, limits);
  expect(lifetime + "--em-cascade 3 --em-void 0.1 --limit n2:50mV", 3, "a cascade of failures does not follow n1");
  ASSERT_EQ(ir("--em-lifetime 1e7y --net n2 --limit lifetime=1e6y --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/report.json"), ContainsRegex("\"unjudged\": \\{\\s*\"nets\": \\[\\s*\"n1\""));
  ASSERT_EQ(ir("--em-lifetime 1e7y --net n2 --limit n2:50mV --strict").code, 0);
  if (!GRIDIRON_HAS_TCL) return;
  write("script.tcl",
        "read_spice deck.sp\nanalyze_power_grid -quiet -net n2\n"
        "foreach limit {lifetime=1e6y stress=80%} {\n"
        "find_stress -quiet -em_layers layers.csv -em_lifetime 1e7y -limit $limit\n}\nwrite_report out\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string summary = slurp(folder_ / "out/summary.txt");
  const size_t first = summary.find("do not judge n1");
  EXPECT_NE(first, std::string::npos) << summary;
  EXPECT_EQ(summary.find("do not judge n1", first + 1), std::string::npos) << summary;
}

TEST_F(LifetimeLimit, TellsOfIslandsThatAreLeftOut) {
  write("deck.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_20000_0 1\nI1 n1_m1_20000_0 0 10u\n"
        "R2 n2_m1_0_9000 n2_m1_20000_9000 1\nI2 n2_m1_20000_9000 0 10u\n.end\n");
  const std::string told =
      "limits on stress and lifetimes are not judged in 1 island, of net n2, that is left out; "
      "connect it, or name another net by ";
  const std::string lifetime = "--em-lifetime 10s --ignore-opens ";
  expect(lifetime + "--limit lifetime=1s", 3, told + "--net [limit-left-out]");
  expect(lifetime + "--limit stress=80%", 3, told + "--net [limit-left-out]");
  expect(lifetime + "--limit stress=80% --limit n1:5%", 3, told);
  expect(lifetime + "--limit n1:5%", 0, "Limits: all kept");
  expect("--em-lifetime 10s --net n1 --limit lifetime=1s", 0, "is above 1 s, ok\n");
  if (!GRIDIRON_HAS_TCL) return;
  write("script.tcl",
        "read_spice deck.sp\nanalyze_power_grid -quiet -ignore_opens\n"
        "foreach limits {{-limit lifetime=1s} {-limit stress=80%} {}} {\n"
        "find_stress -quiet -em_layers layers.csv -em_lifetime 10s {*}$limits\nwrite_report out\n"
        "set file [open out/summary.txt]\nputs [regexp -all -inline {limits on stress[^\n]*} [read $file]]\n}\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  const std::string once = "{" + told + "-net [limit-left-out]}\n";
  EXPECT_EQ(outcome.out, once + once + "\n") << outcome.err;
}

TEST_F(LifetimeLimit, AdvisesATightToleranceOnlyWhereItMayDecide) {
  const std::string cascade = "--em-lifetime 1e7y --em-void 0.05 --em-liner 40 --limit 90% --em-cascade 1 ";
  const std::string options = "ir deck.sp --em-layers layers.csv --em-stress default ";
  const Outcome stages = gridiron(options + cascade + "--limit lifetime=1e7y");
  EXPECT_EQ(stages.code, 4);
  EXPECT_THAT(stages.out, HasSubstr("Next         what leaves limits undecided is told with them"));
  write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\n");
  const Outcome unknown = gridiron(options + "--limit stress=1000%");
  EXPECT_EQ(unknown.code, 4);
  EXPECT_THAT(unknown.out, HasSubstr("Next         what leaves limits undecided is told with them"));
}

TEST_F(LifetimeLimit, RefusesBadInput) {
  expect("--limit lifetime=10y", 2, "--limit lifetime: there is no --em-lifetime that it is for");
  expect("--em-lifetime 1y --limit lifetime=10y", 2, "--em-lifetime follows stress until 1 y only");
  expect("--em-lifetime 10y --limit lifetime@1%=10y", 2, "lifetime@1%: there are no --em-samples that it is for");
  for (const char* bad :
       {"lifetime=0", "lifetime=x", "lifetime@=10y", "lifetime@0%=10y", "n1:lifetime=10y", "lifetime=5%"})
    expect(std::string("--em-lifetime 10y --limit ") + bad, 2, "expected a time of all nets, like lifetime=10y");
  write("budget.csv", "each,I1,10m,0\n");
  expect("--em-lifetime 10y --limit lifetime=10y --budget budget.csv", 2,
         "--budget budget.csv: --limit lifetime judges the loads of the deck only");
  expect("--em-lifetime 10y --em-cascade 2 --em-void 0.1 --limit 5% --budget budget.csv", 2,
         "--budget budget.csv: --em-cascade judges the loads of the deck only");
  for (const char* bad : {"10m", "10My", "10ms", "10k", "10h", "10d", "1e3ks"}) {
    const std::string units = "units are s and y, without prefixes";
    expect(std::string("--em-lifetime 10y --limit lifetime=") + bad, 2, units);
    expect(std::string("--em-lifetime ") + bad, 2, units);
  }
  expect("--em-lifetime 10y --limit lifetime=10y --limit lifetime=9y", 2, "contradicts --limit lifetime=10y");
  expect("--em-lifetime 10y --em-cascade 2 --em-void 0.1 --limit lifetime=10y", 2, "give --limit on drops, too");
}

TEST_F(LifetimeLimit, IsAnOptionOfTcl) {
  if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  write("script.tcl",
        "read_spice deck.sp\nanalyze_power_grid -quiet\n"
        "set s [find_stress -quiet -em_layers layers.csv -em_lifetime 1e7y -limit lifetime=1e6y -limit stress=80%]\n"
        "puts \"[dict get [lindex [dict get $s lifetime_limits] 0] exceeded] [dict get $s limit exceeded]\"\n"
        "puts [catch {find_stress -limit worst=5%} m]:$m\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1:"));
}

}  // namespace
}  // namespace gridiron
