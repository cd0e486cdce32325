// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --em-rules`: files, limits and bad input.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class EmRulesCommand : public test::Tool {
 protected:
  EmRulesCommand() {
    write("deck.sp",
          "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 1m\n"
          "R2 n1_m1_10000_0 n1_m1_20000_0 1\nI2 n1_m1_20000_0 0 1m\nR3 n1_m1_10000_0 n1_m2_10000_0 1\n.end\n");
    write("layers.csv", "layer,width_um,thickness_um\nM1,2,\n");
    write("rules.csv", "# of M1\nlayer,kind,a_per_um\r\nM1,average,1.5e-3\nM7,average,1\n");
  }
  Outcome ir(const std::string& options) const { return gridiron("ir deck.sp --quiet " + options); }
  std::string error(const std::string& options) const {
    const Outcome outcome = ir(options);
    EXPECT_EQ(outcome.code, 2) << options << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
  std::string error_of(const std::string& rules, const std::string& options = "") const {
    write("r.csv", rules);
    return error("--em-rules r.csv --em-layers layers.csv " + options);
  }
};

TEST_F(EmRulesCommand, WritesATable) {
  ASSERT_EQ(ir("--em-rules rules.csv --em-layers layers.csv --out r").code, 0);
  // 2 mA and 1 mA on 2 µm, of 1.5 mA/µm.
  EXPECT_THAT(
      slurp(folder_ / "r/em.csv"),
      testing::StartsWith("segment,layer,from,to,width_um,average_a,rms_a,peak_a,rule,limit,value,ratio\n"
                          "R1,m1,n1_m1_0_0,n1_m1_10000_0,2,0.002,0.002,0.002,M1 average a_per_um,0.0015,0.001,0.66"));
  EXPECT_THAT(slurp(folder_ / "r/em.csv"), HasSubstr("\nR2,m1,n1_m1_10000_0,n1_m1_20000_0,2,0.001,"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"M1 average a_per_um\""));
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr("Electromigration rules: 2 segments, 0 above their limits"));
  ASSERT_EQ(ir("--out r").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/em.csv"));
}

TEST_F(EmRulesCommand, LimitsThatNoPlanKeepsNameWhatOneDoes) {
  write("run.tcl",
        "read_spice deck.sp\nanalyze_power_grid -em_rules rules.csv -em_layers layers.csv -limit em=50% -quiet\n"
        "propose_plan -widen m1=3\n");
  const Outcome tcl = gridiron("tcl run.tcl");
  EXPECT_EQ(tcl.code, 2) << tcl.err;
  EXPECT_THAT(tcl.err, HasSubstr("rules of electromigration, stress or lifetimes; give -em_limit LAYER=CURRENT, or a "
                                 "file layer,a_per_um,width_um"));
}

TEST_F(EmRulesCommand, JudgesLimits) {
  const std::string rules = "--em-rules rules.csv --em-layers layers.csv ";
  EXPECT_EQ(ir(rules + "--limit em=100%").code, 0);
  Outcome outcome = ir(rules + "--limit em=50%");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("limit exceeded: electromigration: 66.67 % of M1 average a_per_um in R1 exceeds 50 %"));
  write("cuts.csv", "layer,kind,a_per_um,a_per_cut\nM1,average,1,\nM1-M2,average,,1\n");
  outcome = ir("--em-rules cuts.csv --em-layers layers.csv --limit em=100%");
  EXPECT_EQ(outcome.code, 4) << "no deck tells cuts";
  EXPECT_THAT(outcome.err, HasSubstr("1 segment cannot be judged"));
  EXPECT_EQ(ir("--em-rules cuts.csv --em-layers layers.csv").code, 0) << "no limit, no verdict";
}

