// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/results/limits.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// As parse_limit(), with these quantities besides: the largest average over time of any node (time-average), its root
/// mean square (rms), and its overshoot; and `worst@FROM..TO`, the worst drop of a net in a window of time, where
/// either end may be left out: `worst@2ns..4ns=5%`. Errors: InputError.
LimitRequest parse_tran_limit(const std::string& text);

/// Errors: InputError unless the windows of all limits lie in the results, which begin and end at these times, s.
void require_windows(const std::vector<LimitRequest>& limits, double start, double stop);

/// Checks what every node drops at its worst moment, and the quantities over time, allowing for the bound of
/// report.worst.certificate, for the estimated error in time, and for what steps leave out of the sources. Errors:
/// those of check_limits(). The windows lie in the results, see require_windows().
std::vector<LimitResult> check_tran_limits(const TranReport& report, const std::vector<LimitRequest>& limits);

}  // namespace gridiron
