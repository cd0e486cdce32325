// SPDX-License-Identifier: Apache-2.0
// Plans against exhaustion of all of them, against re-solves, and where there is none.
#include "analysis/plan/find_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <stop_token>

#include "analysis/plan/snap.hpp"
#include "tests/analysis/plan/exhausted_plans.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using test::small_grid;
using test::SmallGrid;
using testing::HasSubstr;

/// What find_plan() finds of a deck, and what it refers to.
struct Planned {
  std::shared_ptr<const Design> design;
  Plan plan;
  Planned(const std::string& deck, const PlanMeans& means, const std::vector<std::string>& limits,
          const std::vector<EmLimit>& em_limits = {}, const LoadTable* table = nullptr, const PlanSearch& search = {})
      : design(test::design_of(deck)) {
    SummaryOptions summary;
    summary.limits = parse_limits(limits);
    summary.em_limits = em_limits;
    SolverOptions options;
    options.engine = "cholmod";
    Solver solver(System(design), options);
    const Loads loads = table ? Loads(design, *table) : Loads(design);
    plan = find_plan(solver, loads, summary, means, search);
  }
};

std::string in_volts(double volts) { return fmt::format("worst={}V", volts); }

TEST(Plan, IsNearlyAsCheapAsTheCheapestOfAll) {
  constexpr int kWidths = 5;
  constexpr double kStep = 0.5;
  std::vector<double> excess;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const SmallGrid grid = small_grid(seed, 3, 3);
    const std::vector<double> today(grid.straps, 1.0), most(grid.straps, 1 + kStep * (kWidths - 1));
    const double limit = grid.worst(most) + 0.3 * (grid.worst(today) - grid.worst(most));
    double best = HUGE_VAL;
    grid.for_each_plan(kWidths, kStep, [&](const std::vector<double>& factor) {
      if (grid.cost(factor) < best && grid.worst(factor) <= limit) best = grid.cost(factor);
    });
    ASSERT_LT(best, HUGE_VAL);
    PlanMeans means;
    means.widen = {{"m1", most[0]}, {"m2", most[0]}};
    means.grid_um = kStep;
    const Planned run(grid.deck, means, {in_volts(limit)});
    ASSERT_EQ(run.plan.outcome, PlanOutcome::found) << "seed " << seed;
    EXPECT_LE(run.plan.after.report.nets[0].worst_drop_v, limit);
    excess.push_back(run.plan.after.cost / best - 1);
  }
  std::ranges::sort(excess);
  EXPECT_LE(excess[excess.size() / 2], 0.05);
  EXPECT_LE(excess.back(), 0.15);
}

TEST(Plan, WidthsKeepEdgesOnTheManufacturingGrid) {
  const auto widths = [](double width_um, double manufacturing_um, double grid_um) {
    Strap strap;
    strap.width_um = width_um;
    strap.most = 1.25;
    PlanMeans means;
    means.grid_um = grid_um;
    means.manufacturing_um = manufacturing_um;
    std::vector<double> nm;
    for (const double factor : widths_on_grid(strap, means)) nm.push_back(std::round(factor * width_um * 1e4) / 10);
    return nm;
  };
  using testing::ElementsAre;
  EXPECT_THAT(widths(0.17, 0.005, 0), ElementsAre(170, 180, 190, 200, 210));
  EXPECT_THAT(widths(0.135, 0.005, 0), ElementsAre(135, 145, 155, 165));
  EXPECT_THAT(widths(0.1723, 0.005, 0), ElementsAre(172.3, 180, 190, 200, 210));
  EXPECT_THAT(widths(0.17, 0.005, 0.015), ElementsAre(170, 180, 210));
  EXPECT_THAT(widths(0.175, 0.005, 0.015), ElementsAre(175, 195));
  EXPECT_THAT(widths(0.135, 0.005, 0.01), ElementsAre(135, 140, 150, 160));
  EXPECT_THAT(widths(0.17, 0, 0.015), ElementsAre(170, 180, 195, 210));
  EXPECT_LE(widths(40, 0.001, 0).size(), 1001u);
}

