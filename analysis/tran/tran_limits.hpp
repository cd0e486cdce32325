// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ir/limits.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// As parse_limit(), with these quantities besides: the largest average over time of any node (time-average), its root
/// mean square (rms), and its overshoot. Errors: InputError.
LimitRequest parse_tran_limit(const std::string& text);

/// Checks what every node drops at its worst moment, and the quantities over time, allowing for the bound of
/// report.worst.certificate. Errors: those of check_limits().
std::vector<LimitResult> check_tran_limits(const TranReport& report, const std::vector<LimitRequest>& limits);

}  // namespace gridiron
