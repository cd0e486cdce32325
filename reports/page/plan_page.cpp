// SPDX-License-Identifier: Apache-2.0
#include "reports/page/plan_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/page/page.hpp"
#include "reports/plan_rows.hpp"
#include "reports/text/numbers.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr const char* kMicro = "µ";

DiffTable limits_table(const Plan& plan) {
  DiffTable table{
      "Limits", {"net", "layer", "limit on", "limit>", "today>", "", "with the plan>", "certified to>", ""}, {}, ""};
  for (const PlanLimitRow& row : plan_limits(plan)) {
    const auto number = [&](double value) { return with_unit(value, row.unit, kMicro); };
    table.rows.push_back({row.net, row.layer, row.quantity, number(row.limit), number(row.today),
                          row.is_kept_today ? "kept" : "exceeded", number(row.after), number(row.bound),
                          row.is_kept_after ? "kept" : "exceeded"});
  }
  return table;
}

DiffTable edits_table(const Plan& plan) {
  DiffTable table{"Edits",
                  {"step>", "edit", "net", "layer", "resistor or node", "from, µm", "to, µm", "change>", "cost>",
                   "gain alone>", "in this order>"},
                  {},
                  "Gains are of what exceeds a limit of the net most; an edit that gains none there may be needed at "
                  "another place."};
  const size_t most = std::min(plan.edits.size(), kRowsOfPage);
  for (size_t i = 0; i < most; ++i) {
    const PlanEditRow row = plan_edit(plan, i);
    const bool is_pad = row.edit == "add_pad";
    table.rows.push_back({std::to_string(row.step), is_pad ? "add a pad" : "widen", row.net, row.layer, row.name,
                          place_text(row.x0_um, row.y0_um), is_pad ? "" : place_text(row.x1_um, row.y1_um),
                          change_text(row, true), fmt::format("{:.4g}", row.cost),
                          gain_text(plan, row.gain_alone, row.gain_unit, kMicro),
                          gain_text(plan, row.gain_in_order, row.gain_unit, kMicro)});
  }
  if (most < plan.edits.size()) table.note += fmt::format(" {} more are in plan.csv.", plan.edits.size() - most);
  return table;
}

}  // namespace

ChangeStory plan_story(const Plan& plan) {
  ChangeStory story;
  story.title = "Plan that keeps all limits";
  story.verdict = "Limits kept";
  story.facts = {plan_cost_text(plan) + "."};
  if (plan.is_interrupted) story.facts.emplace_back("The cheapest until the search was interrupted.");
  if (plan.uniform_cost)
    story.facts.push_back(fmt::format("The same factor for all straps, {:.4g}, keeps them at a cost of {:.6g}.",
                                      plan.uniform_factor, *plan.uniform_cost));
  story.tables = {limits_table(plan), edits_table(plan)};
  for (size_t i = 0; i < plan.edits.size(); ++i) {
    const PlanEditRow row = plan_edit(plan, i);
    if (!std::isnan(row.x0_um)) story.marks.push_back({row.net, row.x0_um, row.y0_um, row.x1_um, row.y1_um});
  }
  story.marks_note = "Lines are widened straps, diamonds added pads; the ring is where the change is largest.";
  return story;
}

}  // namespace gridiron
