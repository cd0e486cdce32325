// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "support/lists.hpp"

namespace gridiron {

/// When sources bend or turn, ascending, s.
struct Corners {
  std::vector<double> times;
  bool are_all = true;  ///< false where some were too many, or lie too close together, for steps to end at each
};

/// Compares what sources do with what steps see of it, which is their values at some times: between two of these they
/// may not go beyond both. What one does more is missed.
class Sampling {
 public:
  static constexpr double kOpen = 1e-3;  ///< of what a source swings: more than this is not to be missed

  /// `ends`: of the steps, ascending, s.
  explicit Sampling(std::span<const double> ends) : times_(1, 0.0) { append(times_, ends); }

  /// `turns`: all times when source `source` bends or turns; value_at(t), A or V.
  void look_at(int64_t source, std::span<const double> turns, auto value_at) {
    double lowest = value_at(0.0), highest = lowest;
    values_.clear();
    for (const double t : turns) {
      const double value = values_.emplace_back(value_at(t));
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
    if (!(highest > lowest)) return;
    for (size_t k = 0; k < turns.size(); ++k) {
      const double value = values_[k];
      const auto after = std::ranges::lower_bound(times_, turns[k]);
      if (after == times_.end()) break;
      const double next = value_at(*after), before = after == times_.begin() ? next : value_at(*std::prev(after));
      const double beyond = std::max(value - std::max(before, next), std::min(before, next) - value);
      if (beyond > 0) miss(source, turns[k], beyond / (highest - lowest));
    }
  }

  /// So much of the swing of a source, at a time.
  void miss(int64_t source, double time, double share) {
    if (share > share_) {
      share_ = share;
      source_ = source;
    }
    if (share > kOpen) since_ = std::min(since_, time);
  }

  /// The largest share that is missed of the swing of a source, and which source that is.
  double share() const { return share_; }
  int64_t source() const { return source_; }
  /// The first time when more than kOpen is missed, s; infinite: never.
  double since() const { return since_; }

 private:
  std::vector<double> times_, values_;
  double share_ = 0, since_ = HUGE_VAL;
  int64_t source_ = -1;
};

}  // namespace gridiron
