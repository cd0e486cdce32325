// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/results/ir_report.hpp"
#include "reports/json/json.hpp"

namespace gridiron {

// Parts of report.json: what flows where, and why the drop is where it is.

/// Per net and layer the number of segments, the largest current, the average and the power.
Json json_segments(const IrReport& result);

/// Hot spots and explanations.
Json json_where(const IrReport& result);

}  // namespace gridiron
