// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/text/brief.hpp"

namespace gridiron {

// What the pages that static and transient runs print have in common.

inline constexpr size_t kShownNets = 5, kShownLimits = 3;

std::string verdict_line(const IrReport& result);

/// " 4 001 nodes, 4 361 resistors" is told by `counts`; then how many cards there were, and which were not used.
std::string input_lines(const IrReport& result, const std::string& counts);

/// Nets that exceed a limit first, and then by their worst drops.
std::vector<size_t> nets_by_need(const IrReport& result);

/// Of each net that the page tells of, how many worst places it shows.
size_t places_per_net(size_t nets);
inline constexpr size_t kNetsWithPlaces = 4;

/// The most severe ones.
std::string first_findings(const IrReport& result);

/// Engine, time and memory, and where the reports are.
std::string closing_lines(const IrReport& result, const WrittenReports& written);

}  // namespace gridiron
