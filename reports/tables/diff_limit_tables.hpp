// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/tables/diff_tables.hpp"

namespace gridiron {

/// That the second run was judged by looser limits, or by fewer; empty if it was not.
std::string looser_limits_text(const RunDiff& diff);

/// The limits that are not the same in both runs.
DiffTable diff_run_limits(const RunDiff& diff, std::string_view micro);

}  // namespace gridiron
