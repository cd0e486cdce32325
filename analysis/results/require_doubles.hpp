// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/currents.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Errors: SolverError if a sum, current, power or bound is not finite. Sums are over all nodes and elements, so that
/// none of these is either.
void require_doubles(const Circuit& circuit, const std::vector<NetResult>& nets, const std::vector<PadCurrent>& pads,
                     const PowerBalance& power, const Certificate& certificate);

}  // namespace gridiron
