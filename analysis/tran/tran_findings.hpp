// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// What steps were taken, and whether something decides for them what happens between corners.
struct StepsTaken {
  double largest_s = 0;
  bool meet_corners = true;
  bool are_controlled = false;  ///< nothing is stored, or there is a tolerance of the error in time
  TimeFrame frame = {};
};

/// What a user should know of a simulation before trusting it: what check_tran_cards() finds, that nothing varies,
/// sources that begin to do so too late, loads that drive current the wrong way, nodes beyond their supply at the
/// start, and edges far shorter than a step. `start`: the operating point of the first scenario; `templates`: path of
/// the table that the loads come from.
std::vector<Finding> find_tran_findings(const Design& design, const IrReport& start, const LoadsOverTime& loads,
                                        bool vary, const std::string& templates, const StepsTaken& steps);

/// That steps do not keep the estimated error of each below what was asked for, V; empty if they do.
std::vector<Finding> check_time_tolerance(double asked_v, double error_v);

}  // namespace gridiron
