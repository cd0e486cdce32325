// SPDX-License-Identifier: Apache-2.0
// Plans of new straps against all sets of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stop_token>
#include <utility>

#include "analysis/plan/find_plan.hpp"
#include "analysis/plan/strap_runs.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

constexpr int kRows = 5, kColumns = 7;

/// Rails that are fed by straps at their first and last column, with a place for a strap at every other column.
class Rails : public StrapPlaces {
 public:
  explicit Rails(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> draw(0.2, 1.8);
    for (int n = 0; n < kRows * kColumns; ++n) amperes_.push_back(0.01 * draw(random));
    for (int x = 1; x + 1 < kColumns; ++x) {
      StrapPlace place;
      place.index = x - 1;
      place.layer = "m2";
      place.at_um = 10.0 * x;
      place.width_um = 1;
      place.area_um2 = 10 * draw(random);
      place.ohm_per_um = 0.02;
      place.pieces = {{place.at_um, 0, place.at_um, 10.0 * (kRows - 1)}};
      for (int y = 0; y < kRows; ++y) place.joints.push_back({0, "m1", place.at_um, 10.0 * y, 0.05});
      places_.push_back(place);
    }
  }

  void find(const std::vector<std::string>& nets) override {
    for (StrapPlace& place : places_) place.net = nets.front();
  }
  const std::vector<StrapPlace>& places() const override { return places_; }
  bool conflict(int32_t a, int32_t b) const override { return a == b; }
  std::vector<double> straps_today(const std::string&, size_t) const override { return {0, 10.0 * (kColumns - 1)}; }
  std::shared_ptr<const Design> design_with(std::span<const int32_t> chosen) override {
    std::string deck = "* rails\n* dbu: 1000\nv1 p 0 1\n";
    int r = 0;
    const auto node = [](int layer, int x, int y) { return fmt::format("n1_m{}_{}_{}", layer, 10000 * x, 10000 * y); };
    const auto add = [&](const std::string& a, const std::string& b, double ohm) {
      deck += fmt::format("r{} {} {} {}\n", ++r, a, b, ohm);
    };
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < kColumns; ++x) {
        if (x > 0) add(node(1, x - 1, y), node(1, x, y), 0.5);
        deck += fmt::format("i{0} {1} 0 {2}\n", y * kColumns + x, node(1, x, y), amperes_[y * kColumns + x]);
      }
    std::vector<int> straps{0, kColumns - 1};
    for (const int32_t c : chosen) straps.push_back(c + 1);
    for (const int x : straps)
      for (int y = 0; y < kRows; ++y) {
        if (y > 0) add(node(2, x, y - 1), node(2, x, y), 0.2);
        add(node(2, x, y), node(1, x, y), 0.05);
      }
    add("p", node(2, 0, 0), 0.05);
    add("p", node(2, kColumns - 1, kRows - 1), 0.05);
    return test::design_of(deck + ".end\n");
  }

 private:
  std::vector<double> amperes_;
  std::vector<StrapPlace> places_;
};

double worst_of(Rails& rails, const std::vector<int32_t>& chosen) {
  const auto design = rails.design_with(chosen);
  Solver solver{System(design)};
  return summarise(solver.system(), solver.solve(), {}).nets[0].worst_drop_v;
}

double cost_of(const Rails& rails, const std::vector<int32_t>& chosen) {
  double cost = 0;
  for (const int32_t c : chosen) cost += rails.places()[c].area_um2;
  return cost;
}

Plan plan_of(Rails& rails, double limit_v, const PlanMeans& means, const PlanSearch& search = {},
             std::stop_token stop = {}) {
  SummaryOptions summary;
  summary.limits = parse_limits(std::vector<std::string>{fmt::format("worst={}V", limit_v)});
  const auto design = rails.design_with({});
  Solver solver{System(design)};
  solver.set_stop(std::move(stop));
  return find_plan(solver, Loads(design), summary, means, rails, search);
}

