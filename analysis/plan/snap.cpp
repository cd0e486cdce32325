// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/snap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr double kWorkOfSearch = 1e7;                      ///< trials of a search times unknowns
constexpr int64_t kFewestTrials = 24, kMostTrials = 1500;  ///< trials of a search
constexpr double kWorkOfRounding = 1e6;                    ///< the same on the manufacturing grid alone
constexpr int64_t kFewestOfRounding = 8, kMostOfRounding = 150;
constexpr int64_t kLooks = 100'000;    ///< at pairs of straps
constexpr double kMostWidths = 1000;   ///< of a strap
constexpr double kWorkOfShakes = 2e7;  ///< their number times straps and watched quantities
constexpr int64_t kMostShakes = 3000;
constexpr double kHopeless = 0.02;  ///< predicted excess of what is not tried

class Snapper {
 public:
  Snapper(PlanGrid& grid, const PlanModel& model) : grid_(grid), model_(model) {
    for (const Strap& strap : grid.straps()) widths_.push_back(widths_on_grid(strap, grid.means()));
    const auto unknowns = static_cast<double>(std::max<int64_t>(1, grid.solver().system().network().nodes));
    const auto straps = static_cast<double>(std::max<size_t>(1, widths_.size()));
    shakes_left_ = static_cast<int64_t>(kWorkOfShakes / straps / static_cast<double>(model.watched.size() + 1));
    shakes_left_ = std::min(shakes_left_, kMostShakes);
    trials_left_ =
        rounds_only() ? std::clamp(static_cast<int64_t>(kWorkOfRounding / unknowns), kFewestOfRounding, kMostOfRounding)
                      : std::clamp(static_cast<int64_t>(kWorkOfSearch / unknowns), kFewestTrials, kMostTrials);
  }

  std::optional<Trial> snap(const Trial& from) {
    round_up(from.setting);
    pads_ = from.setting.pads;
    const std::vector<size_t> rounded = at_;
    lower_by_model();
    accept(try_out());
    if (!best_->is_kept() && rounds_only()) {
      go_to(rounded);
      accept(try_out());
    }
    while (!best_->is_kept() && trials_left_ > 0)
      if (!(rounds_only() ? raise_all() : raise())) return std::nullopt;
    if (!best_->is_kept()) return std::nullopt;
    while (trials_left_ > 0 && (lower_one() || exchange() || lower_others() || raise_others() || shake())) {
    }
    return std::move(best_);
  }

 private:
  std::vector<double> factors() const {
    std::vector<double> factors;
    for (size_t s = 0; s < at_.size(); ++s) factors.push_back(widths_[s][at_[s]]);
    return factors;
  }
  void accept(Trial trial) {
    best_ = std::move(trial);
    value_ = watched_values(*best_, model_.watched);
  }
  Trial try_out() {
    --trials_left_;
    return grid_.try_out({factors(), pads_});
  }
  double cost_of_step(size_t s, size_t at) const {
    return grid_.straps()[s].unit_cost * (widths_[s][at] - widths_[s][at - 1]);
  }

  bool rounds_only() const { return grid_.means().grid_um <= 0; }

  void move(size_t s, size_t to) {
    for (size_t k = 0; k < value_.size(); ++k)
      value_[k] += model_.change(k, s, widths_[s][to]) - model_.change(k, s, widths_[s][at_[s]]);
    at_[s] = to;
  }
  /// The largest of the watched quantities, as a share of what is allowed.
  size_t worst() const {
    size_t worst = 0;
    for (size_t k = 1; k < value_.size(); ++k)
      if (value_[k] / model_.watched[k].allowed > value_[worst] / model_.watched[worst].allowed) worst = k;
    return worst;
  }
  double excess() const { return value_.empty() ? -1 : value_[worst()] / model_.watched[worst()].allowed - 1; }

  void round_up(const Setting& setting) {
    constexpr double kRounding = 1e-9;
    for (size_t s = 0; s < widths_.size(); ++s) {
      const std::vector<double>& w = widths_[s];
      const auto above = std::ranges::lower_bound(w, setting.factor[s] * (1 - kRounding));
      at_.push_back(std::min<size_t>(above - w.begin(), w.size() - 1));
    }
    const std::vector<double> now = factors();
    for (size_t k = 0; k < model_.watched.size(); ++k) value_.push_back(model_.value(k, now));
  }

