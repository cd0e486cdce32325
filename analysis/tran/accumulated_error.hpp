// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// What resonances make of the errors of single steps: they add up over periods. Every limit of `report` allows for the
/// difference from `other`, the same simulation in steps twice as long, which is three times the error where the order
/// of the method tells (Richardson), or for backward Euler by the trapezoidal rule. Where the difference is more than a
/// tenth, steps do not resolve the resonance: limits are left open, and a finding says so. Sets
/// accuracy.accumulated_time_error_v to the largest difference.
void allow_for_accumulated_errors(TranReport& report, const TranReport& other);

}  // namespace gridiron