TEST(Plan, IsProvedImpossibleOnlyWhereItIs) {
  constexpr int kWidths = 4;
  int none = 0, holds = 0, proved = 0;
  for (unsigned seed = 100; seed < 140; ++seed) {
    const SmallGrid grid = small_grid(seed, 2, 3);
    const std::vector<double> today(grid.straps, 1.0), most(grid.straps, 1.0 + kWidths - 1);
    double least = HUGE_VAL;
    grid.for_each_plan(kWidths, 1,
                       [&](const std::vector<double>& factor) { least = std::min(least, grid.worst(factor)); });
    const double limit = least * (0.55 + 0.02 * (seed - 100));
    PlanMeans means;
    means.widen = {{"m1", most[0]}, {"m2", most[0]}};
    const Planned run(grid.deck, means, {in_volts(limit)});
    const bool is_proved = run.plan.outcome == PlanOutcome::impossible;
    if (limit >= least) {
      EXPECT_FALSE(is_proved) << "seed " << seed;
      continue;
    }
    EXPECT_NE(run.plan.outcome, PlanOutcome::kept_today);
    ++none;
    proved += is_proved;
    if (grid.mean(most) > limit) {
      ++holds;
      EXPECT_TRUE(is_proved) << "seed " << seed;
    }
    if (is_proved) {
      EXPECT_LE(run.plan.proof->least_v - run.plan.proof->bound_v, least);
    }
  }
  EXPECT_GE(none, 20);
  EXPECT_GE(proved, holds);
}

/// pad–0.3 Ω–a–1 Ω–aa with 0.1 A, pad–1 Ω–b with 0.09 A, and a strap a–b: the wider it is, the larger the worst drop.
const std::string kWorseIfWider =
    "* t\n* dbu: 1000\nv1 p 0 1\nr1 p n1_m6_0_0 0.3\nr2 n1_m6_0_0 n1_m1_0_0 1\nr3 p n1_m6_10000_0 1\n"
    "rs n1_m6_0_0 n1_m6_10000_0 10\ni1 n1_m1_0_0 0 0.1\ni2 n1_m6_10000_0 0 0.09\n.end\n";

TEST(Plan, DoesNotWidenWhatRaisesTheDrop) {
  PlanMeans means;
  means.widen = {{"m6", 100}};
  const Planned none(kWorseIfWider, means, {"worst=131mV"});
  EXPECT_NEAR(none.plan.today.report.nets[0].worst_drop_v, 0.1316, 5e-5);
  EXPECT_TRUE(none.plan.outcome == PlanOutcome::none_found || none.plan.outcome == PlanOutcome::impossible);
  EXPECT_TRUE(none.plan.edits.empty());
  means.pads = PadOffer{2, "m1", 0.5};
  const Planned pads(kWorseIfWider, means, {"worst=131mV"});
  ASSERT_EQ(pads.plan.outcome, PlanOutcome::found);
  EXPECT_EQ(pads.plan.after.setting.factor, std::vector<double>{1});
  EXPECT_EQ(pads.plan.after.setting.pads.size(), 1);
}

TEST(Plan, LeavesWhatKeepsItsLimits) {
  PlanMeans means;
  means.widen = {{"m1", 3}};
  const Planned run(small_grid(1, 3, 3).deck, means, {"worst=90%"});
  EXPECT_EQ(run.plan.outcome, PlanOutcome::kept_today);
  EXPECT_TRUE(run.plan.edits.empty());
}

