// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/model/system.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/operating_points.hpp"
#include "analysis/tran/preparation.hpp"
#include "analysis/tran/run/run_accuracy.hpp"
#include "analysis/tran/run/run_meters.hpp"
#include "analysis/tran/run/state_recorder.hpp"
#include "analysis/tran/run/step_drives.hpp"
#include "analysis/tran/run/time_shares.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/time_steps.hpp"
#include "analysis/tran/transient.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// One simulation of all scenarios from their operating points to the end.
class TranRun {
 public:
  /// Everything must outlive this.
  TranRun(const System& system, OperatingPoints& start, const SourcesOverTime& sources, const LoadsOverTime& loads,
          const TranOptions& options, const TimePlan& plan, Preparation& prepared, std::span<const NodeId> probes);

  TranReport run() &&;

 private:
  static constexpr int kFractions = Preparation::kFractions;

  void set_up();
  void start_from_initial();
  void take(size_t k);
  int take_in_fractions(size_t k, int fraction);
  void count_present(size_t k);
  void accept(double to, MadeStep made);
  void note_errors(const StepErrors& errors, const std::optional<double>& local);
  void record(const StepSize& after, bool is_row);
  void record_row();
  bool is_row(size_t k) const;
  bool goes_ahead() const { return recorder_->records_beside_steps() && !options_.time_tolerance_v; }

  void finish();
  void judge_drops();
  void allow_for_growth();
  void finish_worst();
  void report_work();
  std::vector<double> errors_of_segments() const;
  SolveStats stats_of_last_step() const;

  Stopwatch watch_;
  const System& system_;
  OperatingPoints& start_;
  const SourcesOverTime& sources_;
  const LoadsOverTime& loads_;
  const TranOptions& options_;
  const TimePlan& plan_;
  const Preparation& prepared_;
  Integrator& integrator_;
  RunMeters meters_;
  RunAccuracy accuracy_;
  TimeShares shares_;
  std::unique_ptr<StepDrives> drives_;
  std::unique_ptr<StateRecorder> recorder_;
  TranReport report_;
  double now_ = 0;  ///< of the present state
};

}  // namespace gridiron
