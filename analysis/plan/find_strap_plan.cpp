// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/plan/adjoints.hpp"
#include "analysis/plan/find_plan.hpp"
#include "analysis/plan/pad_choice.hpp"
#include "analysis/plan/strap_edits.hpp"
#include "analysis/plan/strap_gains.hpp"
#include "analysis/plan/strap_runs.hpp"
#include "analysis/plan/strap_stages.hpp"
#include "netlist/names/name_table.hpp"
#include "support/lists.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr int kMostStrapRounds = 60;
constexpr size_t kWatchedOfStraps = 48;
constexpr double kLeastYield = 0.05;  ///< of what straps are expected to do
constexpr double kTrialWork = 2e6;    ///< trials that straps are left out or exchanged by, times nodes
constexpr double kFewestStrapTrials = 24, kMostStrapTrials = 400;
constexpr double kTrialsOfOthers = 20;  ///< that a plan by other means takes, about
constexpr double kFewestOthers = 2, kMostOthers = 24;
constexpr size_t kTriedAtOnce = 3;  ///< straps that may take the place of others, best first
constexpr int64_t kMostShaken = 3, kMostStrapShakes = 60;
constexpr double kLeastCost = 1e-12;

/// A plan that keeps all limits.
struct Candidate {
  std::vector<int32_t> chosen;
  Plan others;  ///< by other means, `after` is of both
  double cost = 0;
};

class StrapPlanFinder {
 public:
  StrapPlanFinder(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
                  StrapPlaces& places, const PlanSearch& search)
      : solver_(solver),
        summary_(summary),
        means_(means),
        others_(means),
        places_(places),
        runs_(places, means.straps),
        stages_(solver, loads, summary, others_, places, search.spare_v),
        search_(search) {
    others_.straps.clear();
    has_others_ = !others_.widen.empty() || others_.pads;
  }

  Plan find() {
    require_means(means_);
    try {
      search();
    } catch (...) {
      if (!best_ || !solver_.context().stop.stop_requested()) throw;
      plan_.is_interrupted = true;
      plan_.outcome = PlanOutcome::found;
    }
    if (plan_.outcome == PlanOutcome::found) finish();
    plan_.trials += stages_.solved();
    return std::move(plan_);
  }

 private:
  void search() {
    StrapStage today = stages_.with({});
    plan_.today = today.trial;
    if (today.trial.is_kept()) {
      plan_.outcome = PlanOutcome::kept_today;
      return;
    }
    look_for_places();
    plan_.after = today.trial;
    consider(today);
    if (means_.straps.size() > 1)
      for (size_t offer = 0; offer < means_.straps.size(); ++offer) {
        only_ = offer;
        descend(stages_.with({}));
        improve();
        keep_cheapest_alone();
      }
    only_.reset();
    descend(std::move(today));
    improve();
    if (cheapest_alone_ && (!alone_ || cheapest_alone_->cost < alone_->cost)) {
      alone_ = std::move(cheapest_alone_);
      improve();
    }
    plan_.outcome = best_ ? PlanOutcome::found : PlanOutcome::none_found;
  }

  /// What an offer alone leads to, so that more offers never make a plan dearer; the next search starts afresh.
  void keep_cheapest_alone() {
    if (alone_ && (!cheapest_alone_ || alone_->cost < cheapest_alone_->cost)) cheapest_alone_ = std::move(alone_);
    alone_.reset();
  }

  /// Whether the search looks at a place.
  bool is_open(int32_t place) const { return !only_ || all()[place].offer == *only_; }

  void look_for_places() {
    const IrReport& report = plan_.today.report;
    std::vector<std::string> nets;
    for (int32_t net = 0; net < std::ssize(report.nets); ++net)
      if (is_failing(plan_.today, net)) nets.push_back(report.nets[net].name);
    places_.find(nets);
    for (const StrapPlace& place : all()) cost_.push_back(std::max(kLeastCost, means_.costs.area * place.area_um2));
    if (!all().empty()) return;
    for (const StrapOffer& offer : means_.straps)
      plan_.why_no_straps += (plan_.why_no_straps.empty() ? "" : ", ") + offer.layer;
  }

