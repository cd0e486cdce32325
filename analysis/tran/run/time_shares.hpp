// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "analysis/tran/method.hpp"
#include "analysis/tran/run/state_recorder.hpp"
#include "analysis/tran/steps/integrator.hpp"

namespace gridiron {

/// What every state stands for, told one after the other: half of the steps before and after it, of those from a start
/// on. Charge flows as the method has it: in a step of backward Euler, as at its end.
class TimeShares {
 public:
  /// States from `start` on are recorded, s.
  TimeShares(Method method, double start) : method_(method), start_(start) {}

  /// Of the state at `time`, s, which a step of this size follows; none where it comes before the start.
  std::optional<RecordedState> next(double time, const StepSize& after) {
    const bool is_even = method_ == Method::trapezoidal && !after.is_damped;
    const double flowed = std::exchange(charging_before_, is_even ? after.h / 2 : after.h);
    const double size_before = std::exchange(size_before_, after.h);
    if (time < start_) return std::nullopt;
    const bool is_first = !std::exchange(has_begun_, true);
    return RecordedState{time, ((is_first ? 0.0 : size_before) + after.h) / 2,
                         (is_first ? 0.0 : flowed) + (is_even ? after.h / 2 : 0.0), is_first ? 0.0 : size_before,
                         is_first};
  }

 private:
  Method method_;
  double start_;
  double size_before_ = 0;
  double charging_before_ = 0;  ///< s, of the step before, in which charge flows as in the state after it
  bool has_begun_ = false;
};

}  // namespace gridiron
