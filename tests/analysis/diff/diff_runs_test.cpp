// SPDX-License-Identifier: Apache-2.0
// What changed between two results in memory: figures, hot spots, bounds, limits on the change.
#include "analysis/diff/diff_runs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/analysed.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Nodes of net VDD along a line, 10 µm apart.
RunData line_of(const std::vector<double>& drops, const std::vector<int32_t>& spots, double bound_v = 1e-9) {
  RunData run;
  run.title = "line";
  run.nets = {{"VDD", false, 1}};
  run.layers = {"M1"};
  for (size_t k = 0; k < drops.size(); ++k) {
    run.names.intern(fmt::format("n{}", k));
    run.net.push_back(0);
    run.layer.push_back(0);
    run.x_um.push_back(10.0 * static_cast<double>(k));
    run.y_um.push_back(0);
    run.drop_v.push_back(drops[k]);
  }
  for (const int32_t spot : spots) run.hot_spots.push_back({spot, 0});
  run.hot_spot_distance_um = 25;
  run.bound_v = bound_v;
  return run;
}

std::vector<std::string> kinds_of(const RunDiff& diff) {
  constexpr const char* kWords[] = {"new", "gone", "moved", "changed"};
  std::vector<std::string> kinds;
  for (const SpotChange& spot : diff.spots)
    kinds.push_back(fmt::format("{} {} {}", kWords[static_cast<int>(spot.kind)], spot.node_before, spot.node_after));
  return kinds;
}

TEST(DiffRuns, OfARunWithItselfIsEmpty) {
  const RunData run = line_of({0.01, 0.05, 0.02, 0.01, 0.01, 0.03}, {1, 5});
  const RunDiff diff = diff_runs(run, run, {parse_change_limit("worst=+0uV"), parse_change_limit("node=+0uV")});
  EXPECT_TRUE(diff.is_empty());
  EXPECT_THAT(diff.spots, testing::IsEmpty());
  for (const ChangeLimitResult& limit : diff.limits) EXPECT_FALSE(limit.exceeded || limit.undecided);
  for (const double change : diff.change_v) EXPECT_EQ(change, 0);
}

TEST(DiffRuns, FiguresOfNetsAndLayers) {
  const RunDiff diff = diff_runs(line_of({0.01, 0.05, 0.02}, {1}), line_of({0.02, 0.04, 0.03}, {1}));
  EXPECT_FALSE(diff.is_empty());
  ASSERT_EQ(diff.nets.size(), 1u);
  const NetChange& net = diff.nets[0];
  EXPECT_NEAR(net.whole.worst.change_v(), -0.01, 1e-15);
  EXPECT_NEAR(net.whole.average.change_v(), 0.01 / 3, 1e-15);
  EXPECT_NEAR(net.p50.change_v(), 0.01, 1e-15);
  EXPECT_EQ(net.risen, 2);
  EXPECT_EQ(net.fallen, 1);
  EXPECT_EQ(net.largest_fall.after, 1);
  ASSERT_EQ(net.layers.size(), 1u);
  EXPECT_EQ(net.layers[0].layer, "M1");
  EXPECT_EQ(net.layers[0].worst_after, "n1");
  EXPECT_THAT(kinds_of(diff), ElementsAre("changed n1 n1"));
}

TEST(DiffRuns, ChangesWithinTheBoundsAreNone) {
  const RunData before = line_of({0.01, 0.05, 0.02}, {1}, 1e-3);
  EXPECT_TRUE(diff_runs(before, line_of({0.0115, 0.0485, 0.02}, {1}, 1e-3)).is_empty()) << "1.5 mV of 2 mV";
  EXPECT_FALSE(diff_runs(before, line_of({0.0125, 0.05, 0.02}, {1}, 1e-3)).is_empty()) << "2.5 mV";
  EXPECT_FALSE(diff_runs(before, line_of({0.0115, 0.0485, 0.02}, {1}, 1e-6)).is_empty());
}

