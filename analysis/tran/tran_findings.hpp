// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/ir/design.hpp"
#include "netlist/waveform.hpp"
#include "netlist/waveform_table.hpp"

namespace gridiron {

/// What a user should know of a simulation before trusting it: supplies that start at 0 V, initial conditions that have
/// no effect, edges far shorter than a step. `table`: may be null.
std::vector<Finding> find_tran_findings(const Design& design, const TimeFrame& frame, const WaveformTable* table);

}  // namespace gridiron
