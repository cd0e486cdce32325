// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/find_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/plan/edit_gains.hpp"
#include "analysis/plan/pad_choice.hpp"
#include "analysis/plan/plan_descent.hpp"
#include "analysis/plan/snap.hpp"
#include "analysis/plan/uniform_widths.hpp"

namespace gridiron {
namespace {

constexpr double kNoWider = 1 + 1e-9;                ///< what a strap may become that stays as it is
constexpr double kWorkOfMore = 2e5, kMostMore = 24;  ///< searches from other plans, times nodes
constexpr size_t kOtherPlaces = 3;                   ///< that a pad may move to

class PlanFinder {
 public:
  PlanFinder(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
             const PlanSearch& search)
      : solver_(solver),
        stop_(solver.context().stop),
        before_(solver.system()),
        grid_(solver, loads, summary, means, search.spare_v),
        progress_(search.progress) {}

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
    descent_.emplace(grid_, candidates_, [this](const Trial& trial) {
      keep_if_best(trial);
      tell(fmt::format("round {}", descent_->rounds() + 1), trial);
    });
    widen_uniformly();
    if (is_proved_impossible()) return;
    find_best();
    if (best_ && has_widths(means())) snap();
    plan_.outcome = best_ ? PlanOutcome::found : PlanOutcome::none_found;
  }

  /// Straps become as wide as there is room for.
  void keep_room(std::vector<Strap>& straps) {
    const std::vector<StrapRoom> rooms = means().room(straps, plan_.today.report);
    for (size_t s = 0; s < straps.size(); ++s) {
      Strap& strap = straps[s];
      if (strap.is_wire && rooms[s].most >= strap.most) continue;
      strap.most = strap.is_wire ? std::max(1.0, rooms[s].most) : 1;
      add_capped(strap, strap.is_wire ? rooms[s].in_the_way : "");
    }
  }

  void add_capped(const Strap& strap, const std::string& in_the_way) {
    const std::string& layer = plan_.today.report.layer_names[strap.layer];
    auto capped = std::ranges::find_if(
        plan_.capped, [&](const CappedStraps& c) { return c.layer == layer && c.in_the_way == in_the_way; });
    if (capped == plan_.capped.end()) capped = plan_.capped.insert(capped, {layer, in_the_way});
    ++capped->straps;
    capped->stay += strap.most <= kNoWider;
    capped->most = std::max(capped->most, strap.most);
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
    if (has_widths(means()) && !is_snapped_) {
      std::set<std::string> nodes;
      for (const AddPad& pad : trial.setting.pads) nodes.insert(pad.node);
      auto& of_pads = cheapest_.try_emplace(std::move(nodes), HUGE_VAL, Setting{}).first->second;
      if (trial.cost < of_pads.first) of_pads = {trial.cost, trial.setting};
    }
    if (!best_ || trial.cost < best_->cost) best_ = trial;
  }

  /// Of a search that was ended: the best plan with such widths, or the same factor for all straps.
  void round_best() {
    const Setting rounded = rounded_up(grid_, best_->setting);
    best_ = std::move(uniform_);
    try {
      keep_if_best(grid_.try_out(rounded));
    } catch (const Error&) {  // there is what was found
    }
  }

  void widen_uniformly() {
    tell("the same factor for all straps", plan_.today);
    const std::optional<double> factor = find_uniform_factor(grid_, plan_.today, [&](const Trial& trial) {
      keep_if_best(trial);
      uniform_ = trial;
    });
    if (!factor) return;
    plan_.uniform_cost = uniform_->cost;
    plan_.uniform_factor = *factor;
  }

  /// By all means together and each alone.
  void find_best() {
    const int pads = means().pads ? means().pads->count : 0;
    descent_->descend(grid_.today(), {pads, true});
    if (pads > 0 && !means().widen.empty()) {
      if (!best_) descent_->descend(uniform_widths(grid_, HUGE_VAL), {pads, true});
      descent_->descend(grid_.today(), {0, true});
      descent_->descend(grid_.today(), {pads, false});
    }
    if (!best_ && pads > 0) start_from_single_pads(pads);
    if (!best_) return;
    drop_pads();
    if (!means().widen.empty()) trade_pads();
  }