  std::vector<size_t> dearest_first() const {
    std::vector<size_t> order;
    for (size_t s = 0; s < at_.size(); ++s)
      if (at_[s] > 0) order.push_back(s);
    std::ranges::stable_sort(order,
                             [&](size_t a, size_t b) { return cost_of_step(a, at_[a]) > cost_of_step(b, at_[b]); });
    return order;
  }

  /// Takes widths back as long as the model lets them, dearest steps first.
  void lower_by_model() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const size_t s : dearest_first()) {
        move(s, at_[s] - 1);
        if (excess() <= 0)
          is_changed = true;
        else
          move(s, at_[s] + 1);
      }
    }
  }

  /// Widens the strap, other than `but`, that lowers the largest excess most for its cost; false: none does.
  bool raise_best(size_t but) {
    if (value_.empty()) return false;
    const size_t k = worst();
    double most = 0;
    size_t best = at_.size();
    for (size_t s = 0; s < at_.size(); ++s) {
      if (s == but || at_[s] + 1 >= widths_[s].size()) continue;
      const double gain = model_.change(k, s, widths_[s][at_[s]]) - model_.change(k, s, widths_[s][at_[s] + 1]);
      const double per_cost = gain / std::max(cost_of_step(s, at_[s] + 1), 1e-300);
      if (per_cost <= most) continue;
      most = per_cost;
      best = s;
    }
    if (best == at_.size()) return false;
    move(best, at_[best] + 1);
    return true;
  }
  bool raise() {
    if (!raise_best(at_.size())) return false;
    accept(try_out());
    return true;
  }

  /// By one step of a grid that is fine.
  bool raise_all() {
    bool any = false;
    for (size_t s = 0; s < at_.size(); ++s)
      if (at_[s] > 0 && at_[s] + 1 < widths_[s].size()) move(s, at_[s] + 1), any = true;
    if (any) accept(try_out());
    return any;
  }

  /// Keeps what is at_ if it is cheaper and keeps the limits.
  bool improves(double cost) {
    if (trials_left_ <= 0 || cost >= best_->cost || excess() > kHopeless) return false;
    Trial trial = try_out();
    if (!trial.is_kept()) return false;
    accept(std::move(trial));
    return true;
  }
  double cost() const { return grid_.cost_of({factors(), pads_}); }

  bool lower_one() {
    bool any = false;
    for (const size_t s : dearest_first())
      while (at_[s] > 0 && trials_left_ > 0) {
        move(s, at_[s] - 1);
        if (improves(cost())) {
          any = true;
          continue;
        }
        move(s, at_[s] + 1);
        break;
      }
    return any;
  }

  /// One strap goes down and another up, each by one or more steps, whenever that is cheaper in all.
  bool exchange() {
    const std::vector<size_t> start = at_;
    for (const size_t down : dearest_first())
      for (size_t up = 0; up < at_.size(); ++up) {
        if (up == down) continue;
        for (size_t to = start[up] + 1; to < widths_[up].size() && looks_left_-- > 0; ++to) {
          move(up, to);
          for (size_t steps = 1; steps <= start[down] && trials_left_ > 0; ++steps) {
            move(down, start[down] - steps);
            if (improves(cost())) return true;
          }
          move(down, start[down]);
          if (grid_.straps()[up].unit_cost * (widths_[up][to] - widths_[up][start[up]]) >=
              grid_.straps()[down].unit_cost * (widths_[down][start[down]] - 1))
            break;
        }
        move(up, start[up]);
      }
    return false;
  }

  void go_to(const std::vector<size_t>& to) {
    for (size_t s = 0; s < to.size(); ++s)
      if (at_[s] != to[s]) move(s, to[s]);
  }

  /// One strap goes up by one, and as many others down as that allows, dearest steps first.
  bool lower_others() {
    const std::vector<size_t> start = at_;
    for (size_t up = 0; up < at_.size() && trials_left_ > 0; ++up) {
      if (start[up] + 1 >= widths_[up].size() || looks_left_-- <= 0) continue;
      move(up, start[up] + 1);
      std::vector<size_t> lowered;
      for (const size_t s : dearest_first()) {
        if (s == up) continue;
        move(s, at_[s] - 1);
        if (excess() <= kHopeless)
          lowered.push_back(s);
        else
          move(s, at_[s] + 1);
      }
      for (; !lowered.empty(); lowered.pop_back()) {
        if (improves(cost())) return true;
        move(lowered.back(), at_[lowered.back()] + 1);
      }
      go_to(start);
    }
    return false;
  }

  /// One strap goes down, by one step or all, and others up until the model keeps the limits.
  bool raise_others() {
    const std::vector<size_t> start = at_;
    for (const size_t down : dearest_first())
      for (const size_t to : {start[down] - 1, size_t{0}}) {
        if (looks_left_-- <= 0 || trials_left_ <= 0) return false;
        move(down, to);
        while (excess() > 0 && cost() < best_->cost && raise_best(down)) {
        }
        if (improves(cost())) return true;
        go_to(start);
      }
    return false;
  }

  /// A few straps, at random, go down, others up until the model keeps the limits, and what then may go down does: a
  /// search of large neighbourhoods (Shaw, CP 1998).
  bool shake() {
    const std::vector<size_t> start = at_;
    std::vector<size_t> widened = dearest_first();
    while (!widened.empty() && trials_left_ > 0 && shakes_left_-- > 0) {
      size_t last = 0;
      for (uint64_t k = 0; k <= random_() % 3; ++k) {
        last = widened[random_() % widened.size()];
        if (at_[last] > 0) move(last, random_() % at_[last]);
      }
      while (excess() > 0 && cost() < best_->cost && raise_best(random_() % 2 == 0 ? last : at_.size())) {
      }
      if (excess() <= kHopeless) lower_by_model();
      if (improves(cost())) return true;
      go_to(start);
    }
    return false;
  }

  PlanGrid& grid_;
  const PlanModel& model_;
  std::mt19937_64 random_;
  std::vector<std::vector<double>> widths_;
  std::vector<size_t> at_;     ///< index into widths_, per strap
  std::vector<double> value_;  ///< of the watched quantities there, by the model
  std::vector<AddPad> pads_;
  std::optional<Trial> best_;
  int64_t trials_left_ = 0, looks_left_ = kLooks, shakes_left_ = 0;
};

}  // namespace

