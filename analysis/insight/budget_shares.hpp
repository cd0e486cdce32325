// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/insight/budget_members.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/instances.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/tables/budget_table.hpp"

namespace gridiron {

/// The loads of a budget: those of find_instance_pins(), but of a pair of which only one half draws current in the
/// deck each half by itself (is_pair and no twin), since there is no proportion in which both could draw.
std::vector<InstancePins> budget_pins(std::span<const InstancePins> instances, std::span<const double> deck_a);

/// Errors: InputError for a share above 0 of loads that all draw 0 A in the deck, which bounds nothing but says 0.
/// `members` as find_members() gives them; loads that a later rule `each` means are not those of an earlier one.
void require_shares(const BudgetTable& table, std::span<const BudgetMember> members,
                    std::span<const InstancePins> loads, std::span<const double> deck_a);

/// A warning for each rule `each` that is a share and means loads, but not only such, that draw 0 A in the deck; and
/// one if no load may change at all. `report`: with its budget.
std::vector<Finding> find_idle_loads(const System& system, const IrReport& report, const BudgetTable& table);

}  // namespace gridiron
