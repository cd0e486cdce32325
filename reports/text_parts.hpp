// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

// Sections of summary.txt that static and transient runs share; empty where there is nothing to say.

std::string limits_text(const IrReport& result);
std::string findings_text(const IrReport& result);
/// Time and memory.
std::string cost_text(const IrReport& result);
std::string cost_text(const IrReport& result, std::int64_t nodes);

}  // namespace gridiron