std::vector<double> widths_on_grid(const Strap& strap, const PlanMeans& means) {
  constexpr double kRounding = 1e-9, kSameShare = 1e-6;
  const double most_um = strap.width_um * strap.most * (1 + kRounding);
  const double edges_um = 2 * means.manufacturing_um;  // of widths whose middle stays
  const auto steps = [&](double um, double of_um) { return std::floor(um / of_um * (1 + kRounding)); };
  const auto is_multiple = [](double um, double of_um) {
    return std::abs(um / of_um - std::round(um / of_um)) < kSameShare;
  };
  const bool is_on_grid = edges_um > 0 && is_multiple(strap.width_um, means.manufacturing_um);
  double step_um = means.grid_um > 0 ? means.grid_um : edges_um;
  double from_um = means.grid_um <= 0 && is_on_grid ? strap.width_um : steps(strap.width_um, step_um) * step_um;
  if (means.grid_um > 0 && is_on_grid && !is_multiple(step_um, edges_um)) {  // every other one
    if (is_multiple(from_um + step_um - strap.width_um, edges_um)) from_um -= step_um;
    step_um *= 2;
  }
  const double count = steps(most_um - from_um, step_um);
  if (count > kMostWidths && means.grid_um > 0)
    throw field_error("grid", "{}: a wire of {} um could have more than {} widths; give a larger grid", means.grid_um,
                      strap.width_um, kMostWidths);
  if (count > kMostWidths) step_um *= std::ceil(count / kMostWidths);
  std::vector<double> factors{1.0};
  for (int64_t k = 1; from_um + static_cast<double>(k) * step_um <= most_um; ++k)
    factors.push_back((from_um + static_cast<double>(k) * step_um) / strap.width_um);
  return factors;
}

std::optional<Trial> snap_to_grid(PlanGrid& grid, const Trial& from, const PlanModel& model) {
  return Snapper(grid, model).snap(from);
}

}  // namespace gridiron
