// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/find_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "analysis/plan/adjoints.hpp"
#include "analysis/plan/edit_gains.hpp"
#include "analysis/plan/pad_choice.hpp"
#include "analysis/plan/plan_step.hpp"
#include "analysis/plan/snap.hpp"

namespace gridiron {
namespace {

constexpr int kMostRounds = 40;
constexpr double kWideTrust = 4, kFineTrust = 1.2, kLeastTrust = 1.03, kFiner = 0.3;
constexpr double kSettled = 5e-4;      ///< relative saving of a round that ends the search
constexpr double kNoWider = 1 + 1e-9;  ///< what a strap may become that stays as it is
constexpr double kShort = 0.02, kShortfalls = 1.3;
constexpr double kEntries = 4e7;  ///< of the adjoints that are held at once
constexpr size_t kFewest = 16, kMost = 96;

class PlanFinder {
 public:
  PlanFinder(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
             const PlanSearch& search)
      : solver_(solver),
        stop_(solver.context().stop),
        before_(solver.system()),
        grid_(solver, loads, summary, means, search.spare_v),
        progress_(search.progress) {
    const auto nodes = static_cast<double>(std::max<size_t>(1, before_.topology().merge.group.size()));
    most_watched_ = std::clamp(static_cast<size_t>(kEntries / nodes), kFewest, kMost);
  }

  Plan find() {
    try {
      search();
    } catch (...) {
      solver_.set_stop({});
      if (has_widths(means()) && !is_snapped_ && best_) round_best();
      if (!best_ || !stop_.stop_requested()) {
        restore();
        throw;
      }
      plan_.is_interrupted = true;
      plan_.outcome = PlanOutcome::found;
    }
    if (plan_.outcome == PlanOutcome::found) finish();
    plan_.straps = grid_.straps();
    plan_.earlier = earlier_edits();
    plan_.trials = grid_.trials();
    restore();
    return std::move(plan_);
  }

 private:
  const PlanMeans& means() const { return grid_.means(); }
  void restore() {
    solver_.set_stop({});
    solver_.update(before_);
    solver_.set_stop(stop_);
  }

  void search() {
    plan_.today = grid_.try_out({});
    require_means(means());
    std::vector<Strap> straps =
        find_straps(plan_.today.report, means(), [&](int64_t resistor) { return grid_.widened(resistor); });
    if (means().may_widen) std::erase_if(straps, [&](const Strap& strap) { return !means().may_widen(strap); });
    if (means().room) keep_room(straps);
    std::erase_if(straps, [](const Strap& strap) { return strap.most <= kNoWider; });
    grid_.set_straps(std::move(straps));
    plan_.today.setting = grid_.today();
    if (plan_.today.is_kept()) {
      plan_.outcome = PlanOutcome::kept_today;
      return;
    }
    candidates_ = pad_nodes(grid_, plan_.today);
    tell("the same factor for all straps", plan_.today);
    widen_uniformly();
    if (is_proved_impossible()) return;
    descend(grid_.today());
    if (!best_ && means().pads && !means().widen.empty()) descend(uniform(HUGE_VAL));
    if (best_) drop_pads();
    if (best_ && has_widths(means())) snap();
    plan_.outcome = best_ ? PlanOutcome::found : PlanOutcome::none_found;
  }

  /// Straps become as wide as there is room for.
  void keep_room(std::vector<Strap>& straps) {
    const std::vector<StrapRoom> rooms = means().room(straps, plan_.today.report);
    for (size_t s = 0; s < straps.size(); ++s) {
      Strap& strap = straps[s];
      const StrapRoom& room = rooms[s];
      if (room.most >= strap.most) continue;
      strap.most = std::max(1.0, room.most);
      const std::string& layer = plan_.today.report.layer_names[strap.layer];
      auto capped = std::ranges::find_if(
          plan_.capped, [&](const CappedStraps& c) { return c.layer == layer && c.in_the_way == room.in_the_way; });
      if (capped == plan_.capped.end()) capped = plan_.capped.insert(capped, {layer, room.in_the_way});
      ++capped->straps;
      capped->stay += strap.most <= kNoWider;
      capped->most = std::max(capped->most, strap.most);
    }
  }

