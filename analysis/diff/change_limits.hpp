// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// Errors: InputError for limits on nets or layers that no run has, and for a relative limit on a net whose supply is
/// unknown. `after`: the second run.
std::vector<ChangeLimitResult> check_change_limits(const RunData& after, const RunDiff& diff,
                                                   const std::vector<ChangeLimit>& limits);

}  // namespace gridiron
