// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Currents over time, and what is not known of them.
struct EmOverTime {
  std::vector<double> average_a, rms_a;  ///< per resistor; IrReport::segments has the peaks
  std::span<const double> error_a;       ///< per resistor: by what steps in time may be off; empty: by nothing
  double missed_share = 0;               ///< that steps may have missed of them
  bool is_open = false;                  ///< steps pass by what sources do
};

/// Judges all segments by the rules of the settings, in one pass, and says what is to be said of it. Allows for the
/// certified bound: voltages that are within e put a current through the conductance g within 2 g e. Errors: those of
/// active_em_rules(); InputError for a layer of wires none of which has a width.
EmReport judge_em(const IrReport& report, const Topology& topology, const EmSettings& settings,
                  std::vector<Finding>& findings, EmOverTime over_time = {});

/// A segment under the rule that it comes nearest to.
EmRow em_row(const IrReport& report, const EmReport& em, int64_t resistor);

/// The segments that have a ratio, the largest first; so many of them.
std::vector<int64_t> em_worst_first(const IrReport& report, const EmReport& em, size_t most = SIZE_MAX);

/// "electromigration: 120 % of met1 average a_per_um in R17 exceeds 100 %, one of 3 segments that do".
std::string describe(const EmRuleLimit& limit, const IrReport& report, const EmReport& em);

/// Why a limit cannot be judged, however exact the voltages are; empty if it can.
std::string unknown_ratio(const EmRuleLimit& limit, const EmReport& em);

}  // namespace gridiron
