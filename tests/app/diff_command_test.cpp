// SPDX-License-Identifier: Apache-2.0
// `gridiron diff` and what `gridiron ir` tells about currents and causes, from the command line.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

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
