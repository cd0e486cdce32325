// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/results/instances.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/tables/budget_table.hpp"

namespace gridiron {

/// Loads that a rule means.
struct BudgetMember {
  int64_t row, load;  ///< indices into BudgetTable::rows and the loads
};

/// The members of every row, by load, the rows of each in order. Names are those of sources, of load pairs without
/// their suffix, and of instances (instance_name()); case is ignored. A load is on the nets of its nodes, and lies
/// where its power node does. Errors: InputError for a term that means no load.
std::vector<BudgetMember> find_members(const Design& design, const BudgetTable& table,
                                       std::span<const InstancePins> loads, const NodeTable& nodes,
                                       std::span<const NetResult> nets);

}  // namespace gridiron
