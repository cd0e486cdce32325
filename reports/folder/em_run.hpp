// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/diff/run_data.hpp"

namespace gridiron {

/// What the run was judged by, of a report.json.
std::vector<RunLimit> limits_in(const nlohmann::json& report);

/// Times and parameters of electromigration, of a report.json. What an older one does not have is left out.
void read_em(const nlohmann::json& report, RunData& run);

}  // namespace gridiron
