// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ir/currents.hpp"
#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// Why there is no result: double precision does not hold it. Names the value of the deck that is the most decades away
/// from 1.
std::string beyond_doubles(const Circuit& circuit);

/// Errors: SolverError if a sum, current, power or bound is not finite. Sums are over all nodes and elements, so that
/// none of these is either.
void require_doubles(const Circuit& circuit, const std::vector<NetResult>& nets, const std::vector<PadCurrent>& pads,
                     const PowerBalance& power, const Certificate& certificate);

}  // namespace gridiron