  /// Of a plan that was found: what its edits do, unless the search was ended.
  void finish() {
    std::vector<double> gain(grid_.straps().size(), 0.0);
    const auto find = [&](bool measures) {
      plan_.edits = find_edits(grid_, plan_.today, plan_.after.setting, gain, measures);
    };
    try {
      if (!plan_.is_interrupted) {
        gain = gains_of_widths();
        drop_straps(gain);
      }
      plan_.after = *best_;
      if (!plan_.is_interrupted) tell("gains of its edits", plan_.after);
      find(!plan_.is_interrupted);
    } catch (const Stopped&) {
      plan_.is_interrupted = true;
      plan_.after = *best_;
      find(false);
    }
  }

  /// Of each strap how much of a limit a wider one gains, at most, about the best plan.
  std::vector<double> gains_of_widths() {
    descent_->linearize(grid_.try_out(best_->setting));
    const PlanModel& model = descent_->model();
    std::vector<double> gain(grid_.straps().size(), 0.0);
    for (size_t s = 0; s < gain.size(); ++s)
      for (size_t k = 0; k < model.slope.size(); ++k)
        gain[s] = std::max(gain[s], -model.slope[k][s] / model.watched[k].allowed);
    return gain;
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

  /// Pads that are of no use beside the others.
  void drop_pads() {
    for (size_t i = best_->setting.pads.size(); i-- > 0;) {
      Setting less = best_->setting;
      less.pads.erase(less.pads.begin() + static_cast<int64_t>(i));
      keep_if_best(grid_.try_out(less));
    }
  }

  /// Beside straps as wide as they may be.
  void start_from_single_pads(int pads) {
    const Setting widest = uniform_widths(grid_, HUGE_VAL);
    for (AddPad& pad : descent_->promising_pads(widest, more_searches())) {
      Setting from = widest;
      from.pads.push_back(std::move(pad));
      keep_if_best(grid_.try_out(from));
      descent_->descend(from, {pads, true});
      if (best_) return;
    }
  }

  /// As many as do not take long.
  size_t more_searches() const {
    return static_cast<size_t>(
        std::min(kMostMore, kWorkOfMore / static_cast<double>(plan_.today.report.nodes.net.size())));
  }

  /// Leaves out pads whose work wider straps do for less, and moves them to other places.
  void trade_pads() {
    for (size_t left = more_searches(); left > 0;) {
      const Setting at = best_->setting;
      bool is_better = false;
      for (size_t i = at.pads.size(); i-- > 0 && !is_better && left > 0;) {
        Setting other = at;
        other.pads.erase(other.pads.begin() + static_cast<int64_t>(i));
        is_better = is_cheaper_from(other, left);
        for (AddPad& pad : descent_->promising_pads(other, kOtherPlaces)) {
          if (is_better || left == 0) break;
          if (pad.node == at.pads[i].node) continue;
          other.pads.resize(at.pads.size() - 1);
          pad.name = at.pads[i].name;
          other.pads.push_back(std::move(pad));
          is_better = is_cheaper_from(other, left);
        }
      }
      if (!is_better) return;
    }
  }

  bool is_cheaper_from(const Setting& setting, size_t& searches_left) {
    --searches_left;
    const double before = best_->cost;
    descent_->descend(setting, {0, true});
    return best_->cost < before;
  }

  /// The cheapest plans with each set of pads, the cheapest of all first.
  void snap() {
    std::vector<std::pair<double, Setting>> plans;
    for (auto& [pads, plan] : cheapest_) plans.push_back(std::move(plan));
    std::ranges::stable_sort(plans, {}, [](const auto& plan) { return plan.first; });
    plans.resize(std::min(plans.size(), 1 + more_searches()));
    for (const auto& [cost, setting] : plans) {
      if (is_snapped_ && best_ && cost >= best_->cost) return;
      const Trial at = grid_.try_out(setting);
      tell("widths on the grid", at);
      descent_->linearize(at);
      if (!is_snapped_) best_ = std::move(uniform_);
      is_snapped_ = true;
      if (std::optional<Trial> snapped = snap_to_grid(grid_, at, descent_->model())) keep_if_best(*snapped);
    }
  }

  Solver& solver_;
  const std::stop_token stop_;
  const System before_;
  PlanGrid grid_;
  const Progress progress_;
  Plan plan_;
  std::vector<NodeId> candidates_;
  std::optional<PlanDescent> descent_;
  std::optional<Trial> best_;                                             ///< the cheapest that keeps all limits
  std::map<std::set<std::string>, std::pair<double, Setting>> cheapest_;  ///< by nodes with pads: its cost, on no grid
  bool is_snapped_ = false;                                               ///< best_ is on the grid of widths
  std::optional<Trial> uniform_;  ///< the cheapest of the same factor for all straps that does
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