  const std::vector<StrapPlace>& all() const { return places_.places(); }
  double cost(const std::vector<int32_t>& chosen) const {
    double sum = 0;
    for (const int32_t c : chosen) sum += cost_[c];
    return sum;
  }

  /// A stage that may be a plan, alone or with other means.
  void consider(StrapStage& s) {
    if (s.trial.is_kept()) {
      keep_if_best({s.chosen, {}, s.trial.cost}, s.trial);
      return;
    }
    if (!has_others_ || (best_ && cost(s.chosen) >= best_->cost)) return;
    others_.may_widen = [&](const Strap& strap) { return !s.is_new(strap, all()); };
    PlanSearch search{search_.spare_v};
    search.progress = [&](std::string_view what) {
      if (s.chosen.empty()) return search_.progress(what);
      search_.progress(fmt::format("beside {}, {}", counted(std::ssize(s.chosen), "new strap"), what));
    };
    Plan plan = gridiron::find_plan(*s.solver, *s.loads, summary_, others_, search);
    plan_.rounds += plan.rounds;
    plan_.trials += plan.trials;
    plan_.is_interrupted |= plan.is_interrupted;
    if (s.chosen.empty())
      plan_.uniform_cost = plan.uniform_cost, plan_.uniform_factor = plan.uniform_factor, plan_.capped = plan.capped;
    plan_.after = plan.after;
    if (plan.outcome != PlanOutcome::found) return;
    const double sum = s.trial.cost + plan.after.cost;
    Trial after = plan.after;
    after.cost = sum;
    keep_if_best({s.chosen, std::move(plan), sum}, std::move(after));
  }

  void keep_if_best(Candidate candidate, Trial after) {
    candidate.others.after = std::move(after);
    const bool is_alone = candidate.others.edits.empty();
    if (is_alone && (!alone_ || candidate.cost < alone_->cost)) alone_ = candidate;
    if (!best_ || candidate.cost < best_->cost) best_ = std::move(candidate);
  }

  StrapGains gains(StrapStage& s) const {
    const std::vector<Watched> watched = choose_watched(s.trial, {}, kWatchedOfStraps);
    const std::vector<Adjoint> adjoints = find_adjoints(*s.grid, s.trial, watched);
    return {s.trial, watched, adjoints, all()};
  }

  /// Adds straps until limits are kept; where those that promise most do not do it, all that there is room for.
  void descend(StrapStage at) {
    double yield = 1;
    for (int round = 0; round < kMostStrapRounds && !at.trial.is_kept(); ++round, ++plan_.rounds) {
      const StrapGains of = gains(at);
      std::vector<int32_t> batch = of.choose(yield, cost_, [&](const std::vector<int32_t>& beside, int32_t place) {
        return is_open(place) && runs_.fits(at.chosen, place) && runs_.fits(beside, place);
      });
      if (batch.empty()) break;
      batch.resize((batch.size() + 1) / 2);
      std::vector<int32_t> chosen = at.chosen;
      chosen.insert(chosen.end(), batch.begin(), batch.end());
      StrapStage next = stages_.with(runs_.filled(std::move(chosen)));
      const double expected = at.trial.excess() - of.excess(batch);
      if (expected > 0) yield = std::clamp((at.trial.excess() - next.trial.excess()) / expected, kLeastYield, 1.0);
      at = std::move(next);
      tell(fmt::format("round {}", round + 1), at.trial);
      consider(at);
    }
    if (at.trial.is_kept() || all().empty()) return;
    StrapStage most = stages_.with(runs_.all(only_));
    plan_.after = most.trial;
    consider(most);
  }

  /// Leaves out straps that keep limits alone, and exchanges them for cheaper ones; then lets other means take the
  /// place of single straps.
  void improve() {
    trials_left_ = static_cast<int64_t>(std::clamp(
        kTrialWork / static_cast<double>(plan_.today.report.nodes.net.size()), kFewestStrapTrials, kMostStrapTrials));
    shakes_left_ = kMostStrapShakes;
    if (alone_) {
      leave_out();
      while (exchange() || shake()) leave_out();
    }
    if (has_others_ && best_) replace_by_others();
  }