/// Both edits and gains by solves of other systems, each by its own factorization.
TEST(Plan, EditsGainWhatResolvesSay) {
  const SmallGrid grid = small_grid(3, 4, 4);
  PlanMeans means;
  means.widen = {{"m1", 3}, {"m2", 3}};
  means.pads = PadOffer{2, "m2", 0.2};
  means.costs = {1, 1};
  const std::vector<double> today(grid.straps, 1.0);
  const double limit = 0.5 * grid.worst(today);
  const Planned run(grid.deck, means, {in_volts(limit)});
  ASSERT_EQ(run.plan.outcome, PlanOutcome::found);
  ASSERT_FALSE(run.plan.edits.empty());
  const auto worst = [&](std::span<const Edit> edits) {
    System system(run.design);
    system.apply(edits);
    Solver solver(system);
    return summarise(system, solver.solve()).nets[0].worst_drop_v;
  };
  std::vector<Edit> together;
  double before = grid.worst(today);
  for (const PlanEdit& edit : run.plan.edits) {
    const Edit alone = edit.strap >= 0 ? Edit(ScaleResistors{run.plan.straps[edit.strap].resistors, 1 / edit.to})
                                       : Edit(run.plan.after.setting.pads[edit.pad]);
    EXPECT_NEAR(edit.gain_alone, grid.worst(today) - worst({&alone, 1}), 1e-9);
    together.push_back(alone);
    const double after = worst(together);
    EXPECT_NEAR(edit.gain_in_order, before - after, 1e-9);
    before = after;
  }
  EXPECT_NEAR(before, run.plan.after.report.nets[0].worst_drop_v, 1e-9);
  EXPECT_LE(before, limit);
}

TEST(Plan, KeepsLimitsOnDropsAndCurrentsUnderAllVectors) {
  const SmallGrid grid = small_grid(7, 4, 4);
  std::string names = "source";
  constexpr int kVectors = 16;
  for (int v = 0; v < kVectors; ++v) names += fmt::format(",v{}", v);
  std::mt19937 random(5);
  std::string csv = names + "\n";
  for (int n = 0; n < grid.nodes; ++n) {
    if (grid.amperes[n] == 0) continue;
    csv += fmt::format("i{}", n);
    for (int v = 0; v < kVectors; ++v)
      csv += fmt::format(",{}", grid.amperes[n] * std::uniform_real_distribution<>(0.2, 1.5)(random));
    csv += "\n";
  }
  const std::filesystem::path path = test::temporary("vectors.csv");
  std::ofstream(path) << csv;
  const LoadTable table = read_loads(path);
  PlanMeans means;
  means.widen = {{"m1", 6}, {"m2", 6}};
  const Planned today(grid.deck, means, {"worst=99%"}, {parse_em_limit("m1=10A")}, &table);
  const double worst = today.plan.today.report.nets[0].worst_drop_v;
  const double current = today.plan.today.report.em_limits[0].value_a;
  const EmLimit on_currents = parse_em_limit(fmt::format("m1={}A", 0.95 * current));
  const Planned run(grid.deck, means, {in_volts(0.7 * worst)}, {on_currents}, &table);
  ASSERT_EQ(run.plan.outcome, PlanOutcome::found);
  EXPECT_EQ(run.plan.after.answers.size(), kVectors);
  EXPECT_LE(run.plan.after.report.nets[0].worst_drop_v, 0.7 * worst);
  EXPECT_LE(run.plan.after.report.em_limits[0].value_a, 0.95 * current);
  ASSERT_TRUE(run.plan.uniform_cost || run.plan.after.cost > 0);
}

/// Limits that have no proof: on an average, and on a percentile.
TEST(Plan, MeetsAveragesAndPercentiles) {
  const SmallGrid grid = small_grid(9, 5, 5);
  PlanMeans means;
  means.widen = {{"m1", 4}, {"m2", 4}};
  for (const char* limit : {"average", "p50", "p95"}) {
    const Planned probe(grid.deck, means, {fmt::format("{}=99%", limit)});
    const double today = probe.plan.today.report.limits[0].value_v;
    const Planned run(grid.deck, means, {fmt::format("{}={}V", limit, 0.8 * today)});
    EXPECT_EQ(run.plan.outcome, PlanOutcome::found) << limit;
    EXPECT_LT(run.plan.after.cost, run.plan.uniform_cost.value_or(HUGE_VAL)) << limit;
  }
}

