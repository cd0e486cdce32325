// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/tables/diff_tables.hpp"

namespace gridiron {

/// What of electromigration only one run has, and whether its parameters are the same; a line each.
std::vector<std::string> diff_em_facts(const RunDiff& diff);

/// Times to the first void and to the failure of the grid.
DiffTable diff_lifetimes(const RunDiff& diff);
/// Parameters that differ.
DiffTable diff_em_parameters(const RunDiff& diff);

/// "1041 s", "3.364 y".
std::string diff_time(double s);

}  // namespace gridiron