  EarlierEdits earlier_edits() const {
    EarlierEdits edits;
    const Circuit& circuit = *before_.design()->circuit;
    for (int64_t r = 0; r < circuit.resistors.size(); ++r)
      if (const double factor = grid_.widened(r); factor != 1) edits.resistors.push_back({r, factor});
    for (const AddedPad& pad : before_.topology().added_pads)
      edits.pads.push_back(
          {std::string(std::string_view(circuit.node_name(pad.node))), pad.volts, 1 / pad.conductance, pad.name});
    auto left = before_.topology().grid.tie_elements.begin();  // in the order of those that were read
    for (const Grid::TieElement& tie : before_.design()->topology->grid.tie_elements)
      if (left != before_.topology().grid.tie_elements.end() && left->kind == tie.kind && left->index == tie.index)
        ++left;
      else
        edits.dropped.push_back(circuit.element_name(tie.kind, tie.index));
    return edits;
  }

  Setting exhausted() const {
    Setting all = grid_.today();
    for (size_t s = 0; s < all.factor.size(); ++s) all.factor[s] = grid_.straps()[s].most;
    for (const NodeId n : candidates_) {
      all.pads.push_back(pad_at(grid_, plan_.today.report, n, 0));
      all.pads.back().name.clear();
    }
    return all;
  }

  bool is_proved_impossible() {
    plan_.after = grid_.try_out(exhausted());
    keep_if_best(plan_.after);
    if (plan_.after.is_kept()) return false;
    Solver today(before_, solver_.options(), solver_.context());
    plan_.proof = prove_impossible(grid_, plan_.after, today, true);
    if (plan_.proof) plan_.outcome = PlanOutcome::impossible;
    return plan_.proof.has_value();
  }

  void keep_if_best(const Trial& trial) {
    if (!trial.is_kept() || (means().pads && std::ssize(trial.setting.pads) > means().pads->count)) return;
    if (!best_ || trial.cost < best_->cost) best_ = trial;
  }

  /// The same factor for all straps, up to the most of each, and rounded up on a grid of widths.
  Setting uniform(double factor) const {
    Setting setting = grid_.today();
    for (size_t s = 0; s < setting.factor.size(); ++s) {
      const Strap& strap = grid_.straps()[s];
      setting.factor[s] = std::min(strap.most, factor);
    }
    return has_widths(means()) ? rounded_up(setting) : setting;
  }

  /// To widths that straps may have, or the largest of these.
  Setting rounded_up(Setting setting) const {
    constexpr double kRounding = 1e-9;
    for (size_t s = 0; s < setting.factor.size(); ++s) {
      const std::vector<double> widths = widths_on_grid(grid_.straps()[s], means());
      const auto at = std::ranges::lower_bound(widths, setting.factor[s] * (1 - kRounding));
      setting.factor[s] = at == widths.end() ? widths.back() : *at;
    }
    return setting;
  }

  /// Of a search that was ended: the best plan with such widths, or the same factor for all straps.
  void round_best() {
    const Setting rounded = rounded_up(best_->setting);
    best_ = std::move(uniform_);
    try {
      keep_if_best(grid_.try_out(rounded));
    } catch (const Error&) {  // there is what was found
    }
  }