const PlanMeans kAnyPitch = [] {
  PlanMeans means;
  means.straps = {{"m2", 1, 5, 1000}};
  return means;
}();

std::vector<std::vector<int32_t>> all_sets(int places) {
  std::vector<std::vector<int32_t>> sets;
  for (unsigned bits = 0; bits < 1u << places; ++bits) {
    std::vector<int32_t> set;
    for (int p = 0; p < places; ++p)
      if (bits >> p & 1) set.push_back(p);
    sets.push_back(set);
  }
  return sets;
}

TEST(StrapPlan, IsNearlyAsCheapAsTheCheapestSet) {
  std::vector<double> excess;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Rails rails(seed);
    const double today = worst_of(rails, {}), least = worst_of(rails, StrapRuns(rails, kAnyPitch.straps).all());
    const double limit = least + 0.4 * (today - least);
    double best = HUGE_VAL;
    for (const auto& set : all_sets(kColumns - 2))
      if (cost_of(rails, set) < best && worst_of(rails, set) <= limit) best = cost_of(rails, set);
    const Plan plan = plan_of(rails, limit, kAnyPitch);
    ASSERT_EQ(plan.outcome, PlanOutcome::found) << seed;
    std::vector<int32_t> chosen;
    double edits = 0;
    for (const StrapPlace& place : plan.new_straps) chosen.push_back(place.index);
    for (const PlanEdit& edit : plan.edits) edits += edit.cost;
    EXPECT_NEAR(plan.after.report.nets[0].worst_drop_v, worst_of(rails, chosen), 1e-9);
    EXPECT_LE(worst_of(rails, chosen), limit);
    EXPECT_NEAR(plan.after.cost, cost_of(rails, chosen), 1e-9);
    EXPECT_NEAR(edits, plan.after.cost, 1e-9);
    excess.push_back(plan.after.cost / best - 1);
  }
  std::ranges::sort(excess);
  EXPECT_LE(excess[excess.size() / 2], 1e-9);
  EXPECT_LE(excess.back(), 0.15);
}

TEST(StrapPlan, GainsAreThoseOfTheGridWithTheStrap) {
  Rails rails(3);
  const double today = worst_of(rails, {});
  const Plan plan = plan_of(rails, 0.8 * today, kAnyPitch);
  ASSERT_EQ(plan.outcome, PlanOutcome::found);
  std::vector<int32_t> before;
  for (const PlanEdit& edit : plan.edits) {
    const int32_t place = plan.new_straps[edit.new_strap].index;
    EXPECT_NEAR(edit.gain_alone, today - worst_of(rails, {place}), 1e-9);
    const double without = worst_of(rails, before);
    before.push_back(place);
    EXPECT_NEAR(edit.gain_in_order, without - worst_of(rails, before), 1e-9);
  }
}

TEST(StrapPlan, NeverProvesThatThereIsNone) {
  Rails rails(5);
  const Plan plan = plan_of(rails, 1e-6, kAnyPitch);
  EXPECT_EQ(plan.outcome, PlanOutcome::none_found);
  EXPECT_FALSE(plan.proof);
  EXPECT_NEAR(plan.after.report.nets[0].worst_drop_v, worst_of(rails, {0, 1, 2, 3, 4}), 1e-9);
}

TEST(StrapPlan, MeansCombine) {
  Rails rails(7);
  const double today = worst_of(rails, {}), least = worst_of(rails, {0, 1, 2, 3, 4});
  const double limit = least + 0.4 * (today - least);
  const Plan alone = plan_of(rails, limit, kAnyPitch);
  ASSERT_EQ(alone.outcome, PlanOutcome::found);
  PlanMeans both = kAnyPitch;
  both.pads = PadOffer{3, "m1", 0.05};
  both.costs.pad = 0.1;
  const Plan plan = plan_of(rails, limit, both);
  ASSERT_EQ(plan.outcome, PlanOutcome::found);
  EXPECT_LE(plan.after.cost, alone.after.cost);
  EXPECT_LE(plan.after.report.nets[0].worst_drop_v, limit);
  both.costs.pad = 1e4;
  EXPECT_NEAR(plan_of(rails, limit, both).after.cost, alone.after.cost, 1e-9);
}