/// 1 mA forward for 5 ns, backward for 5 ns, on 2 µm: averages of 0.5 mA each way, 1 mA rms.
TEST_F(EmRulesCommand, SimulationsJudgeWhatFlowsEachWay) {
  write("tran.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\n"
        "I1 n1_m1_10000_0 0 PWL(0 1m 5n 1m 5.001n -1m 10n -1m)\n.tran 0.1n 10n\n.end\n");
  const auto row = [&](const std::string& rules, const std::string& options = "") {
    write("r.csv", "layer,kind,a_per_um\n" + rules);
    const Outcome outcome = gridiron("tran tran.sp --quiet --em-rules r.csv --em-layers layers.csv --out r " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string text = slurp(folder_ / "r/em.csv");
    text = text.substr(text.find('\n') + 1);
    std::vector<std::string> fields(1);
    for (const char c : text.substr(0, text.find('\n')))
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    return fields;
  };
  const auto ratio = [](const std::vector<std::string>& fields) { return std::stod(fields.at(11)); };
  EXPECT_NEAR(ratio(row("M1,average,1e-3\n")), 0.25, 1e-3) << "no recovery";
  EXPECT_NEAR(ratio(row("M1,average,1e-3\n", "--em-recovery 0.5")), 0.125, 1e-3);
  EXPECT_NEAR(ratio(row("M1,average,1e-3\n", "--em-recovery 1")), 0, 1e-3);
  EXPECT_NEAR(ratio(row("M1,rms,1e-3\n")), 0.5, 1e-3);
  const std::vector<std::string> peak = row("M1,peak,1e-3\nM1,average,1\n", "--limit em=100%");
  EXPECT_EQ(peak.at(8), "M1 peak a_per_um");
  EXPECT_NEAR(ratio(peak), 0.5, 1e-9);
  EXPECT_NEAR(std::stod(peak.at(5)), 0.5e-3, 1e-6) << "average";
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"M1 peak a_per_um\""));
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr("Electromigration rules: 1 segment, 0 above their limits"));
  EXPECT_EQ(gridiron("tran tran.sp --quiet --em-rules r.csv --em-layers layers.csv --limit em=40%").code, 1);
  EXPECT_EQ(gridiron("tran tran.sp --quiet --em-recovery 0.5").code, 2);
}

/// Up from 1 to 3 mA in 4 ns, at 3 mA for 2 ns, down to −3 mA in 4 ns: ∫ i² dt = 4 (1 + 3 + 9) / 3 + 2 · 9 + 4 · 9 / 3,
/// whatever the steps are between which the current is a straight line.
TEST_F(EmRulesCommand, RootMeanSquaresOfStraightLinesAreExact) {
  write("r.csv", "layer,kind,a_per_um\nM1,rms,1e-3\n");
  for (const std::string step : {"1n", "0.5n", "0.1n"}) {
    write("tran.sp",
          "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\n"
          "I1 n1_m1_10000_0 0 PWL(0 1m 4n 3m 6n 3m 10n -3m)\n.tran " +
              step + " 10n\n.end\n");
    ASSERT_EQ(gridiron("tran tran.sp --quiet --em-rules r.csv --em-layers layers.csv --out r").code, 0);
    const std::string text = slurp(folder_ / "r/em.csv");
    const size_t row = text.find("\nR1,");
    ASSERT_NE(row, text.npos);
    size_t field = row;
    for (int k = 0; k < 6; ++k) field = text.find(',', field) + 1;
    const double exact = 1e-3 * std::sqrt((4 * (1 + 3 + 9) / 3.0 + 2 * 9 + 4 * 9 / 3.0) / 10);
    EXPECT_NEAR(std::stod(text.substr(field)), exact, 1e-6 * exact) << step;
  }
}

TEST_F(EmRulesCommand, DiffTellsNewViolations) {
  const std::string options = " --quiet --em-rules rules.csv --em-layers layers.csv --out ";
  ASSERT_EQ(gridiron("ir deck.sp" + options + "before").code, 0);
  ASSERT_EQ(shell("sed 's/I1 n1_m1_10000_0 0 1m/I1 n1_m1_10000_0 0 3m/' deck.sp > more.sp").code, 0);
  ASSERT_EQ(gridiron("ir more.sp" + options + "after").code, 0);
  const Outcome outcome = gridiron("diff before after --out changes");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 violation new of electromigration rules, 0 gone."));
  EXPECT_THAT(outcome.out, HasSubstr("New violations of electromigration rules"));
  EXPECT_THAT(slurp(folder_ / "changes/diff.json"), HasSubstr("\"new_count\": 1"));
  const Outcome back = gridiron("diff after before");
  EXPECT_THAT(back.out, HasSubstr("0 violations new of electromigration rules, 1 gone."));
}

TEST_F(EmRulesCommand, DiffKnowsSegmentsByTheirEnds) {
  const std::string options = " --quiet --em-rules rules.csv --em-layers layers.csv --out ";
  const std::string head = "* dbu: 1000\nV1 n1_m1_0_0 0 1\nI1 n1_m1_10000_0 0 9m\n";
  write("before.sp", head + "R1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_0_0 n1_m1_10000_0 1\n.end\n");
  write("after.sp", head + "R1 n1_m1_10000_0 N1_M1_0_0 1\nR2 n1_m1_0_0 N1_M1_10000_0 1\n.end\n");
  ASSERT_EQ(gridiron("ir before.sp" + options + "before").code, 0);
  ASSERT_EQ(gridiron("ir after.sp" + options + "after").code, 0);
  EXPECT_THAT(gridiron("diff before after").out, HasSubstr("Nothing has changed"));
  write("after.sp", head + "R1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_0_0 n1_m1_10000_0 9\n.end\n");
  ASSERT_EQ(gridiron("ir after.sp" + options + "after").code, 0);
  EXPECT_THAT(gridiron("diff before after").out, HasSubstr("0 violations new of electromigration rules, 1 gone."));
}

