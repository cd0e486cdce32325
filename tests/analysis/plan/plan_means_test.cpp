// SPDX-License-Identifier: Apache-2.0
// Plans by several means, and what is widened: against exhaustion, and by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/plan/find_plan.hpp"
#include "tests/analysis/plan/exhausted_plans.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::small_grid;
using test::SmallGrid;

Plan plan_of(const std::string& deck, const PlanMeans& means, const std::vector<std::string>& limits) {
  SummaryOptions summary;
  summary.limits = parse_limits(limits);
  SolverOptions options;
  options.engine = "cholmod";
  Solver solver(System(test::design_of(deck)), options);
  return find_plan(solver, Loads(solver.system().design()), summary, means);
}

constexpr int kWidths = 5;
constexpr double kStep = 0.5, kPadOhm = 0.2;

/// The cheapest plan by widths and no, one or two pads on m2.
double cheapest(const SmallGrid& grid, double limit, double of_pad) {
  const int half = grid.nodes / 2;
  double best = HUGE_VAL;
  for (int first = half - 1; first < grid.nodes; ++first)
    for (int second = first; second < grid.nodes; second += first < half ? grid.nodes : 1) {
      std::vector<double> extra(grid.nodes, 0.0);  // first of half - 1: none; second of first: one
      if (first >= half) extra[first] = 1 / kPadOhm;
      if (second > first) extra[second] = 1 / kPadOhm;
      const double pads = of_pad * ((first >= half) + (second > first));
      grid.for_each_plan(kWidths, kStep, [&](const std::vector<double>& factor) {
        const double cost = pads + grid.cost(factor);
        if (cost < best && std::ranges::max(grid.drops(factor, extra)) <= limit) best = cost;
      });
    }
  return best;
}

TEST(PlanMeans, PadsBesideWidthsAreNearlyAsCheapAsTheCheapestOfAll) {
  std::vector<double> excess;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const SmallGrid grid = small_grid(seed, 2, 3);
    const std::vector<double> today(grid.straps, 1.0), most(grid.straps, 1 + kStep * (kWidths - 1));
    const double limit = grid.worst(most) + 0.3 * (grid.worst(today) - grid.worst(most));
    const double of_widths = cheapest(grid, limit, 1e9);
    const double of_pad = of_widths * (0.2 + 0.1 * (seed % 8));
    const double best = cheapest(grid, limit, of_pad);
    PlanMeans means;
    means.widen = {{"m1", most[0]}, {"m2", most[0]}};
    means.grid_um = kStep;
    means.pads = PadOffer{2, "m2", kPadOhm};
    means.costs.pad = of_pad;
    const Plan plan = plan_of(grid.deck, means, {fmt::format("worst={}V", limit)});
    ASSERT_EQ(plan.outcome, PlanOutcome::found) << "seed " << seed;
    EXPECT_LE(plan.after.report.nets[0].worst_drop_v, limit) << "seed " << seed;
    excess.push_back(plan.after.cost / best - 1);
  }
  std::ranges::sort(excess);
  EXPECT_LE(excess[excess.size() / 2], 0.05);
  EXPECT_LE(excess.back(), 0.15);
}

TEST(PlanMeans, WiresOfEachWidthInARowAreWidenedByThemselves) {
  const std::string deck =
      "* a taper\n* dbu: 1000\nv1 p 0 1\nrp p n1_m1_0_0 0.01\nr1 n1_m1_0_0 n1_m1_30000_0 0.3 $w=2\n"
      "r2 n1_m1_30000_0 n1_m1_40000_0 0.3 $w=0.9\ni1 n1_m1_40000_0 0 0.1\n.end\n";
  PlanMeans means;
  means.widen = {{"m1", 3}};
  const Plan plan = plan_of(deck, means, {"worst=51mV"});
  ASSERT_EQ(plan.outcome, PlanOutcome::found);
  ASSERT_EQ(plan.straps.size(), 2u);
  EXPECT_FLOAT_EQ(plan.straps[0].width_um, 2);
  EXPECT_FLOAT_EQ(plan.straps[1].width_um, 0.9);
  ASSERT_EQ(plan.edits.size(), 1u);
  EXPECT_EQ(plan.edits[0].strap, 1);
  EXPECT_NEAR(plan.edits[0].to, 0.3 / 0.2, 0.01);  // 51 mV of 61 are left: 10 mV less in r2
  EXPECT_NEAR(plan.after.cost, 10 * 0.9 * (plan.edits[0].to - 1), 1e-6);
}

TEST(PlanMeans, AveragesCountTheSuppliesOfPads) {
  const std::string deck =
      "* two nodes\nv1 p 0 1\nr1 p n1_m1_0_0 1\nr2 n1_m1_0_0 n1_m1_10000_0 1\ni1 n1_m1_10000_0 0 0.1\n.end\n";
  PlanMeans means;
  means.pads = PadOffer{1, "m1", 1};
  // Today 0, 100 and 200 mV; with a pad behind 1 ohm at the end 0, 33, 67 and 0 mV.
  const Plan plan = plan_of(deck, means, {"average=30mV"});
  ASSERT_EQ(plan.outcome, PlanOutcome::found);
  ASSERT_EQ(plan.after.setting.pads.size(), 1u);
  EXPECT_NEAR(plan.after.report.limits[0].value_v, 0.025, 1e-9);
  EXPECT_EQ(plan.after.report.nets[0].nodes, 4);
  EXPECT_NEAR(plan.after.report.nets[0].average_voltage_v, 0.975, 1e-9);
}

}  // namespace
}  // namespace gridiron
