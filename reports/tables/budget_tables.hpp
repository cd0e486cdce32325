// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/ir_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

// The worst case over a budget, for reports that have one (IrReport::budget).

/// For people; empty without a budget.
std::string budget_lines(const IrReport& result);

/// net,node,layer,x_um,y_um,drop_v,bound_v,deck_drop_v,full_blocks: the worst nodes of each net, worst first, then the
/// nodes that were asked for; the bound is empty without certificate.
void write_budget_csv(const IrReport& result, const OutputPath& path);

/// source,NET,…: what every current source draws at the worst of each net, A, in a form that read_loads() reads.
void write_budget_loads_csv(const IrReport& result, const OutputPath& path);

}  // namespace gridiron
