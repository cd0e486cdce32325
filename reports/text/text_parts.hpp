// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "analysis/results/ir_report.hpp"
#include "reports/text/print.hpp"

namespace gridiron {

/// The word for a net's quantity: drop on a power net, bounce on a ground net.
inline const char* word_for(const NetResult& net) { return net.is_ground ? "bounce" : "drop"; }

// What the summaries of static and transient runs share.

inline constexpr size_t kWorstNodesPerNet = 5, kRowsOfText = 10;

/// "4.32 %" of the net's supply; "n/a" without one.
std::string percent(const NetResult& net, double v);

// Sections of summary.txt; empty where there is nothing to say.

/// What is proved of the voltages.
std::string certificate_line(const Certificate& certificate);
/// That, and the balance of currents.
std::string certificate_text(const Certificate& certificate);
/// The rows that matter most, where there are more than `most`.
std::string limits_text(const IrReport& result, size_t most = SIZE_MAX);
/// The vectors under which each net drops most.
std::string vectors_text(const IrReport& result);
std::string golden_text(const IrReport& result);
/// Instances, worst first: with their currents, or of a simulation when each is worst.
std::string instances_text(const IrReport& result, std::span<const double> time_s = {});
std::string finding_line(const Finding& finding);
std::string findings_text(const IrReport& result);
/// Time and memory.
std::string cost_text(const IrReport& result);

}  // namespace gridiron
