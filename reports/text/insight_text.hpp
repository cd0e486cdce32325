// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

// Parts of the summary, each with its heading; empty where there is nothing to tell.

/// The corner that a run was asked for, else "default", which OpenROAD's blocks name.
std::string corner_of(const IrReport& result);

/// OpenROAD's block of `analyze_power_grid -enable_em`, line for line, per net: links to terminals are left out.
std::string openroad_em_block(const IrReport& result);

/// The largest current of each net and layer.
std::string segment_lines(const IrReport& result);

/// The pads with the largest currents, and the balance of power.
std::string power_lines(const IrReport& result);

std::string hot_spot_lines(const IrReport& result);

/// Where the drops of nodes fall: of the worst beyond limits, and of those given by --why.
std::string drop_share_lines(const IrReport& result);

/// The same of the two largest drops, a line each with the largest shares.
std::string drop_share_sentences(const IrReport& result);

/// Where one more pad would help most.
std::string pad_gain_lines(const IrReport& result);

/// The answers to --why. `when`: " at 1.2 ns", of a moment.
std::string explanation_lines(const IrReport& result, const std::string& when = "");

}  // namespace gridiron
