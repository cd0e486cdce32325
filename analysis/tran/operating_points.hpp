// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/currents.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"
#include "analysis/tran/pad_meter.hpp"
#include "analysis/tran/potentials.hpp"

namespace gridiron {

/// Where the scenarios of a simulation start. Statistics refer to the operating point of the first one, and others are
/// shifted from it.
class OperatingPoints {
 public:
  /// `answers`: one per scenario. `net` alone is reported; empty: all are. The system must outlive this. Errors: those
  /// of summarise(), of every answer.
  OperatingPoints(const System& system, std::vector<Answer> answers, const std::string& net = {});

  /// Of the first scenario.
  const IrReport& report() const { return report_; }
  int64_t scenarios() const { return std::ssize(answers_); }
  double voltage(int64_t j, NodeId node) const { return answers_[j].voltage_v[node]; }
  /// The worst of the certificates.
  Certificate certificate() const;

  /// Deviations of scenario j from its own operating point, V per node, as deviations from that of the first; valid
  /// until the next call.
  Potentials from_first(int64_t j, const Potentials& deviation);
  /// The same for what flows into the grid, in place.
  PadState& from_first(int64_t j, PadState& state) const;
  /// What is added to deviations of the other scenarios, in this way, V per merged node and scenario but the first;
  /// and to currents of pads, A.
  std::vector<double> shifts_v(std::span<const int32_t> group, int64_t merged);
  std::vector<double> pad_shifts_a() const;
  /// And to all that flows, A.
  struct Flow {
    double supplied, drawn;
  };
  Flow flow_shift(int64_t j) const {
    return {at_rest_[j].supplied - at_rest_[0].supplied, at_rest_[j].drawn - at_rest_[0].drawn};
  }

  /// All pads of the first scenario, with their nets in the report (−1: left out); their sum and that of the loads that
  /// return to ground, A.
  const std::vector<PadCurrent>& pads() const { return pads_; }
  double supplied_a() const { return at_rest_[0].supplied; }
  double drawn_a() const { return at_rest_[0].drawn; }

 private:
  void find_nodes(std::span<const int32_t> group, int64_t merged);
  std::vector<PadCurrent> find_pads(const System& system, const Answer& answer);

  std::vector<Answer> answers_;
  IrReport report_;
  std::vector<PadCurrent> pads_;
  std::vector<PadState> at_rest_;      ///< per scenario
  std::vector<NodeId> node_of_group_;  ///< one of each merged node of the steps; its nodes are all shifted alike
  std::vector<double> shifted_;
};

}  // namespace gridiron