TEST_F(EmRulesCommand, ALimitTellsOfNetsThatAreLeftOut) {
  write("two.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 1m\n"
        "V2 n2_m1_0_9000 0 1\nR2 n2_m1_0_9000 n2_m1_10000_9000 1\nI2 n2_m1_10000_9000 0 1m\n.tran 1n 4n\n.end\n");
  const std::string rules = " two.sp --em-rules rules.csv --em-layers layers.csv --net n1 --limit em=100% ";
  const std::string told = "limits on all nets do not judge n2, which --net leaves out; leave --net out";
  for (const std::string command : {"ir", "tran"}) {
    const Outcome strict = gridiron(command + rules + "--strict");
    EXPECT_EQ(strict.code, 3) << command;
    EXPECT_THAT(strict.err, HasSubstr(told)) << command;
    ASSERT_EQ(gridiron(command + rules + "--quiet --out r").code, 0) << command;
    EXPECT_THAT(slurp(folder_ / "r/report.json"),
                testing::ContainsRegex("\"unjudged\": \\{\\s*\"nets\": \\[\\s*\"n2\""));
    EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr(told)) << command;
  }
  if (!GRIDIRON_HAS_TCL) return;
  write("run.tcl",
        "read_spice two.sp\nset options {-em_rules rules.csv -em_layers layers.csv -net n1 -limit em=100% -quiet}\n"
        "puts [dict get [analyze_power_grid {*}$options] unjudged nets]\nwrite_report ir\n"
        "puts [dict get [simulate_power_grid {*}$options -out tran] unjudged nets]\n");
  const Outcome tcl = gridiron("tcl run.tcl");
  EXPECT_EQ(tcl.out, "n2\nn2\n") << tcl.err;
  for (const std::string command : {"ir", "tran"}) {
    const std::string summary = slurp(folder_ / command / "summary.txt");
    EXPECT_THAT(summary, HasSubstr("do not judge n2, which -net leaves out; leave -net out")) << command;
    EXPECT_EQ(summary.find('\x02'), summary.npos) << command;
  }
}

TEST_F(EmRulesCommand, MarkersShowViolations) {
  write("strict.csv", "layer,kind,a_per_um\nM1,average,0.8e-3\n");
  ASSERT_EQ(ir("--em-rules strict.csv --em-layers layers.csv --formats drc,lyrdb,html --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/markers.drc"), HasSubstr("violation type: Electromigration"));
  EXPECT_THAT(slurp(folder_ / "r/markers.drc"), HasSubstr("125 % of its rule, limit 100 %"));
  EXPECT_THAT(slurp(folder_ / "r/markers.lyrdb"), HasSubstr("<name>Electromigration</name>"));
  EXPECT_THAT(slurp(folder_ / "r/report.html"), HasSubstr("\"em_segments\":[{"));
}

