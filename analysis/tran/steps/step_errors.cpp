// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/step_errors.hpp"

#include <algorithm>

#include "analysis/tran/steps/host_states.hpp"

namespace gridiron {
namespace {

constexpr double kAlike = 4;  ///< sizes of steps in a row may differ by this factor

}  // namespace

std::optional<double> StepErrors::local() const {
  const std::optional<StateWeights> weights = local_weights();
  return weights ? std::optional(largest(*weights)) : std::nullopt;
}

std::optional<StateWeights> StepErrors::local_weights() const {
  const bool is_third = rule_ == Method::trapezoidal;
  if (times_.known < (is_third ? 4 : 3)) return std::nullopt;
  const auto [t0, t1, t2, t3] = times_.s;
  // The divided difference is the sum of c times the states.
  const double h = t0 - t1, h1 = t1 - t2, h2 = t2 - t3;
  const double of_first = 1 / (h + h1), of_second = is_third ? 1 / (h1 + h2) : 0.0,
               of_both = is_third ? 1 / (h + h1 + h2) : 1.0;
  const double scale = is_third ? h * h * h / 2 : h * h;
  return StateWeights{{of_both * of_first / h, -of_both * (of_first / h + of_first / h1 + of_second / h1),
                       of_both * (of_first / h1 + of_second / h1 + (is_third ? of_second / h2 : 0.0)),
                       is_third ? -of_both * of_second / h2 : 0.0},
                      scale};
}

std::optional<double> StepErrors::curvature() const {
  const std::optional<StateWeights> weights = curvature_weights();
  if (!weights) return std::nullopt;
  const double found = largest(*weights);
  const auto [t0, t1, t2, t3] = times_.s;
  // What is left of the error of a solution would count for a curve after a tiny step.
  const bool is_after_short = t0 - t1 > kAlike * (t1 - t2);
  return is_after_short ? std::min(found, largest_change()) : found;
}

std::optional<StateWeights> StepErrors::curvature_weights() const {
  if (times_.known < 3) return std::nullopt;
  const double h = times_.s[0] - times_.s[1], h1 = times_.s[1] - times_.s[2];
  const double longest = h1 > kAlike * h ? h : std::max(h, h1), scale = longest * longest / (2 * (h + h1));
  return StateWeights{{1 / h, -(1 / h + 1 / h1), 1 / h1, 0}, scale};
}

std::array<std::span<const double>, 4> StepErrors::states(int64_t scenario) const {
  return states_.on_host()->last(newest_, scenario);
}

double StepErrors::largest(const StateWeights& weights) const {
  const double c[4] = {weights.of[0], weights.of[1], weights.of[2], weights.of[3]};
  return weights.scale * states_.largest_of(c, newest_);
}

}  // namespace gridiron
