// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

// What the summaries of static and transient runs share.

inline constexpr std::size_t kWorstNodesPerNet = 5, kRowsOfText = 10;

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// "4.32 %" of the net's supply; "n/a" without one.
std::string percent(const NetResult& net, double v);

// Sections of summary.txt; empty where there is nothing to say.

std::string limits_text(const IrReport& result);
std::string findings_text(const IrReport& result);
/// Time and memory.
std::string cost_text(const IrReport& result);

}  // namespace gridiron