TEST(DiffRuns, HotSpotsMoveAppearAndGo) {
  const RunData before = line_of({0.01, 0.05, 0.02, 0.01, 0.01, 0.01, 0.01, 0.03, 0.01, 0.01}, {1, 7});
  EXPECT_THAT(
      kinds_of(diff_runs(before, line_of({0.01, 0.02, 0.05, 0.01, 0.01, 0.01, 0.01, 0.03, 0.01, 0.01}, {2, 7}))),
      ElementsAre("moved n1 n2"));
  EXPECT_THAT(kinds_of(diff_runs(before, line_of({0.01, 0.05, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01}, {1}))),
              ElementsAre("gone n7 n7"));
  EXPECT_THAT(kinds_of(diff_runs(line_of({0.01, 0.05, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01}, {1}), before)),
              ElementsAre("new n7 n7"));
  RunData grown = line_of({0.01, 0.05, 0.02, 0.01, 0.01, 0.01, 0.01, 0.03, 0.01, 0.01, 0.06}, {10, 1, 7});
  EXPECT_THAT(kinds_of(diff_runs(before, grown)), ElementsAre("new  n10"));
  EXPECT_EQ(diff_runs(before, grown).nets[0].only_after, 1);
  EXPECT_TRUE(std::isnan(diff_runs(before, grown).change_v[10]));
  EXPECT_THAT(kinds_of(diff_runs(grown, before)), ElementsAre("gone n10 "));
}

TEST(DiffRuns, AWorstNodeThatOnlyRoundingChoosesHasNotMoved) {
  const RunData before = line_of({0.01, 0.05, 0.0499999, 0.01}, {1}, 1e-6);
  const RunDiff diff = diff_runs(before, line_of({0.01, 0.0499999, 0.05, 0.01}, {2}, 1e-6));
  EXPECT_TRUE(diff.is_empty());
  // One that is among the ten of a net in one run only is not new as long as it dropped as much before.
  EXPECT_TRUE(diff_runs(line_of({0.05, 0, 0, 0, 0, 0.01}, {0}), line_of({0.05, 0, 0, 0, 0, 0.01}, {0, 5})).is_empty());
}

TEST(DiffRuns, NetsOfOneRunOnly) {
  const RunData before = line_of({0.01, 0.02}, {});
  RunData after = line_of({}, {});
  after.nets[0].name = "VDDA";
  for (const char* node : {"m0", "m1"}) {
    after.names.intern(node);
    after.net.push_back(0);
    after.layer.push_back(0);
    after.x_um.push_back(0);
    after.y_um.push_back(0);
    after.drop_v.push_back(0.5);
  }
  const RunDiff diff = diff_runs(before, after, {parse_change_limit("worst=+1mV")});
  ASSERT_EQ(diff.nets.size(), 2u);
  EXPECT_FALSE(diff.nets[0].is_in_before);
  EXPECT_FALSE(diff.nets[1].is_in_after);
  EXPECT_FALSE(diff.is_empty());
  ASSERT_EQ(diff.limits.size(), 2u);
  EXPECT_TRUE(diff.limits[0].exceeded) << "a rise from 0 to 0.5 V";
  EXPECT_DOUBLE_EQ(diff.limits[0].value_v, 0.5);
  EXPECT_TRUE(diff.limits[1].undecided) << "nobody knows what it drops now";
  EXPECT_EQ(diff.limits[1].open, "only the first run has it");
  EXPECT_TRUE(diff_runs(before, after, {parse_change_limit("VDDA:M1:worst=+1mV")}).limits[0].exceeded);
  EXPECT_TRUE(diff_runs(before, after, {parse_change_limit("VDD:M1:average=+1mV")}).limits[0].undecided);
}

TEST(DiffRuns, ARenamedNetIsTheSame) {
  const RunData before = line_of({0.01, 0.02, 0.03}, {});
  RunData after = line_of({0.01, 0.02}, {});
  after.nets[0].name = "CORE";
  for (const char* limit : {"worst=+1mV", "VDD:worst=+1mV", "core:node=+1mV"}) {
    const RunDiff diff = diff_runs(before, after, {parse_change_limit(limit)});
    ASSERT_EQ(diff.nets.size(), 1u);
    EXPECT_EQ(diff.nets[0].name_before, "VDD");
    EXPECT_FALSE(diff.is_empty());
    EXPECT_FALSE(diff.limits[0].exceeded || diff.limits[0].undecided) << limit;
    EXPECT_EQ(diff.nets[0].only_before, 1);
    EXPECT_EQ(diff.nets[0].worst_gone, 2);
  }
}

