// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/spot_changes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gridiron {
namespace {

constexpr double kUnknown = NAN;

/// Whether one node of a run drops more than another, whatever the errors.
bool drops_more(const RunData& run, int32_t a, int32_t b) {
  return Change{run.drop_v[b], run.drop_v[a], change_of(run, run, run.drop_v[a], run.drop_v[b]).bound_v}.is_change() &&
         run.drop_v[a] > run.drop_v[b];
}

class Matcher {
 public:
  Matcher(const RunData& before, const RunData& after) : before_(before), after_(after) {}

  std::vector<SpotChange> changes() {
    match();
    for (size_t a = 0; a < before_.hot_spots.size(); ++a)
      partner_of_[a] < 0 ? add_gone(before_.hot_spots[a])
                         : add_pair(before_.hot_spots[a], after_.hot_spots[partner_of_[a]]);
    for (size_t b = 0; b < after_.hot_spots.size(); ++b)
      if (!is_taken_[b]) add_new(after_.hot_spots[b]);
    std::ranges::stable_sort(changes_, [](const SpotChange& a, const SpotChange& b) {
      return std::abs(a.drop.change_v()) > std::abs(b.drop.change_v());
    });
    return std::move(changes_);
  }

 private:
  /// Negative: not the same spot.
  double distance(const RunData::Spot& a, const RunData::Spot& b) const {
    if (!same_name(before_.nets[a.net].name, after_.nets[b.net].name)) return -1;
    if (same_name(before_.names[a.node], after_.names[b.node])) return 0;
    const double reach = 2 * std::max(before_.hot_spot_distance_um, after_.hot_spot_distance_um);
    const double gap =
        std::hypot(before_.x_um[a.node] - after_.x_um[b.node], before_.y_um[a.node] - after_.y_um[b.node]);
    return gap < reach ? gap : -1;
  }

  /// Nearest pairs first; there are at most a hundred of each.
  void match() {
    std::vector<std::tuple<double, size_t, size_t>> pairs;
    for (size_t a = 0; a < before_.hot_spots.size(); ++a)
      for (size_t b = 0; b < after_.hot_spots.size(); ++b)
        if (const double gap = distance(before_.hot_spots[a], after_.hot_spots[b]); gap >= 0)
          pairs.emplace_back(gap, a, b);
    std::ranges::sort(pairs);
    partner_of_.assign(before_.hot_spots.size(), -1);
    is_taken_.assign(after_.hot_spots.size(), false);
    for (const auto& [gap, a, b] : pairs) {
      if (partner_of_[a] >= 0 || is_taken_[b]) continue;
      partner_of_[a] = static_cast<int64_t>(b);
      is_taken_[b] = true;
    }
  }

  /// −1: the run does not have the other one's node.
  int32_t in_before(int32_t node) const { return before_.names.find(after_.names[node]); }
  int32_t in_after(int32_t node) const { return after_.names.find(before_.names[node]); }

  SpotChange spot(SpotChange::Kind kind, const std::string& net, int32_t a, int32_t b) const {
    SpotChange change{kind, net, "", "", kUnknown, kUnknown, kUnknown, kUnknown, {}};
    if (a >= 0) {
      change.node_before = before_.names[a];
      change.x_before_um = before_.x_um[a];
      change.y_before_um = before_.y_um[a];
    }
    if (b >= 0) {
      change.node_after = after_.names[b];
      change.x_after_um = after_.x_um[b];
      change.y_after_um = after_.y_um[b];
    }
    change.drop = change_of(before_, after_, a < 0 ? 0 : before_.drop_v[a], b < 0 ? 0 : after_.drop_v[b]);
    return change;
  }

  void add_pair(const RunData::Spot& a, const RunData::Spot& b) {
    const int32_t a_later = in_after(a.node), b_earlier = in_before(b.node);
    const bool has_moved = (a_later < 0 || drops_more(after_, b.node, a_later)) &&
                           (b_earlier < 0 || drops_more(before_, a.node, b_earlier));
    const SpotChange change =
        spot(has_moved ? SpotChange::Kind::moved : SpotChange::Kind::changed, after_.nets[b.net].name, a.node, b.node);
    if (has_moved || change.drop.is_change()) changes_.push_back(change);
  }

  void add_gone(const RunData::Spot& a) {
    const SpotChange change = spot(SpotChange::Kind::gone, before_.nets[a.net].name, a.node, in_after(a.node));
    if (change.node_after.empty() || (change.drop.is_change() && change.drop.change_v() < 0))
      changes_.push_back(change);
  }

  void add_new(const RunData::Spot& b) {
    const SpotChange change = spot(SpotChange::Kind::appeared, after_.nets[b.net].name, in_before(b.node), b.node);
    if (change.node_before.empty() || (change.drop.is_change() && change.drop.change_v() > 0))
      changes_.push_back(change);
  }

  const RunData &before_, &after_;
  std::vector<int64_t> partner_of_;  ///< per spot before; −1: none
  std::vector<bool> is_taken_;       ///< per spot after
  std::vector<SpotChange> changes_;
};

}  // namespace

std::vector<SpotChange> spot_changes(const RunData& before, const RunData& after) {
  return Matcher(before, after).changes();
}

}  // namespace gridiron