TEST(StrapPlan, SparesWhatLaterRunsMayLeaveOpen) {
  for (const bool has_pads : {false, true}) {
    Rails rails(7);
    const double today = worst_of(rails, {}), least = worst_of(rails, {0, 1, 2, 3, 4});
    const double limit = least + 0.5 * (today - least);
    PlanMeans means = kAnyPitch;
    if (has_pads) means.pads = PadOffer{3, "m1", 0.05}, means.costs.pad = 0.1;
    PlanSearch search;
    search.spare_v = 0.2 * (limit - least);
    const Plan plan = plan_of(rails, limit, means, search);
    ASSERT_EQ(plan.outcome, PlanOutcome::found);
    EXPECT_LE(plan.after.report.nets[0].worst_drop_v, limit - search.spare_v);
    search.spare_v = limit;
    EXPECT_EQ(plan_of(rails, limit, means, search).outcome, PlanOutcome::none_found);
  }
}

TEST(StrapPlan, WidensNothingThatItsLimitsAreKeptWithout) {
  int widened = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Rails rails(seed);
    const double today = worst_of(rails, {}), least = worst_of(rails, {0, 1, 2, 3, 4});
    const double limit = least + 0.2 * (today - least);
    PlanMeans means = kAnyPitch;
    means.widen = {{"m1", 3}, {"m2", 3}};
    const Plan plan = plan_of(rails, limit, means);
    ASSERT_EQ(plan.outcome, PlanOutcome::found) << seed;
    std::vector<int32_t> chosen;
    for (const StrapPlace& place : plan.new_straps) chosen.push_back(place.index);
    std::ranges::sort(chosen);
    for (const PlanEdit& edit : plan.edits) {
      if (edit.strap < 0) continue;
      ++widened;
      System system(rails.design_with(chosen));
      for (const PlanEdit& other : plan.edits)
        if (other.strap >= 0 && other.strap != edit.strap)
          system.apply(std::vector<Edit>{ScaleResistors{plan.straps[other.strap].resistors, 1 / other.to}});
      Solver solver{system};
      EXPECT_GT(summarise(system, solver.solve(), {}).nets[0].worst_drop_v, limit * (1 - 1e-9)) << seed;
    }
  }
  EXPECT_GT(widened, 5);
}

TEST(StrapPlan, TellsHowFarItIs) {
  Rails rails(7);
  const double today = worst_of(rails, {}), least = worst_of(rails, {0, 1, 2, 3, 4});
  const double limit = least + 0.4 * (today - least);
  std::vector<std::string> told;
  PlanSearch search;
  search.progress = [&](std::string_view what) { told.emplace_back(what); };
  const Plan alone = plan_of(rails, limit, kAnyPitch, search);
  ASSERT_EQ(alone.outcome, PlanOutcome::found);
  EXPECT_THAT(told.front(), testing::MatchesRegex("round 1: [0-9]+ above, cost [0-9.]+ µm²"));
  EXPECT_EQ(told.back(), fmt::format("gains of its edits: 0 above, cost {:.4g} µm²", alone.after.cost));
  PlanMeans both = kAnyPitch;
  both.widen = {{"m1", 3}};
  plan_of(rails, limit, both, search);
  EXPECT_THAT(told, testing::Contains(testing::MatchesRegex("beside [0-9]+ new straps?, round [0-9]+: .* above.*")));
}

