// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "analysis/tran/steps/step_history.hpp"
#include "analysis/tran/steps/step_states.hpp"

namespace gridiron {

/// An estimate of every voltage as a sum of its values in the last states, the newest first.
struct StateWeights {
  std::array<double, 4> of;
  double scale = 1;  ///< of the sum
  double sum(double v0, double v1, double v2, double v3) const {
    return scale * (of[0] * v0 + of[1] * v1 + of[2] * v2 + of[3] * v3);
  }
};

/// What the last states tell of the errors of a step in time, of a rule, to the newest of them.
class StepErrors {
 public:
  StepErrors(StepStates& states, StepStates::Newest newest, const StateTimes& times, Method rule)
      : states_(states), newest_(newest), times_(times), rule_(rule) {}

  /// Estimate of what the step adds to the error of any voltage, V: the leading term of its local truncation error,
  /// from divided differences over the steps before. None until there are enough of them.
  std::optional<double> local() const;
  /// Estimate of how far a voltage goes beyond its values at both ends of the last steps, and is off where its
  /// curvature has gone on, V: twice what a parabola through three states differs from its chord by. None until there
  /// are three.
  std::optional<double> curvature() const;
  /// The largest change of a voltage in the step, V.
  double largest_change() const { return largest({{1, -1, 0, 0}}); }

  /// Both estimates, of every voltage.
  std::optional<StateWeights> local_weights() const;
  std::optional<StateWeights> curvature_weights() const;
  /// The states of a scenario, if they are on the host, by merged node.
  std::array<std::span<const double>, 4> states(int64_t scenario) const;

 private:
  double largest(const StateWeights& weights) const;

  StepStates& states_;
  StepStates::Newest newest_;
  StateTimes times_;
  Method rule_;
};

}  // namespace gridiron
