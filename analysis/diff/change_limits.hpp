// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// Errors: InputError for limits on nets or layers that not both runs have, and for a relative limit on a net whose
/// supply is unknown.
std::vector<ChangeLimitResult> check_change_limits(const RunDiff& diff, const std::vector<ChangeLimit>& limits);

}  // namespace gridiron