  bool try_out(std::vector<int32_t> chosen) {
    if (!(cost(chosen) < alone_->cost) || trials_left_-- <= 0) return false;
    StrapStage s = stages_.with(std::move(chosen));
    tell("fewer or other straps", s.trial);
    if (!s.trial.is_kept()) return false;
    consider(s);
    return true;
  }

  void replace_by_others() {
    int64_t left = static_cast<int64_t>(
        std::clamp(kTrialWork / static_cast<double>(plan_.today.report.nodes.net.size()) / kTrialsOfOthers,
                   kFewestOthers, kMostOthers));
    std::set<std::vector<int32_t>> seen;
    for (bool is_better = true; is_better;) {
      is_better = false;
      std::vector<std::vector<int32_t>> starts{best_->chosen};
      if (alone_) starts.push_back(alone_->chosen);
      for (const std::vector<int32_t>& start : starts)
        for (const int32_t c : start) {
          const std::vector<int32_t> fewer = runs_.filled(without(start, std::span(&c, 1)));
          if (fewer.size() >= start.size() || !seen.insert(fewer).second || left-- <= 0) continue;
          const double before = best_->cost;
          StrapStage s = stages_.with(fewer);
          consider(s);
          is_better |= best_->cost < before;
        }
    }
  }

  static std::vector<int32_t> without(const std::vector<int32_t>& chosen, std::span<const int32_t> some) {
    std::vector<int32_t> left = chosen;
    std::erase_if(left, [&](int32_t c) { return std::ranges::find(some, c) != some.end(); });
    return left;
  }

  /// Several at a time, those of least use first, then one by one.
  void leave_out() {
    for (size_t size = std::max<size_t>(1, alone_->chosen.size() / 4); size >= 1 && alone_->chosen.size() > 1;
         size /= 2) {
      const std::vector<int32_t> order = by_use(alone_->chosen);
      for (size_t first = 0; first < order.size() && trials_left_ > 0; first += size) {
        const size_t count = std::min(size, order.size() - first);
        try_out(runs_.filled(without(alone_->chosen, std::span(order).subspan(first, count))));
      }
    }
  }

  /// By what they gain today for their cost, the least first.
  std::vector<int32_t> by_use(std::vector<int32_t> chosen) {
    if (!gains_today_) {
      StrapStage today = stages_.with({});
      gains_today_ = gains(today);
    }
    const double before = gains_today_->excess({});
    std::vector<std::pair<double, int32_t>> order;
    for (const int32_t c : chosen) order.emplace_back((before - gains_today_->excess(std::span(&c, 1))) / cost_[c], c);
    std::ranges::stable_sort(order, {}, &std::pair<double, int32_t>::first);
    for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = order[i].second;
    return chosen;
  }

  /// One or two straps for another one that costs less, once.
  bool exchange() {
    const std::vector<int32_t> chosen = alone_->chosen;
    for (size_t i = 0; i < chosen.size(); ++i)
      for (size_t k = 0; k <= i && trials_left_ > 0; ++k)  // k = i: one alone
        if (is_exchanged(without(chosen, std::vector{chosen[i], chosen[k]}))) return true;
    return false;
  }

  bool is_exchanged(const std::vector<int32_t>& left) {
    std::vector<int32_t> places = cheaper_additions(left);
    if (places.empty() || trials_left_-- <= 0) return false;
    StrapStage base = stages_.with(left);
    put_best_first(gains(base), places);
    for (size_t i = 0; i < std::min(kTriedAtOnce, places.size()); ++i) {
      std::vector<int32_t> chosen = left;
      chosen.push_back(places[i]);
      if (try_out(runs_.filled(std::move(chosen)))) return true;
    }
    return false;
  }

  /// Places of straps that leave these cheaper than the best plan of straps alone.
  std::vector<int32_t> cheaper_additions(const std::vector<int32_t>& to) const {
    std::vector<int32_t> places;
    for (int32_t p = 0; p < std::ssize(all()); ++p)
      if (is_open(p) && cost(to) + cost_[p] < alone_->cost * (1 - 1e-9) && runs_.fits(to, p)) places.push_back(p);
    return places;
  }