TEST(StrapPlan, EndsWithTheCheapestSoFar) {
  Rails rails(7);
  const double today = worst_of(rails, {}), least = worst_of(rails, {0, 1, 2, 3, 4});
  PlanMeans both = kAnyPitch;
  both.widen = {{"m1", 3}};
  const auto ended_at = [&](double limit, const PlanMeans& means, int message, int& told) {
    std::stop_source stop;
    PlanSearch search;
    told = 0;
    search.progress = [&](std::string_view) {
      if (++told == message) stop.request_stop();
    };
    return plan_of(rails, limit, means, search, stop.get_token());
  };
  // By new straps, by both, and by wider straps alone.
  for (const auto& [share, means] : {std::pair(0.4, kAnyPitch), {0.4, both}, {0.97, both}}) {
    const double limit = least + share * (today - least);
    int messages = 0, told = 0, found = 0;
    const Plan whole = ended_at(limit, means, 0, messages);
    EXPECT_FALSE(whole.is_interrupted);
    EXPECT_EQ(whole.new_straps.empty(), share > 0.9);
    for (const int end : {1, messages / 2, messages - 1, messages}) try {
        const Plan plan = ended_at(limit, means, end, told);
        ++found;
        EXPECT_EQ(plan.outcome, PlanOutcome::found);
        EXPECT_TRUE(plan.is_interrupted) << end << " of " << messages;
        EXPECT_LE(plan.after.report.nets[0].worst_drop_v, limit);
        EXPECT_GE(plan.after.cost, whole.after.cost * (1 - 1e-9));
        EXPECT_FALSE(plan.edits.empty());
      } catch (const Stopped&) {
        EXPECT_EQ(found, 0) << end;
      }
    EXPECT_GT(found, 1);
  }
}

TEST(StrapPlan, RefusesLimitsThatNoPlanKeeps) {
  Rails rails(1);
  const auto design = rails.design_with({});
  Solver solver{System(design)};
  SummaryOptions summary;
  summary.limits = parse_limits(std::vector<std::string>{"worst=5%"});
  summary.em = EmSettings();
  summary.em->limit = 1;
  EXPECT_THAT(test::error_of<InputError>([&] { find_plan(solver, Loads(design), summary, kAnyPitch, rails); }),
              testing::HasSubstr("not on rules of electromigration"));
}

TEST(StrapRuns, HaveNoGapAboveTheLargestPitch) {
  const Rails rails(1);  // places at 10 … 50 um, straps at 0 and 60
  const auto filled = [&](double most_um, std::vector<int32_t> chosen) {
    const std::vector<StrapOffer> offers{{"m2", 1, 5, most_um}};
    return StrapRuns(rails, offers).filled(std::move(chosen));
  };
  using testing::ElementsAre;
  EXPECT_THAT(filled(40, {0, 4}), ElementsAre(0, 4));
  EXPECT_THAT(filled(20, {0, 4}), ElementsAre(0, 2, 4));
  EXPECT_THAT(filled(30, {4, 0}), ElementsAre(0, 3, 4));
  EXPECT_THAT(filled(10, {1, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(filled(10, {1}), ElementsAre(1));
  EXPECT_THAT(filled(1, {1, 3}), ElementsAre(1, 2, 3));  // no narrower than places are
}

TEST(StrapOffer, IsRead) {
  const StrapOffer offer = parse_strap_offer("a:b:0.48:5.6:56");
  EXPECT_EQ(offer.layer, "a:b");
  EXPECT_EQ(offer.width_um, 0.48);
  EXPECT_EQ(offer.least_pitch_um, 5.6);
  EXPECT_EQ(offer.most_pitch_um, 56);
  for (const char* text : {"m4:1:2", "m4", ":1:2:3", "m4:0:2:3", "m4:x:2:3", "m4:1:3:2", "m4:1:2:inf", "m4:1:2:3um"})
    EXPECT_THROW(parse_strap_offer(text), InputError) << text;
}

}  // namespace
}  // namespace gridiron
