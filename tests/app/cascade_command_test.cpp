// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --em-cascade`: tables, limits and bad input.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CascadeCommand : public test::Tool {
 protected:
  CascadeCommand() {
    write("deck.sp",
          "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n"
          "R2 n1_m1_0_0 n1_m2_0_0 1\nR3 n1_m2_0_0 n1_m2_100000_0 1\nR4 n1_m2_100000_0 n1_m1_100000_0 1\n.end\n");
    write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\nm2,1,0.5\n");
  }
  Outcome ir(const std::string& options) const {
    return gridiron("ir deck.sp --quiet --em-layers layers.csv " + options);
  }
  std::string error(const std::string& options) const {
    const Outcome outcome = ir(options);
    EXPECT_EQ(outcome.code, 2) << options << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
};

const std::string kStress = "--em-stress default --em-lifetime 1e7y ";

TEST_F(CascadeCommand, WritesTables) {
  ASSERT_EQ(ir(kStress + "--em-cascade 4 --em-void 0.05 --em-liner 40 --out r --formats text,csv,json,html").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/cascade.csv"),
              HasSubstr("stage,tree,net,layer,node,x_um,y_um,segment,before_ohm,after_ohm,time_s,error_s,worst_node,"
                        "worst_drop_v,bound_v,verdict\n1,0,n1,m1,n1_m1_100000_0,100,0,R1,1,2.9995"));
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("Segments that fail by voids of 0.05 um, with a liner of 40 ohm/um: 1 stage\n"
                        "no load is cut off until 1e+07 y, when no further segment has failed; no limit on drops was "
                        "given, and so none is judged\n"));
  EXPECT_THAT(slurp(folder_ / "r/cascade.csv"), HasSubstr(",no limit\n"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"end\": \"horizon\""));
  EXPECT_THAT(slurp(folder_ / "r/report.html"), HasSubstr("\"failures\":[{"));
  ASSERT_EQ(ir(kStress + "--em-cascade 4 --em-void 0.05 --em-liner 40 --threads 1 --out s").code, 0);
  EXPECT_EQ(slurp(folder_ / "r/cascade.csv"), slurp(folder_ / "s/cascade.csv"));
  ASSERT_EQ(ir(kStress + "--out r").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/cascade.csv"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"cascade\": null"));
}

TEST_F(CascadeCommand, EndsAtALimit) {
  const Outcome outcome = ir(kStress + "--em-cascade 4 --em-void 0.05 --limit 20mV --out r");
  EXPECT_EQ(outcome.code, 0) << "limits judge the grid as it is; " << outcome.err;
  const std::string limit = "net n1: worst drop of ";
  EXPECT_THAT(
      slurp(folder_ / "r/summary.txt"),
      ContainsRegex("IR-drop failure after .*, at stage 1: a limit is exceeded, " + limit + ".* exceeds 20 mV"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"limit\": \"" + limit));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"exceeded\": \"" + limit));
  EXPECT_THAT(slurp(folder_ / "r/report.html"), HasSubstr("\"exceeded\":\"" + limit));
  EXPECT_THAT(slurp(folder_ / "r/cascade.csv"), HasSubstr(",exceeded\n"));
}

TEST_F(CascadeCommand, EndsBeforeItBeginsAtALimitThatIsExceededToday) {
  const Outcome outcome = ir(kStress + "--em-cascade 4 --em-void 0.05 --limit 1mV --limit average=90% --out r");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const std::string limit = "net n1: worst drop of 7.5 mV exceeds 1 mV";
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("\nIR-drop failure today, without any failure of metal: a limit is exceeded, " + limit));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"exceeded\": \"" + limit));
  EXPECT_THAT(slurp(folder_ / "r/report.html"), HasSubstr("\"exceeded\":\"" + limit));
}

