// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/plan_descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/plan/pad_choice.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

constexpr int kMostRounds = 40;
constexpr double kWideTrust = 4, kFineTrust = 1.2, kLeastTrust = 1.03, kFiner = 0.3;
constexpr double kSettled = 5e-4;  ///< relative saving of a round that ends the search
constexpr double kShort = 0.02, kShortfalls = 1.3;
constexpr double kEntries = 4e7;  ///< of the adjoints that are held at once
constexpr double kFewest = 16, kMost = 96;

/// With new pads, widths stay for the round: they would make up for what the pads do.
Setting setting_after(const Trial& at, const PlanStep& step, const std::vector<AddPad>& pads) {
  Setting next = at.setting;
  if (pads.empty()) next.factor = step.factor;
  append(next.pads, pads);
  return next;
}

}  // namespace

PlanDescent::PlanDescent(PlanGrid& grid, std::vector<NodeId> candidates, std::function<void(const Trial&)> tried)
    : grid_(grid), candidates_(std::move(candidates)), tried_(std::move(tried)) {
  const auto nodes = static_cast<double>(std::max<size_t>(1, grid.before().topology().merge.group.size()));
  most_watched_ = static_cast<size_t>(std::clamp(kEntries / nodes, kFewest, kMost));
}

void PlanDescent::linearize(const Trial& trial) {
  model_.factor = trial.setting.factor;
  model_.watched = choose_watched(trial, model_.watched, most_watched_);
  adjoints_ = find_adjoints(grid_, trial, model_.watched);
  model_.slope.clear();
  for (size_t k = 0; k < model_.watched.size(); ++k)
    model_.slope.push_back(strap_slopes(grid_, trial, model_.watched[k], adjoints_[k]));
}

void PlanDescent::descend(const Setting& from, const Freedom& may) {
  Trial at = grid_.try_out(from);
  double trust = may.widen ? kWideTrust : 1, margin = 0;
  for (int round = 0; round < kMostRounds && (trust >= kLeastTrust || !may.widen); ++round, ++rounds_) {
    linearize(at);
    const PlanStep step = find_step(grid_, model_, trust, margin);
    const std::vector<AddPad> pads = more_pads(at, step, may.pads);
    if (pads.empty() && !may.widen) return;
    Trial next = grid_.try_out(setting_after(at, step, pads));
    tried_(next);
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

std::vector<AddPad> PlanDescent::promising_pads(const Setting& beside, size_t most) {
  const Trial at = grid_.try_out(beside);
  linearize(at);
  return rank_pads(grid_, at, model_, adjoints_, find_step(grid_, model_, kWideTrust, 0), candidates_, most);
}

/// What it costs to keep limits as much as this trial does.
double PlanDescent::merit(const Trial& trial) const {
  return trial.cost + kPenaltyOfExcess * grid_.cost_of_all_means() * std::max(0.0, trial.excess());
}

std::vector<AddPad> PlanDescent::more_pads(const Trial& at, const PlanStep& step, int most) const {
  const int left = most - static_cast<int>(at.setting.pads.size());
  if (left <= 0) return {};
  return choose_pads(grid_, at, model_, adjoints_, step, candidates_, (left + 2) / 3);
}

/// What a trial that failed exceeds is watched from now on.
void PlanDescent::watch_also(const Trial& failed) {
  for (const Watched& w : choose_watched(failed, {}, most_watched_))
    if (std::ranges::none_of(model_.watched, [&](const Watched& other) { return other.is_same(w); }))
      model_.watched.push_back(w);
}

}  // namespace gridiron
