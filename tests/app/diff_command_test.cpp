// SPDX-License-Identifier: Apache-2.0
// `gridiron diff` and what `gridiron ir` tells about currents and causes, from the command line.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"
#include "tests/npz.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class DiffCommand : public test::Tool {
 protected:
  json json_of(const std::string& file) const { return json::parse(slurp(folder_ / file)); }
  static constexpr const char* kDeck =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\nr2 n1_m1_2000_0 n1_m2_2000_0 1\ni1 n1_m2_2000_0 0 "
      "0.1\n.end\n";
  static constexpr const char* kWider =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 1.9\nr2 n1_m1_2000_0 n1_m2_2000_0 1\ni1 n1_m2_2000_0 0 "
      "0.1\n.end\n";
};

TEST_F(DiffCommand, ExitCodes) {
  write("a.sp", kDeck);
  write("b.sp", kWider);
  ASSERT_EQ(gridiron("ir a.sp --out a --quiet").code, 0);
  ASSERT_EQ(gridiron("ir b.sp --out b --quiet").code, 0);
  const Outcome same = gridiron("diff a a --out same");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("Nothing has changed"));
  EXPECT_TRUE(json_of("same/diff.json")["is_empty"]);
  const Outcome changed = gridiron("diff a b/report.json --out changed");
  EXPECT_EQ(changed.code, 0) << "without limits";
  EXPECT_NEAR(json_of("changed/diff.json")["nets"][0]["worst"]["change_v"].get<double>(), -0.01, 1e-12);
  for (const char* file : {"diff.txt", "diff.json", "diff.html", "map_n1_change.png"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "changed" / file)) << file;
  EXPECT_EQ(gridiron("diff b a --limit worst=+15mV --quiet").code, 0);
  const Outcome exceeded = gridiron("diff b a --limit worst=+5mV --quiet");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_EQ(exceeded.err, "gridiron: limit exceeded: net n1: worst drop rises by 10 mV, a rise of 5 mV was allowed\n");
  const Outcome undecided = gridiron("diff b a --limit worst=+10mV --quiet");
  EXPECT_EQ(undecided.code, 4) << undecided.err;
  EXPECT_THAT(undecided.err, HasSubstr("lower --tolerance of the runs"));
}

TEST_F(DiffCommand, LimitsThatTheRunsWereJudgedBy) {
  write("a.sp", kDeck);
  const auto run = [&](const std::string& out, const std::string& limits) {
    ASSERT_EQ(gridiron("ir a.sp --quiet --out " + out + limits).code, 0);
  };
  run("a", " --limit 40% --limit n1:m2:average=45% --em-limit m1-m2=1A --em-limit m1=1A");
  run("looser", " --limit 45% --limit n1:m2:average=45% --em-limit m1=0.5A");
  const Outcome told = gridiron("diff a looser --out d");
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("\nAttention: the second run was judged less strictly: its limit on worst of net n1 "
                                  "is 450.0 mV, and was 400.0 mV; 1 more, see the table.\n"));
  EXPECT_THAT(told.out, HasSubstr("\nLimits of the runs\n"));
  const json changes = json_of("d/diff.json")["run_limits"];
  ASSERT_EQ(changes.size(), 3u);
  const char* kinds[] = {"looser", "gone", "tighter"};
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(changes[k]["kind"], kinds[k]) << changes[k];
  EXPECT_EQ(changes[1]["layer"], "m1-m2");
  EXPECT_EQ(changes[2]["unit"], "A");
  EXPECT_THAT(gridiron("diff looser a").out, HasSubstr("its limit on current of net n1, layer m1 is 1.000 A, and was"));
  EXPECT_THAT(gridiron("diff a a").out, testing::Not(HasSubstr("Limits of the runs")));
}

