// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/result_tables.hpp"
#include "analysis/tran/steps/step_errors.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// Averages, root mean squares and peaks of the currents of segments.
class SegmentMeter {
 public:
  /// `dc`: the operating point with its segments. Both it and the topology must outlive this.
  SegmentMeter(const IrReport& dc, const Topology& topology, int64_t scenarios);

  /// A state of scenario j: deviations from the operating point (V per node), which stand for `weight` seconds,
  /// `step` seconds after the one before; 0: the first.
  void add(int64_t j, const Potentials& deviation, double weight, double step);

  /// A step of scenario j, estimated: its errors in time, at most what a current changes by in it, and its curvature.
  void add_errors(const StepErrors& errors, const Merge& merge, int64_t j, bool has_curves);
  /// The largest of every resistor, A; empty where none were added.
  std::vector<double> errors() const;

  /// What it measures, for other places where states are kept; `merge`: that of the steps.
  SegmentTables tables(const Merge& merge) const;
  /// What was measured there, over so many seconds.
  void take(std::vector<CurrentOverTime> segments, double seconds);

  /// `recovery`: with averages for rules of electromigration, that current the other way heals by this share.
  SegmentsOverTime take(std::optional<double> recovery = {}) const;

 private:
  const IrReport& dc_;
  const Network& network_;
  std::vector<int64_t> resistor_, edge_;    ///< of the segments
  std::vector<double> turned_conductance_;  ///< with the sign by which ground nets written as sources are turned, S
  int64_t scenarios_;
  std::vector<CurrentOverTime> sums_;  ///< segments × scenarios
  double seconds_ = 0;                 ///< weight of scenario 0
  std::vector<double> error_;          ///< of the segments, A
};

/// Limits on the average, the root mean square and the peak.
struct EmLimitsOverTime {
  const std::vector<EmLimit>&average, &rms, &peak;
};

/// Judges the currents, allowing for errors in time (per resistor, A), and puts them into report.worst: segments and
/// segment_layers are those of the peaks, with the average power, and em_limits has one row per limit, net and layer.
/// Errors: those of check_em_limits().
void judge_segments(TranReport& report, const Topology& topology, std::span<const double> errors_a,
                    const EmLimitsOverTime& limits);

/// Judges them by rules, in report.worst.em, once the former has. Errors: those of judge_em().
void judge_by_rules(TranReport& report, const Topology& topology, std::span<const double> errors_a,
                    const EmSettings& settings);

}  // namespace gridiron
