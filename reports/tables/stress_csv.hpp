// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// tree,node,layer,x_um,y_um,stress_pa,bound_pa,verdict: every node of a metal tree, tree by tree; the stress is empty
/// where the geometry of the tree is not known, the bound also where nothing is certified. The verdict is the tree's.
void write_stress_csv(const IrReport& result, const OutputPath& path);

/// tree,net,layer,node,x_um,y_um,time_s,error_s,verdict: every tree that is followed in time; what nucleates no void
/// until the horizon has neither node nor time. The verdict is that of the steady state.
void write_nucleation_csv(const IrReport& result, const OutputPath& path);

/// stage,tree,net,layer,node,x_um,y_um,segment,before_ohm,after_ohm,time_s,error_s,worst_node,worst_drop_v,bound_v,
/// verdict: every segment that fails, and the drop from then on. The resistance is empty where the segment is open.
void write_cascade_csv(const IrReport& result, const OutputPath& path);

}  // namespace gridiron