TEST(DiffRuns, ANewNodeLeavesALimitOnNodesOpen) {
  const RunData before = line_of({0.01, 0.02}, {});
  const auto judged = [&](double drop, const char* limit) {
    const RunDiff diff = diff_runs(before, line_of({0.01, 0.02, drop}, {}), {parse_change_limit(limit)});
    EXPECT_EQ(diff.nets[0].worst_new, 2);
    return diff.limits[0].exceeded ? "exceeded" : diff.limits[0].undecided ? "undecided" : "kept";
  };
  EXPECT_STREQ(judged(0.004, "node=+5mV"), "kept") << "it cannot have risen by more than it drops";
  EXPECT_STREQ(judged(0.015, "node=+5mV"), "undecided");
  EXPECT_STREQ(judged(0.015, "worst=+5mV"), "kept");
  EXPECT_STREQ(judged(0.5, "worst=+5mV"), "exceeded");
}

TEST(DiffRuns, LimitsAreDecidedByTheBounds) {
  const auto judged = [](double after, double bound_v, const std::string& limit, bool meets_tolerance = true) {
    RunData run = line_of({after}, {}, bound_v);
    run.meets_tolerance = meets_tolerance;
    const RunDiff diff = diff_runs(line_of({0.050}, {}, bound_v), run, {parse_change_limit(limit)});
    return diff.limits[0].exceeded ? "exceeded" : diff.limits[0].undecided ? "undecided" : "kept";
  };
  EXPECT_STREQ(judged(0.054, 1e-9, "worst=+5mV"), "kept");
  EXPECT_STREQ(judged(0.056, 1e-9, "worst=+5mV"), "exceeded");
  EXPECT_STREQ(judged(0.0549, 1e-4, "worst=+5mV"), "undecided");
  EXPECT_STREQ(judged(0.0551, 1e-4, "worst=+5mV"), "undecided");
  EXPECT_STREQ(judged(0.05001, 1e-4, "worst=+0mV"), "kept") << "no change that runs of this tolerance could show";
  EXPECT_STREQ(judged(0.05001, 1e-4, "node=+0mV"), "kept");
  EXPECT_STREQ(judged(0.0503, 1e-4, "node=+0mV"), "exceeded");
  EXPECT_STREQ(judged(0.05001, 1e-4, "worst=+0mV", false), "undecided") << "one of the runs misses its tolerance";
  EXPECT_STREQ(judged(0.05001, 1e-4, "worst=+0.1mV"), "undecided") << "the rise may be as much as 0.21 mV";
  EXPECT_STREQ(judged(0.0503, 0.05, "worst=+1mV"), "undecided") << "bounds above the limit decide nothing";
  EXPECT_STREQ(judged(0.0503, 0.05, "node=+1mV"), "undecided");
  EXPECT_STREQ(judged(0.0402, 1e-9, "node=-9mV"), "kept") << "every node falls by 9.8 mV";
  EXPECT_STREQ(judged(0.0402, 1e-9, "node=-10mV"), "exceeded");
  EXPECT_STREQ(judged(0.04, 1e-9, "worst=-5mV"), "kept");
  EXPECT_STREQ(judged(0.048, 1e-9, "worst=-5mV"), "exceeded");
  EXPECT_STREQ(judged(0.05, 1e-2, "worst=-5mV"), "undecided") << "it may have fallen by 5 mV";
  EXPECT_STREQ(judged(0.0605, 1e-9, "VDD:average=+1%"), "exceeded") << "of 1 V";
  EXPECT_STREQ(judged(0.0595, 1e-9, "VDD:M1:average=+1%"), "kept");
  EXPECT_STREQ(judged(0.0595, 1e-9, "node=+9mV"), "exceeded");
  EXPECT_STREQ(judged(0.0595, INFINITY, "worst=+1V"), "undecided") << "no certificate";
  EXPECT_STREQ(judged(0.05, INFINITY, "node=+1V"), "undecided");
}