/// Percentiles are not convex, so that what a linear program widens may be of no use in the end.
TEST(Plan, WidensNothingThatItsLimitsAreKeptWithout) {
  int judged = 0;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    const SmallGrid grid = small_grid(seed, 5, 5);
    PlanMeans means;
    means.widen = {{"m1", 3}, {"m2", 3}};
    const auto p50 = [&](const std::shared_ptr<const Design>& design, std::span<const Edit> edits) {
      System system(design);
      system.apply(edits);
      Solver solver(system);
      SummaryOptions options;
      options.limits = parse_limits(std::vector<std::string>{"p50=1V"});
      return summarise(system, solver.solve(), options).limits[0].value_v;
    };
    const double limit = 0.8 * p50(test::design_of(grid.deck), {});
    const Planned run(grid.deck, means, {fmt::format("p50={}V", limit)});
    if (run.plan.outcome != PlanOutcome::found) continue;
    const std::vector<Edit> all = run.plan.changes();
    for (size_t i = 0; i < all.size(); ++i, ++judged) {
      std::vector<Edit> others = all;
      others.erase(others.begin() + static_cast<ptrdiff_t>(i));
      EXPECT_GT(p50(run.design, others), limit * (1 - 1e-9)) << "seed " << seed << ", edit " << i + 1;
    }
  }
  EXPECT_GT(judged, 15);
}

TEST(Plan, SparesWhatLaterRunsMayLeaveOpen) {
  const SmallGrid grid = small_grid(4, 4, 4);
  PlanMeans means;
  means.widen = {{"m1", 4}, {"m2", 4}};
  const double limit = 0.7 * grid.worst(std::vector<double>(grid.straps, 1.0)), spare = 0.05 * limit;
  PlanSearch search;
  search.spare_v = spare;
  const Planned run(grid.deck, means, {in_volts(limit)}, {}, nullptr, search);
  ASSERT_EQ(run.plan.outcome, PlanOutcome::found);
  EXPECT_LE(run.plan.after.report.nets[0].worst_drop_v, limit - spare);
  EXPECT_GT(run.plan.after.report.nets[0].worst_drop_v, limit - 1.2 * spare);
}

TEST(Plan, GainsOfALimitOnCurrentsAreInAmperes) {
  const SmallGrid grid = small_grid(7, 4, 4);
  PlanMeans means;
  means.widen = {{"m2", 6}};
  means.pads = PadOffer{3, "m2", 0.2};
  const auto largest = [&](std::span<const Edit> edits, const std::shared_ptr<const Design>& design) {
    System system(design);
    system.apply(edits);
    Solver solver(system);
    SummaryOptions options;
    options.em_limits = {parse_em_limit("m1=10A")};
    return summarise(system, solver.solve(), options).em_limits[0].value_a;
  };
  const double today = largest({}, test::design_of(grid.deck));
  const Planned run(grid.deck, means, {}, {parse_em_limit(fmt::format("m1={}A", 0.8 * today))});
  ASSERT_EQ(run.plan.outcome, PlanOutcome::found);
  const std::vector<Edit> edits = run.plan.changes();
  for (size_t i = 0; i < edits.size(); ++i) {
    EXPECT_STREQ(run.plan.edits[i].gain_unit, "A");
    EXPECT_NEAR(run.plan.edits[i].gain_alone, today - largest({&edits[i], 1}, run.design), 1e-9);
  }
}

TEST(Plan, TellsHowFarItIs) {
  const SmallGrid grid = small_grid(4, 4, 4);
  PlanMeans means;
  means.widen = {{"m1", 4}, {"m2", 4}};
  const double limit = 0.7 * grid.worst(std::vector<double>(grid.straps, 1.0));
  std::vector<std::string> told;
  PlanSearch search;
  search.progress = [&](std::string_view what) { told.emplace_back(what); };
  const Planned run(grid.deck, means, {in_volts(limit)}, {}, nullptr, search);
  ASSERT_EQ(run.plan.outcome, PlanOutcome::found);
  EXPECT_THAT(told.front(), testing::MatchesRegex("the same factor for all straps: [0-9]+ above, cost 0 µm²"));
  EXPECT_THAT(told, testing::Contains(testing::MatchesRegex("round [0-9]+: [0-9]+ above, cost [0-9.]+ µm²")));
  EXPECT_EQ(told.back(), fmt::format("gains of its edits: 0 above, cost {:.4g} µm²", run.plan.after.cost));
}

