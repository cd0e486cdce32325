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
                  {"step>", "edit", "net", "layer", "resistor, strap or node", "from, µm", "to, µm", "change>", "cost>",
                   "gain alone>", "in this order>"},
                  {},
                  "Gains are of what exceeds a limit of the net most; an edit that gains none there may be needed at "
                  "another place."};
  const size_t most = std::min(plan.edits.size(), kRowsOfPage);
  for (size_t i = 0; i < most; ++i) {
    const PlanEditRow row = plan_edit(plan, i);
    const bool is_pad = row.edit == "add_pad";
    const char* edit = is_pad ? "add a pad" : row.edit == "add_strap" ? "add a strap" : "widen";
    table.rows.push_back({std::to_string(row.step), edit, row.net, row.layer, row.name,
                          place_text(row.x0_um, row.y0_um), is_pad ? "" : place_text(row.x1_um, row.y1_um),
                          change_text(row, true), fmt::format("{:.4g}", row.cost),
                          gain_text(plan, row.gain_alone, row.gain_unit, kMicro),
                          gain_text(plan, row.gain_in_order, row.gain_unit, kMicro)});
  }
  if (most < plan.edits.size()) table.note += fmt::format(" {} more are in plan.csv.", plan.edits.size() - most);
  return table;
}

/// Edits that have a place; of a new strap each of its wires.
std::vector<ChangeMark> marks(const Plan& plan) {
  std::vector<ChangeMark> marks;
  for (size_t i = 0; i < plan.edits.size(); ++i) {
    const PlanEditRow row = plan_edit(plan, i);
    if (const int64_t strap = plan.edits[i].new_strap; strap >= 0)
      for (const StrapPlace::Piece& p : plan.new_straps[strap].pieces)
        marks.push_back({row.net, p.x0_um, p.y0_um, p.x1_um, p.y1_um});
    else if (!std::isnan(row.x0_um))
      marks.push_back({row.net, row.x0_um, row.y0_um, row.x1_um, row.y1_um});
  }
  return marks;
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
  for (const std::string& text : capped_texts(plan)) story.facts.push_back(text + ".");
  story.tables = {limits_table(plan), edits_table(plan)};
  story.marks = marks(plan);
  story.marks_note = fmt::format("Lines are {} straps, diamonds added pads; the ring is where the change is largest.",
                                 plan.new_straps.empty() ? "widened" : "new and widened");
  return story;
}

}  // namespace gridiron
