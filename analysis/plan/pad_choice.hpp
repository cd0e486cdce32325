// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/plan/adjoints.hpp"
#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/plan_step.hpp"

namespace gridiron {

/// Whether a net exceeds a limit, with what is allowed for its error.
bool is_failing(const Trial& trial, int32_t net);

/// Nodes that may get a pad: those of the nets that exceed a limit, on the layer of the offer, whose potential no
/// source holds. Errors: InputError of the field pad_layer for a layer that there is not, or without such a node.
std::vector<NodeId> pad_nodes(const PlanGrid& grid, const Trial& today);

/// A pad at a node, named plan_pad_NUMBER, counted on from those of earlier plans.
AddPad pad_at(const PlanGrid& grid, const IrReport& report, NodeId node, int64_t number);

/// The pads to add to the trial's, best first, at most `most`: those that save more than they cost, by the prices of
/// the step, each counted beside those before it. What a pad does for a watched quantity is exact for 24 nodes, of
/// which the others are thought to be no better. The solver must be of the trial's setting.
std::vector<AddPad> choose_pads(const PlanGrid& grid, const Trial& trial, const PlanModel& model,
                                std::span<const Adjoint> adjoints, const PlanStep& step,
                                std::span<const NodeId> candidates, int most);

/// The pads that promise most, each alone, the best first.
std::vector<AddPad> rank_pads(const PlanGrid& grid, const Trial& trial, const PlanModel& model,
                              std::span<const Adjoint> adjoints, const PlanStep& step,
                              std::span<const NodeId> candidates, size_t most);

}  // namespace gridiron
