// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/model/system.hpp"
#include "analysis/tran/error_growth.hpp"
#include "analysis/tran/extremes.hpp"
#include "analysis/tran/integrator.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/operating_points.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/pad_meter.hpp"
#include "analysis/tran/preparation.hpp"
#include "analysis/tran/segments_over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
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
  void choose_place();
  void start_from_initial();
  void take(std::size_t k);
  void take_there(std::size_t k);
  void take_in_fractions(const TimeStep& step);
  void foresee(double to);
  void foresee_after(std::size_t k);
  std::span<const double> find_loads(double to);
  void accept(double to, MadeStep made);
  void note_errors(const StepErrors& errors, const std::optional<double>& local);
  std::vector<double> errors_of_segments() const;
  void record(double size_after, bool is_damped_after);
  void record_there(double seconds, double seconds_of_charge, bool is_first);
  void record_row();
  void record_row_there();
  void add_voltage(Probe& probe, std::int64_t scenario, double deviation) const;
  void take_results();
  void count(double size, bool is_damped, const std::vector<Accuracy>& accuracy);
  void count_present(std::size_t k);
  void finish();
  SolveStats stats_of_last_step() const;
  void finish_pads();
  void finish_accuracy();
  Block<double> block(std::vector<double>& loads) const { return {loads.data(), sources_count_, scenarios_}; }

  Stopwatch watch_;
  const System& system_;
  const Topology& topology_;
  OperatingPoints& start_;
  const SourcesOverTime& sources_;
  const LoadsOverTime& loads_;
  const TranOptions& options_;
  const TimePlan& plan_;
  std::int64_t scenarios_, sources_count_;

  const std::vector<TimeStep>& steps_;
  double prepared_seconds_;
  Integrator& integrator_;
  DeviceSteps* device_ = nullptr;  ///< where states are kept and measured; null: on the host
  StepSeconds seconds_;            ///< there
  double seconds_counted_ = 0;     ///< what its states stand for
  Extremes extremes_;
  OverTime over_time_;
  std::optional<SegmentMeter> segments_;
  PadMeter meter_;
  PadsOverTime pads_;

  std::vector<double> load_, next_load_, foreseen_load_, volts_;
  std::vector<LoadPiece> foreseen_changes_;  ///< of loads, for the device
  double foreseen_ = -1;                     ///< s, the time that these are of
  double now_ = 0, size_before_ = 0;
  double charging_before_ = 0;  ///< s, of the step before, in which charge flows as in the present state
  Certificate at_start_;        ///< of the state that the simulation starts from
  bool is_from_rest_;           ///< to the initial conditions, instead of at an operating point
  bool is_exact_in_time_;       ///< nothing is stored, and sources are linear between steps
  bool has_curves_;             ///< voltages are not linear within steps
  bool is_row_ = false;         ///< the present state is one of those printed
  bool is_recording_ = false;   ///< results have begun
  static constexpr int kFractions = Preparation::kFractions;
  int fraction_ = 1;                 ///< of a step to try next, in units of 1 / kFractions
  std::vector<ErrorGrowth> growth_;  ///< per scenario
  TranReport report_;
};

}  // namespace gridiron