  /// The least such factor that keeps all limits: by the secant of the excess over 1/factor, within the bounds that
  /// bisection would have.
  void widen_uniformly() {
    constexpr int kMostTrials = 12;
    constexpr double kNarrow = 1e-3, kInside = 0.02;
    double most = 1;
    for (const Strap& strap : grid_.straps()) most = std::max(most, strap.most);
    if (most == 1) return;
    double low = 1, high = most, excess_low = plan_.today.excess(), excess_high = 0;
    for (int k = 0; k < kMostTrials && (k == 0 || high > low * (1 + kNarrow)); ++k) {
      const double share = std::clamp(excess_low / (excess_low - excess_high), kInside, 1 - kInside);
      const double factor = k == 0 ? most : 1 / (1 / low + (k % 3 == 2 ? 0.5 : share) * (1 / high - 1 / low));
      Trial trial = grid_.try_out(uniform(factor));
      const double excess = trial.excess();
      if (trial.is_kept()) {
        high = factor, excess_high = std::min(0.0, excess);
        keep_if_best(trial);
        uniform_ = std::move(trial);
      } else if (k == 0) {
        return;
      } else {
        low = factor, excess_low = excess;
      }
    }
    plan_.uniform_cost = uniform_->cost;
    plan_.uniform_factor = high;
  }

  /// What it costs to keep limits as much as this trial does.
  double merit(const Trial& trial) const {
    return trial.cost + kPenaltyOfExcess * grid_.cost_of_all_means() * std::max(0.0, trial.excess());
  }

  void linearize(const Trial& trial) {
    model_.factor = trial.setting.factor;
    model_.watched = choose_watched(trial, model_.watched, most_watched_);
    adjoints_ = find_adjoints(grid_, trial, model_.watched);
    model_.slope.clear();
    for (size_t k = 0; k < model_.watched.size(); ++k)
      model_.slope.push_back(strap_slopes(grid_, trial, model_.watched[k], adjoints_[k]));
  }

  void descend(const Setting& from) {
    Trial at = grid_.try_out(from);
    double trust = kWideTrust, margin = 0;
    for (int round = 0; round < kMostRounds && trust >= kLeastTrust; ++round, ++plan_.rounds) {
      linearize(at);
      const PlanStep step = find_step(grid_, model_, trust, margin);
      const std::vector<AddPad> pads = more_pads(at, step);
      Trial next = grid_.try_out(setting_after(at, step, pads));
      keep_if_best(next);
      tell(fmt::format("round {}", plan_.rounds + 1), next);
      const bool is_better = merit(next) < merit(at);
      const bool is_settled = is_better && pads.empty() && merit(next) > (1 - kSettled) * merit(at);
      if (!is_better && pads.empty()) {
        // Where the model falls short by a little, the same step with that much kept free does better than a shorter
        // one.
        const bool falls_short = next.excess() > 0 && next.excess() < kShort && margin == 0;
        margin = falls_short ? kShortfalls * next.excess() : 0;
        if (!falls_short) trust = std::sqrt(trust);
        watch_also(next);
        grid_.try_out(at.setting);
        continue;
      }
      at = std::move(next);
      margin = 0;
      if (is_settled) {
        if (at.is_kept() && trust < kFineTrust) return;
        trust = std::pow(trust, kFiner);  // pieces of curves are so much shorter then
      }
    }
  }

  std::vector<AddPad> more_pads(const Trial& at, const PlanStep& step) {
    if (!means().pads) return {};
    const int left = means().pads->count - static_cast<int>(at.setting.pads.size());
    if (left <= 0) return {};
    return choose_pads(grid_, at, model_, adjoints_, step, candidates_, (left + 2) / 3);
  }

  /// With new pads, widths stay for the round: they would make up for what the pads do.
  static Setting setting_after(const Trial& at, const PlanStep& step, const std::vector<AddPad>& pads) {
    Setting next = at.setting;
    if (pads.empty()) next.factor = step.factor;
    next.pads.insert(next.pads.end(), pads.begin(), pads.end());
    return next;
  }