TEST(Plan, OfASearchThatIsEndedHasWidthsOnTheGrid) {
  const SmallGrid grid = small_grid(4, 4, 4);
  PlanMeans means;
  means.widen = {{"m1", 4}, {"m2", 4}};
  means.grid_um = 0.01;
  SummaryOptions summary;
  const double limit = 0.7 * grid.worst(std::vector<double>(grid.straps, 1.0));
  summary.limits = parse_limits(std::vector<std::string>{in_volts(limit)});
  const std::shared_ptr<const Design> design = test::design_of(grid.deck);
  Solver solver{System(design)};
  std::stop_source stop;
  solver.set_stop(stop.get_token());
  PlanSearch search;
  search.progress = [&](std::string_view what) {
    if (what.starts_with("widths on the grid")) stop.request_stop();
  };
  const Plan plan = find_plan(solver, Loads(design), summary, means, search);
  ASSERT_EQ(plan.outcome, PlanOutcome::found);
  EXPECT_TRUE(plan.is_interrupted);
  EXPECT_LE(plan.after.report.nets[0].worst_drop_v, limit);
  EXPECT_LT(plan.after.cost, 0.9 * plan.uniform_cost.value());
  for (const PlanEdit& edit : plan.edits) {
    const double steps = edit.to * plan.straps[edit.strap].width_um / means.grid_um;
    EXPECT_NEAR(steps, std::round(steps), 1e-6);
  }
}

TEST(Plan, RefusesLimitsThatNoPlanKeeps) {
  for (const char* limit : {"em=100%", "VDD:stress=80%", "lifetime=10y", "lifetime@1%=10y"})
    EXPECT_THAT(test::error_of<InputError>([&] { parse_plan_limits(std::vector<std::string>{limit}); }),
                HasSubstr("a plan keeps limits on drops and currents"))
        << limit;
  const std::shared_ptr<const Design> design = test::design_of(small_grid(1, 2, 2).deck);
  Solver solver{System(design)};
  SummaryOptions summary;
  summary.limits = parse_limits(std::vector<std::string>{"worst=5%"});
  summary.em = EmSettings();
  summary.em->limit = 1;
  PlanMeans means;
  means.widen = {{"m1", 2}};
  EXPECT_THAT(test::error_of<InputError>([&] { find_plan(solver, Loads(design), summary, means); }),
              HasSubstr("not on rules of electromigration"));
}

TEST(Plan, RefusesMeansThatAreNone) {
  const std::string deck = small_grid(1, 2, 2).deck;
  const auto refusal = [&](const PlanMeans& means) {
    return test::error_of<InputError>([&] { const Planned run(deck, means, {"worst=1mV"}); });
  };
  PlanMeans means;
  EXPECT_THAT(refusal(means), HasSubstr("nothing may be changed"));
  means.widen = {{"m9", 2}};
  EXPECT_THAT(refusal(means), HasSubstr("no such layer; it has m1, m2"));
  means.widen = {{"m1", 2}, {"M1", 3}};
  EXPECT_THAT(refusal(means), HasSubstr("contradicts"));
  means.widen.clear();
  means.pads = PadOffer{1, "m7", 1};
  EXPECT_THAT(refusal(means), HasSubstr("no such layer"));
  EXPECT_THAT(test::error_of<InputError>([] { parse_widening("m1=1"); }), HasSubstr("above 1"));
  EXPECT_THAT(test::error_of<InputError>([] { parse_widening("=2"); }), HasSubstr("LAYER=FACTOR"));
  EXPECT_THAT(test::error_of<InputError>([] { parse_costs("area=-1"); }), HasSubstr("from 0 to"));
  EXPECT_THAT(test::error_of<InputError>([] { parse_costs("bump=1"); }), HasSubstr("area=NUMBER"));
}

}  // namespace
}  // namespace gridiron
