// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/tran/error_growth.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// How accurate a simulation is: certified bounds of its steps, and estimates of their errors in time.
class RunAccuracy {
 public:
  /// What errors in time depend on.
  struct Course {
    bool is_exact = false;        ///< nothing is stored, and sources are linear between steps
    bool has_curves = false;      ///< voltages are not linear within steps
    bool is_single_step = false;  ///< which tells nothing of curves
    double rings_until_s = -1;    ///< nothing tells how what initial conditions leave out of balance rings
  };

  /// `at_start`: of the state that the simulation starts from.
  RunAccuracy(Method method, int64_t scenarios, const Certificate& at_start, const Course& course)
      : method_(method),
        course_(course),
        at_start_(at_start),
        growth_(static_cast<size_t>(scenarios), ErrorGrowth(method)) {}

  /// What the state at the start adds that follows from initial conditions.
  void add_to_start(const std::vector<Accuracy>& accuracy);
  /// Counts a step that was accepted.
  void count(const StepSize& size, const std::vector<Accuracy>& accuracy, TranReport& report);
  /// Allows for the errors in time of a step that began or ended at `time`, s. `local`: the estimate for it.
  void allow_for(const StepErrors& errors, const std::optional<double>& local, double time, TranReport& report) const;
  const Course& course() const { return course_; }

  void finish(const Storage& storage, TranReport& report) const;

 private:
  Method method_;
  Course course_;
  Certificate at_start_;
  std::vector<ErrorGrowth> growth_;  ///< per scenario
};

/// Makes what was bounded an estimate: where the matrix of a step is no M-matrix. Where inductors are coupled, bounds
/// are those without what couplings add to errors; with controlled sources they are estimates from the start.
void only_estimate(bool is_accepted, TranReport& report);

}  // namespace gridiron
