// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// One line `node voltage` per node of the netlist, ground included, in the order and spelling of the netlist; volts
/// with voltage_digits(). Nodes without a voltage have the word `floating` (no source feeds them) or `unlisted`
/// (excluded by --net) instead.
void write_solution(const IrReport& result, const OutputPath& path);

}  // namespace gridiron
