// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/grid.hpp"
#include "analysis/ir_result.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// What flows through sources and pads, by Kirchhoff's law. Reads result.nodes; fills result.pads, the load and pad
/// currents and counts of result.nets, and certificate.current_imbalance_a (Σ of what enters from ground − Σ loads).
void find_currents(const Circuit& circuit, const Grid& grid, const Merge& merge, IrResult& result);

}  // namespace gridiron
