// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/run_accuracy.hpp"

#include <algorithm>
#include <utility>

namespace gridiron {

void RunAccuracy::add_to_start(const std::vector<Accuracy>& accuracy) {
  for (const Accuracy& of_scenario : accuracy) {
    const Certificate& certificate = of_scenario.certificate;
    if (certificate.max_error_v > at_start_.max_error_v || !certificate.valid) at_start_ = certificate;
  }
}

/// The matrix of a damped step is that of one twice as long, and the bound on what its error does is no larger.
void RunAccuracy::count(const StepSize& size, const std::vector<Accuracy>& accuracy, TranReport& report) {
  double bound = 0;
  for (size_t j = 0; j < accuracy.size(); ++j) {
    const Accuracy& of_scenario = accuracy[j];
    growth_[j].add(size.is_damped ? 2 * size.h : size.h, of_scenario);
    report.iterations += of_scenario.stats.iterations;
    report.most_iterations = std::max(report.most_iterations, of_scenario.stats.iterations);
    report.accuracy.is_bounded &= of_scenario.certificate.valid;
    bound = std::max(bound, of_scenario.certificate.max_error_v);
  }
  ++report.steps;
  report.accuracy.step_v = std::max(report.accuracy.step_v, bound);
  report.accuracy.accumulated_v += bound;
}

void RunAccuracy::allow_for(const StepErrors& errors, const std::optional<double>& local, double time,
                            TranReport& report) const {
  if (course_.is_exact) return;
  double& largest = report.accuracy.local_time_error_v;
  // Differences over steps of unequal size may estimate far more than there can be.
  if (local && *local > largest) largest = std::max(largest, std::min(*local, errors.largest_change()));
  if (!course_.has_curves) return;
  if (time <= course_.rings_until_s) largest = std::max(largest, errors.largest_change());
  if (const std::optional<double> curvature = errors.curvature())
    largest = std::max(largest, *curvature);
  else if (course_.is_single_step)
    largest = std::max(largest, errors.largest_change());
}

/// The sum of the bounds of steps is guaranteed for backward Euler with capacitors, whose rows sum to at most 1. Else
/// there is a bound from the energy, which many changes of the size of steps make too large to say anything.
void RunAccuracy::finish(const Storage& storage, TranReport& report) const {
  constexpr double kMostOfSum = 1000;
  auto& accuracy = report.accuracy;
  accuracy.operating_point_v = at_start_.max_error_v;
  accuracy.is_bounded &= at_start_.valid;
  const bool is_sum_guaranteed = method_ == Method::backward_euler && storage.size() == storage.capacitors;
  double grown = 0;
  for (const ErrorGrowth& of_scenario : growth_) grown = std::max(grown, of_scenario.bound_v());
  const bool does_growth_tell = grown <= kMostOfSum * accuracy.accumulated_v;
  accuracy.is_guaranteed = accuracy.is_bounded && (is_sum_guaranteed || does_growth_tell);
  if (does_growth_tell && !is_sum_guaranteed) accuracy.accumulated_v = grown;
  accuracy.accumulated_v += accuracy.operating_point_v;
  report.worst.certificate.valid = accuracy.is_bounded;
  report.worst.certificate.max_error_v = accuracy.accumulated_v;
}

void only_estimate(bool is_accepted, TranReport& report) {
  report.accuracy.is_estimated = report.accuracy.is_bounded;
  report.accuracy.is_guaranteed = false;
  Certificate& certificate = report.worst.certificate;
  certificate.is_estimated = std::exchange(certificate.valid, false);
  certificate.is_accepted = is_accepted;
}

}  // namespace gridiron
