// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_shares.hpp"

#include <fmt/format.h>

#include "analysis/model/design.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/results/summarise.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct Count {
  int64_t loads = 0, idle = 0;
};

bool is_share(const BudgetTable::Row& row) { return row.most.unit == BudgetAmount::Unit::share && row.most.value > 0; }

/// Per row: the loads that it decides on, and how many of them draw 0 A in the deck; 0 where it is no share.
std::vector<Count> count_idle(const BudgetTable& table, std::span<const BudgetMember> members,
                              std::span<const InstancePins> loads, std::span<const double> deck_a) {
  std::vector<Count> counts(table.rows.size());
  std::vector<int64_t> rule(loads.size(), -1);  // the last one
  const auto add = [&](int64_t row, int64_t load) {
    if (!is_share(table.rows[row])) return;
    ++counts[row].loads;
    counts[row].idle += deck_a[loads[load].source] == 0 ? 1 : 0;
  };
  for (const auto& [row, load] : members) {
    if (table.rows[row].is_sum)
      add(row, load);
    else
      rule[load] = row;
  }
  for (size_t load = 0; load < rule.size(); ++load)
    if (rule[load] >= 0) add(rule[load], static_cast<int64_t>(load));
  return counts;
}

}  // namespace

std::vector<InstancePins> budget_pins(std::span<const InstancePins> instances, std::span<const double> deck_a) {
  std::vector<InstancePins> pins;
  pins.reserve(instances.size());
  for (const InstancePins& load : instances) {
    if (!load.is_pair || (deck_a[load.source] == 0) == (deck_a[load.twin] == 0)) {
      pins.push_back(load);
      continue;
    }
    pins.push_back({load.power, kGround, load.source, true, -1});
    pins.push_back({load.ground, kGround, load.twin, true, -1});
  }
  return pins;
}

void require_shares(const BudgetTable& table, std::span<const BudgetMember> members,
                    std::span<const InstancePins> loads, std::span<const double> deck_a) {
  const std::vector<Count> counts = count_idle(table, members, loads, deck_a);
  for (size_t row = 0; row < counts.size(); ++row)
    if (counts[row].loads > 0 && counts[row].idle == counts[row].loads)
      throw input_error(
          "{}: {:g}% of what the deck says is 0 here: all loads of this rule ({}) draw 0 A in "
          "the deck; give a current or a power",
          table.place(table.rows[row]), 100 * table.rows[row].most.value, counts[row].loads);
}

std::vector<Finding> find_idle_loads(const System& system, const IrReport& report, const BudgetTable& table) {
  const Circuit& circuit = *report.circuit;
  const std::vector<double>& deck_a = circuit.current_sources.value;
  const std::vector<InstancePins> instances = find_instance_pins(circuit), loads = budget_pins(instances, deck_a);
  const NodeTable nodes = node_table(system, report.nodes.voltage_v);
  const std::vector<BudgetMember> members =
      find_members(*system.design(), table, loads, nodes, net_list(system, loaded_nets(instances, nodes)));
  const std::vector<Count> counts = count_idle(table, members, loads, deck_a);
  std::vector<Finding> findings = atto_findings(table.atto);
  for (size_t row = 0; row < counts.size(); ++row)
    if (!table.rows[row].is_sum && counts[row].idle > 0)
      findings.push_back(
          {Finding::Severity::warning, "idle-share",
           fmt::format("{} of {} loads of this rule draw 0 A in the deck, so that they draw nothing over "
                       "the budget either; give them a current or a power",
                       counts[row].idle, counts[row].loads),
           table.place(table.rows[row])});
  if (report.budget && report.budget->ranged == 0)
    findings.push_back({Finding::Severity::warning, "fixed-budget",
                        "no load may change over the budget: none has a rule 'each' whose most is above its least",
                        table.path});
  return findings;
}

}  // namespace gridiron
