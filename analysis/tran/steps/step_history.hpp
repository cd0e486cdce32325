// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "analysis/tran/method.hpp"
#include "analysis/tran/steps/guesses.hpp"

namespace gridiron {

/// What steps have in common whose equations differ in their right-hand sides only.
struct StepKind {
  double h = -1;  ///< the size that the matrix is for, s
  Method rule = Method::trapezoidal;
  bool operator==(const StepKind&) const = default;
};

/// When the last states were, the newest first, s.
struct StateTimes {
  static constexpr int kMost = 4;
  std::array<double, kMost> s{};
  int known = 1;
};

/// The last states of a simulation as a multistep method sees them: their times, and the kind of the steps to them.
class StepHistory {
 public:
  double now() const { return times_[0]; }
  bool is_at_start() const { return accepted_ == 0; }

  /// Of the states up to the present one, and of these with the next one, at time `next`.
  StateTimes times() const { return {times_, std::min(accepted_ + 1, StateTimes::kMost)}; }
  StateTimes times(double next) const {
    return {{next, times_[0], times_[1], times_[2]}, std::min(accepted_ + 2, StateTimes::kMost)};
  }

  /// For a step of a kind to time `next`. They are comparable if the states that they go through are all of this kind.
  Guesses guesses(double next, const StepKind& kind) const {
    const size_t known = std::min(accepted_ + 1, Guesses::kMost);
    Guesses guesses = Guesses::through(std::span(times_).first(known), next);
    guesses.are_comparable = alike_ >= Guesses::kMost && kind == kind_;
    return guesses;
  }

  /// The state after a step of a kind to time `next` is the present one.
  void accept(double next, const StepKind& kind) {
    times_ = {next, times_[0], times_[1], times_[2]};
    alike_ = kind == kind_ ? alike_ + 1 : 1;
    kind_ = kind;
    ++accepted_;
  }
  /// The present state is that at time 0.
  void restart() {
    times_[0] = 0;
    accepted_ = alike_ = 0;
  }

 private:
  std::array<double, StateTimes::kMost> times_{};
  StepKind kind_;     ///< of the step to the present state
  int alike_ = 0;     ///< states in a row, up to that, of this kind
  int accepted_ = 0;  ///< steps
};

}  // namespace gridiron