  /// Of a plan that was found: what its edits do, unless the search was ended.
  void finish() {
    std::vector<double> gain(grid_.straps().size(), 0.0);
    for (size_t s = 0; s < gain.size(); ++s)
      for (size_t k = 0; k < model_.slope.size(); ++k)
        if (model_.slope[k][s] < 0) gain[s] = std::max(gain[s], -model_.slope[k][s] / model_.watched[k].allowed);
    const auto find = [&](bool measures) {
      plan_.edits = find_edits(grid_, plan_.today, plan_.after.setting, gain, measures);
    };
    try {
      if (!plan_.is_interrupted) drop_straps(gain);
      plan_.after = *best_;
      if (!plan_.is_interrupted) tell("gains of its edits", plan_.after);
      find(!plan_.is_interrupted);
    } catch (const Stopped&) {
      plan_.is_interrupted = true;
      plan_.after = *best_;
      find(false);
    }
  }

  /// Straps that all limits are kept without, those first that cost most for what they gain.
  void drop_straps(const std::vector<double>& gain) {
    std::vector<size_t> order;
    const auto per_gain = [&](size_t s) {
      return grid_.straps()[s].unit_cost * (best_->setting.factor[s] - 1) / std::max(gain[s], 1e-300);
    };
    for (size_t s = 0; s < gain.size(); ++s)
      if (best_->setting.factor[s] != 1) order.push_back(s);
    std::ranges::stable_sort(order, std::greater(), per_gain);
    order.resize(std::min(order.size(), most_edits_to_try(plan_.today.report)));
    for (const size_t s : order) {
      Setting less = best_->setting;
      less.factor[s] = 1;
      keep_if_best(grid_.try_out(less));
    }
  }

  /// "round 3: 12 above, cost 34.2 µm²".
  void tell(const std::string& what, const Trial& trial) const {
    const char* unit = grid_.cost_unit();
    progress_(fmt::format("{}: {} above, cost {:.4g}{}{}", what, trial.count_above(), trial.cost, *unit == 0 ? "" : " ",
                          unit));
  }

  /// What a trial that failed exceeds is watched from now on.
  void watch_also(const Trial& failed) {
    for (const Watched& w : choose_watched(failed, {}, most_watched_))
      if (std::ranges::none_of(model_.watched, [&](const Watched& other) { return other.is_same(w); }))
        model_.watched.push_back(w);
  }

  /// Pads that are of no use beside the others.
  void drop_pads() {
    for (size_t i = best_->setting.pads.size(); i-- > 0;) {
      Setting less = best_->setting;
      less.pads.erase(less.pads.begin() + static_cast<int64_t>(i));
      keep_if_best(grid_.try_out(less));
    }
  }

  void snap() {
    const Trial at = grid_.try_out(best_->setting);
    tell("widths on the grid", at);
    linearize(at);
    best_ = std::move(uniform_);
    is_snapped_ = true;
    if (std::optional<Trial> snapped = snap_to_grid(grid_, at, model_)) keep_if_best(*snapped);
  }

  Solver& solver_;
  const std::stop_token stop_;
  const System before_;
  PlanGrid grid_;
  const Progress progress_;
  Plan plan_;
  std::vector<NodeId> candidates_;
  size_t most_watched_ = 0;
  PlanModel model_;
  std::vector<Adjoint> adjoints_;  ///< of the watched quantities
  std::optional<Trial> best_;      ///< the cheapest that keeps all limits
  bool is_snapped_ = false;        ///< best_ is on the grid of widths
  std::optional<Trial> uniform_;   ///< the cheapest of the same factor for all straps that does
};

}  // namespace

std::vector<Edit> Plan::changes() const {
  std::vector<Edit> changes;
  for (const PlanEdit& edit : edits) {
    if (edit.strap >= 0)
      changes.push_back(ScaleResistors{straps[edit.strap].resistors, 1 / edit.to});
    else
      changes.push_back(after.setting.pads[edit.pad]);
  }
  return changes;
}

Plan find_plan(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
               const PlanSearch& search) {
  if (!means.straps.empty()) throw InputError(kStrapsNeedLayout);
  return PlanFinder(solver, loads, summary, means, search).find();
}

}  // namespace gridiron