  static void put_best_first(const StrapGains& of, std::vector<int32_t>& places) {
    std::vector<std::pair<double, int32_t>> order;
    for (const int32_t p : places) order.emplace_back(of.excess(std::span(&p, 1)), p);
    std::ranges::stable_sort(order, {}, &std::pair<double, int32_t>::first);
    for (size_t i = 0; i < places.size(); ++i) places[i] = order[i].second;
  }

  /// Some straps, at random, are left out, and others added as long as that is cheaper: a search of large
  /// neighbourhoods (Shaw, CP 1998).
  bool shake() {
    while (alone_->chosen.size() > 1 && trials_left_ > 0 && shakes_left_-- > 0) {
      std::vector<int32_t> some;
      for (int64_t k = random_() % kMostShaken; k >= 0; --k)
        some.push_back(alone_->chosen[random_() % alone_->chosen.size()]);
      if (refill(runs_.filled(without(alone_->chosen, some)))) return true;
    }
    return false;
  }

  bool refill(std::vector<int32_t> chosen) {
    while (cost(chosen) < alone_->cost && trials_left_-- > 0) {
      StrapStage at = stages_.with(chosen);
      tell("fewer or other straps", at.trial);
      if (at.trial.is_kept()) {
        consider(at);
        return true;
      }
      std::vector<int32_t> places = cheaper_additions(chosen);
      if (places.empty()) return false;
      put_best_first(gains(at), places);
      chosen.push_back(places.front());
      chosen = runs_.filled(std::move(chosen));
    }
    return false;
  }

  /// "round 3: 12 above, cost 34.2 µm²".
  void tell(const std::string& what, const Trial& trial) const {
    search_.progress(fmt::format("{}: {} above, cost {:.4g}{}", what, trial.count_above(), trial.cost,
                                 has_others_ || means_.costs.area != 1 ? "" : " µm²"));
  }

  void finish() {
    Plan& others = best_->others;
    plan_.after = std::move(others.after);
    plan_.straps = std::move(others.straps);
    std::vector<int32_t> order = best_->chosen;
    const auto find = [&](bool measures) {
      return find_strap_edits(stages_, all(), order, plan_.today.report, means_.costs, measures);
    };
    unless_stopped([&] {
      tell("gains of its edits", plan_.after);
      order = by_use(order);
      std::reverse(order.begin(), order.end());
      plan_.edits = find(true);
    });
    if (plan_.edits.empty()) plan_.edits = find(false);
    for (const int32_t c : order) plan_.new_straps.push_back(all()[c]);
    append(plan_.edits, others.edits);
  }

  /// What a plan that was found goes without where the search is ended.
  template <class F>
  void unless_stopped(F&& f) {
    if (plan_.is_interrupted) return;
    try {
      f();
    } catch (...) {
      if (!solver_.context().stop.stop_requested()) throw;
      plan_.is_interrupted = true;
    }
  }

  Solver& solver_;
  const SummaryOptions& summary_;
  const PlanMeans& means_;
  PlanMeans others_;
  bool has_others_ = false;
  StrapPlaces& places_;
  StrapRuns runs_;
  StrapStages stages_;
  const PlanSearch& search_;
  Plan plan_;
  std::vector<double> cost_;                 ///< per place, above 0
  std::optional<Candidate> best_, alone_;    ///< `alone_`: by new straps alone, of a search
  std::optional<Candidate> cheapest_alone_;  ///< of searches among the straps of one offer
  std::optional<size_t> only_;               ///< the offer that the search is among
  std::optional<StrapGains> gains_today_;
  std::mt19937_64 random_;
  int64_t trials_left_ = 0, shakes_left_ = 0;
};

}  // namespace

Plan find_plan(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
               StrapPlaces& places, const PlanSearch& search) {
  return StrapPlanFinder(solver, loads, summary, means, places, search).find();
}

}  // namespace gridiron