TEST(DiffRuns, LimitsAsTyped) {
  EXPECT_DOUBLE_EQ(parse_change_limit("worst=+5mV").value, 5e-3);
  const ChangeLimit limit = parse_change_limit("VDD:M1:average=-1%");
  EXPECT_EQ(limit.net + " " + limit.layer + " " + limit.quantity, "VDD M1 average");
  EXPECT_DOUBLE_EQ(limit.value, -0.01);
  EXPECT_TRUE(limit.is_share);
  for (const char* text : {"worst=5mV", "5mV", "worst=+5", "worst=+5mA", "median=+5mV", "worst=+", "worst=+-5mV",
                           ":worst=+5mV", "VDD:M1:p95=+5mV", "VDD:M1:node=+5mV", ""})
    EXPECT_THAT(error_of<InputError>([&] { parse_change_limit(text); }), HasSubstr(fmt::format("limit {}: ", text)))
        << text;
  const RunData run = line_of({0.01}, {});
  EXPECT_THAT(error_of<InputError>([&] { diff_runs(run, run, {parse_change_limit("VSS:worst=+1mV")}); }),
              HasSubstr("they have VDD"));
  EXPECT_THAT(error_of<InputError>([&] { diff_runs(run, run, {parse_change_limit("VDD:M7:worst=+1mV")}); }),
              HasSubstr("on this layer"));
  RunData without = run;
  without.layers.clear();
  std::ranges::fill(without.layer, -1);
  for (const RunData* before : {&run, static_cast<const RunData*>(&without)})
    EXPECT_THAT(error_of<InputError>([&] { diff_runs(*before, without, {parse_change_limit("VDD:M1:worst=+1mV")}); }),
                HasSubstr("must tell the layers"));
}

std::string mesh(int side, double factor) {
  std::string deck = "* t\nv1 n1_m1_0_0 0 1\n";
  int r = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side)
        deck +=
            fmt::format("r{} n1_m1_{}_{} n1_m1_{}_{} {}\n", r++, 2000 * i, 2000 * j, 2000 * i + 2000, 2000 * j, 1.0);
      if (j + 1 < side)
        deck += fmt::format("r{} n1_m1_{}_{} n1_m1_{}_{} {:.17g}\n", r++, 2000 * i, 2000 * j, 2000 * i, 2000 * j + 2000,
                            i == 0 ? 1 / factor : 1.0);
      deck += fmt::format("i{}_{} n1_m1_{}_{} 0 1m\n", i, j, 2000 * i, 2000 * j);
    }
  return deck + ".end\n";
}

/// Results in memory: two engines agree within their bounds, and a widened strap gains what its solve says.
TEST(DiffRuns, OfResultsInMemory) {
  const auto with = [](const char* engine, double tolerance) {
    IrOptions options;
    options.engine = engine;
    options.tolerance_v = tolerance;
    options.context.device = "cpu";
    return options;
  };
  const Analysed direct(mesh(20, 1), with("cholmod", 1e-9)), iterative(mesh(20, 1), with("aggamg", 1e-5)),
      widened(mesh(20, 1.5), with("cholmod", 1e-9));
  EXPECT_TRUE(diff_runs(run_of(direct.result), run_of(iterative.result)).is_empty());
  EXPECT_TRUE(diff_runs(run_of(iterative.result), run_of(direct.result)).is_empty());
  const RunDiff diff = diff_runs(run_of(direct.result), run_of(widened.result), {parse_change_limit("worst=-1mV")});
  EXPECT_FALSE(diff.is_empty());
  EXPECT_FALSE(diff.limits[0].exceeded || diff.limits[0].undecided);
  const double gain = direct.net("n1").worst_drop_v - widened.net("n1").worst_drop_v;
  EXPECT_GT(gain, 1e-3);
  EXPECT_DOUBLE_EQ(diff.nets[0].whole.worst.change_v(), -gain);
  ASSERT_EQ(diff.spots.size(), 1u);
  EXPECT_DOUBLE_EQ(diff.spots[0].drop.change_v(), -gain);
}

}  // namespace
}  // namespace gridiron
