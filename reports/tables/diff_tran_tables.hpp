// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/tables/diff_tables.hpp"

namespace gridiron {

/// What only dynamic runs tell, which is not compared.
extern const std::vector<std::string> kNotComparedOfTran;

/// How two dynamic runs were simulated, how accurate they are, and what is not compared; a line each. None of static
/// runs.
std::vector<std::string> diff_tran_facts(const RunDiff& diff);

/// When nets drop most.
DiffTable diff_moments(const RunDiff& diff);

}  // namespace gridiron
