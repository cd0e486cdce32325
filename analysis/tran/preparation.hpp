// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/time_steps.hpp"
#include "analysis/tran/transient.hpp"

namespace gridiron {

/// When a simulation steps and what it keeps, s.
struct TimePlan {
  TimeFrame frame;          ///< step from row to row, and end
  double start = 0;         ///< of the results
  double largest_step = 0;  ///< 0: that of the frame
  int times = 1;            ///< that steps are as long as they would be
};

/// What a simulation needs besides the operating point that it starts from.
struct Preparation {
  /// Forms the system of the first step, unless sources move. All but the integrator must outlive this. Errors: those
  /// of time_steps() and Integrator, to which `any_matrix` goes.
  Preparation(std::shared_ptr<const Design> design, const SourcesOverTime& sources, const LoadsOverTime& loads,
              const TranOptions& options, const TimePlan& plan, const Circuit* any_matrix = nullptr);

  static constexpr int kFractions = 1024;  ///< the parts of a step that error control may take

  std::vector<TimeStep> steps;
  double largest_step_s = 0;
  std::vector<Finding> findings;
  double missed_share = 0;           ///< of what a source swings by, between steps
  double missed_since_s = HUGE_VAL;  ///< from when on it is more than Sampling::kOpen
  bool has_curves = false;           ///< sources are not linear between corners, nor are voltages
  Integrator integrator;
  double seconds = 0;  ///< of the caller's watch, without those of Integrator::system_seconds()

 private:
  void find_steps(const SourcesOverTime& sources, const LoadsOverTime& loads, const TranOptions& options,
                  const TimePlan& plan);
  std::string name_of(int64_t source) const;
  bool are_turns_resolved(double period, double stop, double& part) const;
  void leave_open(int64_t source, double time);
  void find_missed(const SourcesOverTime& sources, const LoadsOverTime& loads, const TimeFrame& frame, bool are_moved);
};

}  // namespace gridiron