TEST_F(DiffCommand, OfTwoDynamicRuns) {
  const auto deck = [](const std::string& ohm, const std::string& from) {
    return "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 " + ohm +
           "\nr2 n1_m1_2000_0 n1_m2_2000_0 1\nc1 n1_m2_2000_0 0 10p\ni1 n1_m2_2000_0 0 pulse(0 0.1 " + from +
           " 1n 1n 2n 20n)\n.tran 0.1n 10n\n.end\n";
  };
  write("a.sp", deck("2", "2n"));
  write("b.sp", deck("1.9", "4n"));
  for (const char* run : {"tran a.sp --out a", "tran b.sp --out b", "tran b.sp --max-step 50ps --out fine",
                          "tran a.sp --stop 5ns --out early", "ir a.sp --out static"})
    ASSERT_EQ(gridiron(std::string(run) + " --quiet --formats csv,json").code, 0) << run;
  const Outcome same = gridiron("diff a a --out same --limit node=+0uV");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("Nothing has changed: 3 nodes"));
  EXPECT_TRUE(json_of("same/diff.json")["is_empty"]);

  const Outcome changed = gridiron("diff a b/report.json --out changed --limit worst=-5mV --limit n1:m2:worst=+0uV");
  EXPECT_EQ(changed.code, 0) << changed.err;
  EXPECT_THAT(changed.out, HasSubstr("\nWorst moments\n"));
  EXPECT_THAT(changed.out, HasSubstr("\nNot compared: pads and segments over time, instances, windows,"));
  EXPECT_THAT(changed.out, HasSubstr("both runs step alike"));
  const json diff = json_of("changed/diff.json"), &net = diff["nets"][0];
  const json before = json_of("a/report.json")["nets"][0], after = json_of("b/report.json")["nets"][0];
  EXPECT_NEAR(net["worst"]["before_v"].get<double>(), before["worst_drop_v"].get<double>(), 1e-12);
  EXPECT_NEAR(net["worst"]["after_v"].get<double>(), after["worst_drop_v"].get<double>(), 1e-12);
  EXPECT_NEAR(net["worst"]["change_v"].get<double>(), -0.01, 1e-4);
  EXPECT_LT(net["worst"]["bound_v"].get<double>(), 1e-6);
  EXPECT_EQ(net["worst_moment"]["before_s"], before["worst_time_s"]);
  EXPECT_EQ(net["worst_moment"]["after_s"], after["worst_time_s"]);
  EXPECT_NEAR(net["worst_moment"]["after_s"].get<double>() - net["worst_moment"]["before_s"].get<double>(), 2e-9,
              2e-10);
  EXPECT_EQ(net["layers"].size(), 2);
  EXPECT_TRUE(diff["before"]["is_dynamic"]);
  EXPECT_EQ(diff["not_compared"].size(), 6);
  ASSERT_FALSE(diff["hot_spots"].empty());
  EXPECT_EQ(diff["hot_spots"][0]["kind"], "changed");
  EXPECT_EQ(gridiron("diff b a --limit worst=+5mV --quiet").code, 1);

  const double errors = json_of("b/report.json")["accuracy"]["local_time_error_v"].get<double>() +
                        json_of("fine/report.json")["accuracy"]["local_time_error_v"].get<double>();
  ASSERT_EQ(gridiron("diff b fine --out steps --quiet").code, 0);
  EXPECT_GE(json_of("steps/diff.json")["nets"][0]["worst"]["bound_v"].get<double>(), errors);
  const Outcome undecided = gridiron("diff b fine --limit worst=+10uV --quiet");
  EXPECT_EQ(undecided.code, 4) << undecided.err;
  EXPECT_THAT(undecided.err, HasSubstr("which step differently, are estimated at"));
  EXPECT_THAT(undecided.err, HasSubstr("give a shorter --step"));
  EXPECT_THAT(gridiron("diff a early").out, HasSubstr("Attention: the results are of different times"));

  const Outcome mixed = gridiron("diff static a");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_EQ(
      mixed.err,
      "gridiron: a: is a dynamic run, of 'tran', and static a static one, of 'ir'; compare two runs of one kind\n");
  std::filesystem::remove(folder_ / "a" / "nodes.csv");
  EXPECT_THAT(gridiron("diff a b").err, HasSubstr("nodes.csv: is missing; run again with csv"));
}

TEST_F(DiffCommand, DynamicRunsOfSeveralScenariosTellWhich) {
  write("a.sp", "* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 1p\ni1 a 0 0.1\n.tran 0.1n 4n\n.end\n");
  const auto npz = [&](const std::string& name, std::vector<double> scale) {
    test::write_npz(folder_ / name, {{"time.npy", test::npy("<f8", "(3,)", test::raw<double>({0, 1e-9, 2e-9}))},
                                     {"templates.npy", test::npy("<f8", "(1, 3)", test::raw<double>({0, 0.1, 0}))},
                                     {"source.npy", test::npy("|S2", "(1,)", "i1")},
                                     {"template.npy", test::npy("<i8", "(1,)", test::raw<int64_t>({0}))},
                                     {"scale.npy", test::npy("<f8", "(1, 2)", test::raw<double>(std::move(scale)))}});
  };
  npz("one.npz", {1, 2});
  npz("two.npz", {3, 2});
  for (const char* run : {"one", "two"})
    ASSERT_EQ(
        gridiron(std::string("tran a.sp --quiet --formats csv,json --waveforms ") + run + ".npz --out " + run).code, 0);
  ASSERT_EQ(gridiron("diff one two --out out --quiet").code, 0);
  const json moment = json_of("out/diff.json")["nets"][0]["worst_moment"];
  EXPECT_EQ(moment["scenario_before"], "1");
  EXPECT_EQ(moment["scenario_after"], "0");
}