TEST_F(CascadeCommand, TellsThatNoLimitIsExceeded) {
  ASSERT_EQ(ir(kStress + "--em-cascade 4 --em-void 0.05 --em-liner 40 --limit 90% --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("\nno IR-drop failure until 1e+07 y, when no further segment has failed\n"));
  EXPECT_THAT(slurp(folder_ / "r/cascade.csv"), HasSubstr(",ok\n"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"has_limit\": true"));
}

TEST_F(CascadeCommand, ClaimsNothingOfWhatItDoesNotJudge) {
  const std::string cascade = kStress + "--em-cascade 4 --em-void 0.05 --em-liner 40 --limit 90% --out r";
  ASSERT_EQ(gridiron("ir deck.sp --quiet " + cascade).code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("\nnothing was judged: segments fail in trees of known geometry only, and that of 2 trees is "
                        "unknown\n"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"unjudged_trees\": 2"));
  write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\n");
  ASSERT_EQ(ir(cascade).code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("when no further segment has failed; in 1 tree of unknown geometry no segment fails\n"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"unjudged_trees\": 1"));
  write("deck.sp", "V1 a 0 1\nR1 a b 1\nI1 b 0 10m\n.end\n");
  ASSERT_EQ(gridiron("ir deck.sp --quiet " + cascade).code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              HasSubstr("\nnothing was judged: there is no metal whose segments could fail\n"));
}

TEST_F(CascadeCommand, TellsTimesAndTheirErrorsInOneUnit) {
  write("metal.csv",
        "parameter,value\natomic_volume_m3,1.182e-29\neffective_charge,1\ncritical_stress_pa,4.1e7\n"
        "residual_stress_pa,0\nbulk_modulus_pa,2.8e10\ndiffusivity_m2_s,1\nactivation_energy_ev,1\n"
        "temperature_c,105\n");
  ASSERT_EQ(ir("--em-stress metal.csv --em-lifetime 10y --em-cascade 4 --em-void 0.05 --em-liner 40 --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"),
              ContainsRegex(" 1 +[0-9.e+]+ s +[0-9.e+-]+ s +n1 +m1 +n1_m1_100000_0 +R1"));
}

TEST_F(CascadeCommand, TellsThatLoadsAreCutOff) {
  ASSERT_EQ(ir(kStress + "--em-cascade 4 --em-void 0.05 --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr(": loads are cut off"));
  EXPECT_THAT(slurp(folder_ / "r/cascade.csv"), HasSubstr(",,,,cut off\n"));
}

TEST_F(CascadeCommand, DiffTellsTimesAndParameters) {
  const std::string cascade = "--em-cascade 4 --em-void 0.05 --limit 20mV ";
  ASSERT_EQ(ir(kStress + cascade + "--out a").code, 0);
  ASSERT_EQ(shell("sed 's/I1 n1_m1_100000_0 0 10m/I1 n1_m1_100000_0 0 12m/' deck.sp > more.sp").code, 0);
  ASSERT_EQ(gridiron("ir more.sp --quiet --em-layers layers.csv " + kStress + cascade + "--out b").code, 0);
  const Outcome sooner = gridiron("diff a b --out changes");
  ASSERT_EQ(sooner.code, 0) << sooner.err;
  EXPECT_THAT(sooner.out, ContainsRegex("first void +[0-9.e+]+ y +[0-9.e+]+ y +[0-9.e+]+ y +[0-9.e+]+ y +earlier"));
  EXPECT_THAT(sooner.out,
              ContainsRegex("IR-drop failure +[0-9.e+]+ y +[0-9.e+]+ y +[0-9.e+]+ y +[0-9.e+]+ y +earlier"));
  EXPECT_EQ(sooner.out.find("parameter"), sooner.out.npos);
  EXPECT_THAT(slurp(folder_ / "changes/diff.json"), HasSubstr("\"em_parameters\": []"));
  EXPECT_THAT(slurp(folder_ / "changes/diff.html"), HasSubstr("Times of electromigration"));
  EXPECT_THAT(gridiron("diff b a").out, ContainsRegex("IR-drop failure .* later"));
  EXPECT_THAT(gridiron("diff a a").out, HasSubstr("Nothing has changed"));

  ASSERT_EQ(ir(kStress + "--em-cascade 4 --em-void 0.06 --limit 20mV --out c").code, 0);
  const std::string other = gridiron("diff a c --out changes").out;
  EXPECT_THAT(other, HasSubstr("\n1 parameter of electromigration differs: "));
  EXPECT_THAT(other, ContainsRegex("void_um +0.05 +0.06"));
  EXPECT_THAT(slurp(folder_ / "changes/diff.json"), HasSubstr("\"name\": \"void_um\""));

  ASSERT_EQ(ir("--em-stress default --out d").code, 0);
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out e").code, 0);
  EXPECT_THAT(gridiron("diff a d").out, HasSubstr("Only the run before has times of voids (nucleation.csv), which is "
                                                  "not compared.\nOnly the run before has a cascade of failures"));
  EXPECT_THAT(gridiron("diff e d").out, HasSubstr("Only the run after has the stress of metal (stress.csv), which"));
}

TEST_F(CascadeCommand, DiffTellsChangedRules) {
  write("rules.csv", "layer,kind,a_per_um\nm1,average,1\nm2,average,1\n");
  ASSERT_EQ(ir("--em-rules rules.csv --out a").code, 0);
  write("rules.csv", "layer,kind,a_per_um\nm1,average,2\nm2,average,1\nm2,peak,1\n");
  ASSERT_EQ(ir("--em-rules rules.csv --out b").code, 0);
  const std::string text = gridiron("diff a b").out;
  EXPECT_THAT(text, HasSubstr("2 parameters of electromigration differ"));
  EXPECT_THAT(text, ContainsRegex("rule m1 average a_per_um +1 +2\n"));
  EXPECT_THAT(text, ContainsRegex("rule m2 peak a_per_um +- +1\n"));
  write("rules.csv", "layer,kind,a_per_um\nM1,average,2\nM2,average,1\nm2,peak,1\n");
  ASSERT_EQ(ir("--em-rules rules.csv --out c").code, 0);
  EXPECT_THAT(gridiron("diff b c").out, HasSubstr("Nothing has changed"));
}

TEST_F(CascadeCommand, RefusesBadInput) {
  const std::string cascade = kStress + "--em-cascade 2 --em-void 0.1 ";
  EXPECT_THAT(error(kStress + "--em-cascade 2 --em-void 1e-12"), HasSubstr("--em-void 1e-12: a void of less than an"));
  EXPECT_THAT(error(kStress + "--em-cascade 0 --em-void 0.1"), HasSubstr("--em-cascade"));
  EXPECT_THAT(error(kStress + "--em-cascade -3 --em-void 0.1"), HasSubstr("--em-cascade"));
  EXPECT_THAT(error(kStress + "--em-cascade 2.5 --em-void 0.1"), HasSubstr("--em-cascade"));
  for (const char* bad : {"0", "-1", "nan", "inf"})
    EXPECT_THAT(error(kStress + "--em-cascade 2 --em-void " + bad), HasSubstr("--em-void"));
  EXPECT_THAT(error(kStress + "--em-cascade 2 --em-void 0.2um"), HasSubstr("'0.2um': expected a number, in um;"));
  EXPECT_THAT(error(cascade + "--em-liner 40ohm"), HasSubstr("'40ohm': expected a number, in ohm/um;"));
  for (const char* bad : {"0", "-1", "x"}) EXPECT_THAT(error(cascade + "--em-liner " + bad), HasSubstr("--em-liner"));
  EXPECT_THAT(error(kStress + "--em-cascade 2"), HasSubstr("--em-cascade: give --em-void, too"));
  EXPECT_THAT(error("--em-stress default --em-cascade 2 --em-void 0.1"),
              HasSubstr("--em-cascade: there is no --em-lifetime that it goes on from"));
  EXPECT_THAT(error("--em-stress default --em-void 0.1"),
              HasSubstr("--em-void: there is no --em-cascade that it is for"));
  EXPECT_THAT(error("--em-stress default --em-liner 1"), HasSubstr("--em-liner: there is no --em-cascade"));
  const Outcome outcome = gridiron("ir deck.sp --quiet --em-cascade 2 --em-void 0.1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no --em-stress that it goes on from"));
  write("deck.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 1m\n"
        "R2 n1_m1_10000_0 n1_m1_20000_0 1\nG1 n1_m1_20000_0 0 n1_m1_10000_0 0 1u\n.end\n");
  write("layers.csv", "layer,width_um,thickness_um\nm1,1,0.5\n");
  EXPECT_THAT(error(cascade), HasSubstr("is a controlled source, so that errors are estimated, not bounded by a proof; "
                                        "--em-cascade needs the bounds"));
}

TEST_F(CascadeCommand, DiffTellsThatLimitsOnDropsDiffer) {
  const std::string cascade = kStress + "--em-cascade 4 --em-void 0.05 ";
  ASSERT_EQ(ir(cascade + "--limit 20mV --limit n1:average=90% --out a").code, 0);
  ASSERT_EQ(ir(cascade + "--limit 25mV --out b").code, 0);
  ASSERT_EQ(ir(cascade + "--limit 0.025V --out c").code, 0);
  const Outcome differ = gridiron("diff a b");
  EXPECT_THAT(differ.out, HasSubstr("limits on drops")) << differ.err;
  EXPECT_THAT(differ.out, HasSubstr("n1:average=90%, worst=0.02V")) << differ.err;
  EXPECT_THAT(gridiron("diff b c").out, Not(HasSubstr("limits on drops")));
}

TEST_F(CascadeCommand, DiffTakesNamesOfNetsAsSpiceDoes) {
  const std::string cascade = kStress + "--em-cascade 4 --em-void 0.05 --limit 25mV ";
  ASSERT_EQ(ir(cascade + "--limit n1:m1:p95=90% --limit n1:average=90% --out a").code, 0);
  ASSERT_EQ(ir(cascade + "--limit N1:average=90% --limit N1:M1:p95=90% --out b").code, 0);
  EXPECT_THAT(gridiron("diff a b").out, HasSubstr("Nothing has changed"));
  ASSERT_EQ(ir(cascade + "--limit N1:M1:p95=91% --limit n1:average=90% --out c").code, 0);
  EXPECT_THAT(gridiron("diff a c").out, HasSubstr("limits on drops"));
}

TEST_F(CascadeCommand, IsAnOptionOfTcl) {
  if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  write("script.tcl",
        "read_spice deck.sp\nanalyze_power_grid -quiet\n"
        "set s [find_stress -em_layers layers.csv -em_lifetime 1e7y -em_cascade 3 -em_void 0.05 -em_liner 40]\n"
        "puts \"[dict get $s cascade end] [dict get [lindex [dict get $s cascade stages] 0] after_ohm]\"\n"
        "puts [catch {find_stress -em_cascade 3 -em_void 0.05} m]:$m\n"
        "write_report out -formats csv\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Segments that fail by voids of 0.05 um, with a liner of 40 ohm/um: 1 stage"));
  EXPECT_THAT(outcome.out, HasSubstr("horizon 2.9995"));
  ASSERT_EQ(ir(kStress + "--em-cascade 3 --em-void 0.05 --em-liner 40 --out r").code, 0);
  EXPECT_EQ(slurp(folder_ / "out/cascade.csv"), slurp(folder_ / "r/cascade.csv"));
}

}  // namespace
}  // namespace gridiron
