// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analysis/results/currents.hpp"
#include "analysis/tran/pad_meter.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// Puts what was measured of pads into the report, those of largest peak first, in both of its lists; report.worst has
/// the pads of the operating point, `at_rest`, by their currents there, without those of nets that are left out (−1).
void report_pads(const PadsOverTime& measured, std::span<const PadCurrent> at_rest, TranReport& report);

}  // namespace gridiron