TEST_F(DiffCommand, MistakesAreOneLine) {
  write("a.sp", kDeck);
  ASSERT_EQ(gridiron("ir a.sp --out a --quiet").code, 0);
  for (const char* arguments : {"diff a none", "diff a", "diff a a --limit 5mV", "diff a a --limit vss:worst=+5mV",
                                "diff a a --formats pdf --out x", "diff a a --formats json"}) {
    const Outcome run = gridiron(arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
  EXPECT_THAT(gridiron("diff a a --limit 5mV").err, HasSubstr("--limit 5mV: expected QUANTITY and a change"));
}

TEST_F(DiffCommand, AFailingComparisonLeavesNoOldReportBehind) {
  write("a.sp", kDeck);
  ASSERT_EQ(gridiron("ir a.sp --out a --quiet").code, 0);
  ASSERT_EQ(gridiron("diff a a --out d --quiet").code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder_ / "d" / "diff.json"));
  EXPECT_EQ(gridiron("diff a none --out d").code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d" / "diff.json"));
}

/// ibmpg1: two engines agree within their bounds; a deck with the ten segments widened that --why names gains what
/// --why says.
TEST_F(DiffCommand, OfIbmpg1) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg1.spice.bz2");
  ASSERT_EQ(gridiron("ir '" + deck + "' --engine cholmod --out a --formats csv,json --quiet --why worst").code, 0);
  ASSERT_EQ(gridiron("ir '" + deck + "' --engine aggamg --device cpu --out b --formats csv,json --quiet").code, 0);
  ASSERT_EQ(gridiron("diff a b --out engines --limit node=+0uV").code, 0);
  EXPECT_TRUE(json_of("engines/diff.json")["is_empty"]);
  const json report = json_of("a/report.json");
  const json& why = report["where"]["explanations"][0];
  ASSERT_EQ(why["segments"].size(), 10u);
  std::string names;
  for (const json& segment : why["segments"]) names += segment["resistor"].get<std::string>() + " ";
  ASSERT_EQ(
      shell("bzcat '" + deck + "' | awk -v names='" + names +
            "' 'BEGIN { n = split(tolower(names), list, \" \"); for (i = 1; i <= n; ++i) wide[list[i]] = 1 } { if "
            "(tolower($1) in wide) printf \"%s %s %s %.17g\\n\", $1, $2, $3, $4 / 1.2; else print }' > wide.sp")
          .code,
      0);
  ASSERT_EQ(gridiron("ir wide.sp --engine cholmod --out c --formats csv,json --quiet").code, 0);
  ASSERT_EQ(gridiron("diff a c --out gain --quiet").code, 0);
  const json diff = json_of("gain/diff.json");
  double change = 0;
  for (const json& spot : diff["hot_spots"])
    if (spot["node_before"] == why["node"] && spot["kind"] == "changed") change = spot["drop"]["change_v"];
  const double gain = why["widening"]["gain_v"];
  EXPECT_GT(gain, 1e-4);
  EXPECT_NEAR(change, -gain, 1e-11);
}

TEST_F(DiffCommand, CurrentLimitsAreLimits) {
  write("a.sp", kDeck);
  const Outcome exceeded = gridiron("ir a.sp --em-limit m1=90mA --em-limit m1-m2=1A --quiet --out a");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_EQ(exceeded.err, "gridiron: limit exceeded: net n1 layer m1: current of 100 mA in r1 exceeds 90 mA\n");
  EXPECT_TRUE(json_of("a/report.json")["limit_exceeded"]);
  EXPECT_EQ(gridiron("ir a.sp --em-limit m1=110mA --limit 50% --quiet").code, 0);
  EXPECT_EQ(gridiron("ir a.sp --em-limit m1=110mA --limit 10% --quiet").code, 1) << "the other limit";
  write("em.csv", "layer,a_per_um,width_um\nm1,0.5,0.19\nm7,1,1\n");
  EXPECT_EQ(gridiron("ir a.sp --em-limit em.csv --quiet").code, 1);
  EXPECT_THAT(gridiron("ir a.sp --em-limit nothing.csv").err,
              HasSubstr("--em-limit nothing.csv: neither LAYER=CURRENT"));
  EXPECT_EQ(gridiron("ir a.sp --em-limit m9=1mA").code, 2);
  const Outcome undecided = gridiron("ir a.sp --em-limit m1=100mA --quiet");
  EXPECT_EQ(undecided.code, 4) << "1 V − 0.8 V is rounded down";
  EXPECT_THAT(undecided.err,
              HasSubstr("limit undecided: net n1 layer m1: current of 100 mA in r1 is within 100 mA, but"));
}

TEST_F(DiffCommand, WhyNamesNodes) {
  write("a.sp", kDeck);
  const Outcome run = gridiron("ir a.sp --why worst --why n1_m1_2000_0");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nWhy n1_m2_2000_0 drops by 300.0 mV"));
  EXPECT_THAT(run.out, HasSubstr("\nWhy n1_m1_2000_0 drops by 200.0 mV"));
  const Outcome unknown = gridiron("ir a.sp --why elsewhere");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--why elsewhere: the netlist has no node of that name"));
}

}  // namespace
}  // namespace gridiron