TEST_F(EmRulesCommand, RefusesBadInput) {
  EXPECT_THAT(error_of(""), HasSubstr("r.csv: the file is empty"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\n"), HasSubstr("r.csv: the table has no rows"));
  EXPECT_THAT(error_of("layer,kind\nM1,average\n"), HasSubstr("r.csv:1:1: the header names no unit"));
  EXPECT_THAT(error_of("layer,kind,ma_per_um\nM1,average,1\n"),
              HasSubstr("r.csv:1:12: no column is called \"ma_per_um\""));
  EXPECT_THAT(error_of("layer,layer,a_per_um\nM1,average,1\n"),
              HasSubstr("r.csv:1:7: the column layer stands there twice"));
  EXPECT_THAT(error_of("layer,a_per_um\nM1,1\n"), HasSubstr("r.csv:1:1: the header lacks the column kind"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,mean,1\n"),
              HasSubstr("r.csv:2:4: unknown kind \"mean\"; there are average"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,average,\n"), HasSubstr("r.csv:2:1: this row has no limit"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,average,1m\n"),
              HasSubstr("r.csv:2:12: expected a number without suffix"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,average,0\n"), HasSubstr("r.csv:2:12: expected a limit in A above 0"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,average\n"), HasSubstr("r.csv:2:1: 2 fields, but the header has 3"));
  EXPECT_THAT(error_of("layer,kind,a_per_um,a_per_cut\nM1,average,1,1\n"),
              HasSubstr("r.csv:2:14: this row has two limits"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\n,average,1\n"), HasSubstr("r.csv:2:1: expected the name of a layer"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1,average,1\nm1,average,1\n"),
              HasSubstr("r.csv:3:1: layer m1 has two average rules for one width, the other at r.csv:2:1"));
  EXPECT_THAT(error_of("layer,kind,width_min_um,width_max_um,a_per_um\nM1,peak,0,2,1\nM1,peak,1,3,1\n"),
              HasSubstr("r.csv:3:1: layer M1 has two peak rules for one width"));
  EXPECT_THAT(error_of("layer,kind,width_min_um,width_max_um,a_per_um\nM1,peak,2,2,1\n"),
              HasSubstr("r.csv:2:11: width_max_um is not above width_min_um"));
  EXPECT_THAT(error_of("layer,kind,width_min_um,a_per_cut\nM1-M2,peak,2,1\n"),
              HasSubstr("r.csv:2:1: widths and lengths are of wires"));
  EXPECT_THAT(error_of("layer,kind,a_per_um,temperature_c\nM1,peak,2,-300\n"),
              HasSubstr("r.csv:2:11: expected a temperature above"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM7,average,1\n"),
              HasSubstr("r.csv:2:1: no rule is on a layer of segments, which are m1"));
  EXPECT_THAT(error_of("layer,kind,a_per_um\nM1-M2,average,1\n"),
              HasSubstr("r.csv:2:1: limits on M1-M2, which are cuts, are a_per_cut"));
  EXPECT_THAT(error_of("layer,kind,a_per_cut\nM1,average,1\n"),
              HasSubstr("r.csv:2:1: limits on M1, which is metal, are a_per_um"));
  const std::string at_two = "layer,kind,a_per_um,temperature_c\nM1,average,1,85\nM1,average,1,105\n";
  EXPECT_THAT(
      error_of(at_two),
      HasSubstr("r.csv:2:1: layer M1 has rules for 85 °C and others; give the temperature by --em-temperature"));
  EXPECT_THAT(error_of(at_two, "--em-temperature 120"),
              HasSubstr("r.csv:2:1: 120 °C is outside this table, which is for 85 to 105 °C"));
  EXPECT_THAT(
      error("--em-rules rules.csv"),
      HasSubstr("rules.csv:3:1: nothing tells the width of wires on layer M1; give it in a row of --em-layers"));
  EXPECT_THAT(error("--em-rules lef"), HasSubstr("--em-rules lef: this is no layout"));
  EXPECT_THAT(error("--em-rules none.csv"), HasSubstr("none.csv"));
  EXPECT_THAT(error("--em-temperature 100"), HasSubstr("--em-temperature: there are no --em-rules that it is for"));
  EXPECT_THAT(error("--limit em=100%"), HasSubstr("em: there are no --em-rules that it is for"));
  EXPECT_THAT(error("--em-rules rules.csv --em-layers layers.csv --limit em=1V"), HasSubstr("expected one share"));
  for (const char* bad : {"--em-temperature 1e300", "--em-temperature -273.15", "--em-temperature nan",
                          "--em-ea 0 --em-temperature 100", "--em-n 1e9 --em-temperature 100", "--em-frequency 0"})
    EXPECT_THAT(error(std::string("--em-rules rules.csv ") + bad), HasSubstr("expected")) << bad;
  for (const char* idle : {"--em-ea 1", "--em-n 1", "--em-rule-temperature 90"})
    EXPECT_THAT(error(std::string("--em-rules rules.csv ") + idle),
                HasSubstr(": there is no --em-temperature that it is for"));
  EXPECT_THAT(error("--em-rules rules.csv --em-cut-unit per-cut"),
              HasSubstr("--em-cut-unit: it is for the rules of LEF; columns of rules.csv name their units"));
  EXPECT_THAT(error("--em-rules rules.csv --em-cut-unit per-via"), HasSubstr("expected per-cut or per-um2"));
}

TEST_F(EmRulesCommand, TellsOfWidthsOfLayersThatAreAbsent) {
  write("rules.csv", "layer,kind,a_per_um\nM1,average,1\n");
  write("layers.csv", "layer,width_um,thickness_um\nmetl1,1,1\nM1,1,1\n");
  const std::string options = "ir deck.sp --quiet --em-rules rules.csv --em-layers layers.csv --out r";
  ASSERT_EQ(gridiron(options).code, 0);
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("no node is on layer metl1; there are nodes on"));
  write("layers.csv", "layer,width_um,thickness_um\nmetl1,1,1\n");
  const Outcome outcome = gridiron(options);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nothing tells the width of wires on layer M1; give it in a row of --em-layers"));
}

}  // namespace
}  // namespace gridiron
