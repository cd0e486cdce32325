// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/results/stress/metal_trees.hpp"
#include "analysis/results/stress/stress.hpp"

namespace gridiron {

/// Of a layout that was read: straps go on beyond their last nodes, by lengths that the network does not tell.
bool has_open_ends(const IrReport& report);

/// Errors: InputError where the table has layers, but none of the netlist's.
void require_metal_layers(const IrReport& report, std::span<const MetalLayer> table);

/// Tells by findings of this code of rows on layers without nodes.
void append_absent_layers(const IrReport& report, std::span<const MetalLayer> table, const char* code,
                          std::vector<Finding>& findings);

/// Which metal is of unknown geometry, and rows of the table on layers that the netlist does not have.
void append_stress_findings(const IrReport& report, const StressOptions& options, const MetalSections& sections,
                            const Metal& metal, const MetalTrees& trees, std::vector<Finding>& findings);

}  // namespace gridiron
