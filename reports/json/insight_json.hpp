// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

// Parts of report.json: what flows where, and why the drop is where it is.

/// Per net and layer the number of segments, the largest current, the average and the power.
nlohmann::ordered_json json_segments(const IrReport& result);

/// Hot spots and explanations.
nlohmann::ordered_json json_where(const IrReport& result);

}  // namespace gridiron
