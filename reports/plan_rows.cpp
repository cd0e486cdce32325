// SPDX-License-Identifier: Apache-2.0
#include "reports/plan_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

void describe_widened(const Plan& plan, const PlanEdit& edit, PlanEditRow& row) {
  const IrReport& report = edited_grid(plan);
  const Strap& strap = plan.straps[edit.strap];
  row.edit = "widen";
  row.layer = report.layer_names[strap.layer];
  row.name = report.circuit->element_name(kResistor, strap.resistors.front());
  row.x0_um = strap.x0_um, row.y0_um = strap.y0_um, row.x1_um = strap.x1_um, row.y1_um = strap.y1_um;
  const double unit = strap.width_um > 0 ? strap.width_um : 1;
  row.unit = strap.width_um > 0 ? "um" : "x";
  row.from = in_nine_digits(edit.from * unit), row.to = in_nine_digits(edit.to * unit);
}

void describe_new(const Plan& plan, const PlanEdit& edit, PlanEditRow& row) {
  const StrapPlace& place = plan.new_straps[edit.new_strap];
  row.edit = "add_strap";
  row.layer = place.layer;
  row.name = fmt::format("plan_strap_{}", edit.new_strap + 1);
  row.unit = "um";
  row.from = 0, row.to = place.width_um;
  const auto& [x0, y0, x1, y1] = place.pieces.front();
  row.x0_um = x0, row.y0_um = y0, row.x1_um = x1, row.y1_um = y1;
  for (const StrapPlace::Piece& piece : place.pieces) {
    row.x0_um = std::min(row.x0_um, piece.x0_um), row.y0_um = std::min(row.y0_um, piece.y0_um);
    row.x1_um = std::max(row.x1_um, piece.x1_um), row.y1_um = std::max(row.y1_um, piece.y1_um);
  }
}

void describe_pad(const Plan& plan, const PlanEdit& edit, PlanEditRow& row) {
  const IrReport& report = edited_grid(plan);
  const AddPad& pad = plan.after.setting.pads[edit.pad];
  const NodeId node = report.design->find_node(pad.node);
  row.edit = "add_pad";
  row.name = pad.node;
  row.unit = "ohm";
  if (report.nodes.layer[node] >= 0) row.layer = report.layer_names[report.nodes.layer[node]];
  row.x0_um = row.x1_um = report.nodes.x_um[node], row.y0_um = row.y1_um = report.nodes.y_um[node];
  row.to = pad.ohm;
}

}  // namespace

std::vector<PlanLimitRow> plan_limits(const Plan& plan) {
  std::vector<PlanLimitRow> rows;
  const bool has_after = plan.outcome != PlanOutcome::kept_today;
  const IrReport& today = plan.today.report;
  const IrReport& after = has_after ? plan.after.report : today;
  for (size_t l = 0; l < today.limits.size(); ++l) {
    const LimitResult &t = today.limits[l], &a = after.limits[l];
    rows.push_back({t.net, t.layer, t.quantity + " drop", "V", t.limit_v, t.value_v, a.value_v, a.bound_v,
                    !a.exceeded && !a.undecided, !t.exceeded && !t.undecided});
  }
  for (size_t l = 0; l < today.em_limits.size(); ++l) {
    const EmLimitResult &t = today.em_limits[l], &a = after.em_limits[l];
    rows.push_back({t.net, t.layer, current_name(t.quantity), "A", t.limit_a, t.value_a, a.value_a, a.bound_a,
                    !a.exceeded && !a.undecided, !t.exceeded && !t.undecided});
  }
  return rows;
}

PlanEditRow plan_edit(const Plan& plan, size_t index) {
  const PlanEdit& edit = plan.edits[index];
  PlanEditRow row;
  row.step = static_cast<int64_t>(index) + 1;
  row.net = edited_grid(plan).nets[edit.net].name;
  row.cost = in_nine_digits(edit.cost);
  row.gain_alone = edit.gain_alone;
  row.gain_in_order = edit.gain_in_order;
  row.gain_unit = edit.gain_unit;
  if (edit.strap >= 0)
    describe_widened(plan, edit, row);
  else if (edit.new_strap >= 0)
    describe_new(plan, edit, row);
  else
    describe_pad(plan, edit, row);
  return row;
}

const char* outcome_word(PlanOutcome outcome) {
  switch (outcome) {
    case PlanOutcome::kept_today:
      return "kept_today";
    case PlanOutcome::found:
      return "found";
    case PlanOutcome::impossible:
      return "impossible";
    default:
      return "none_found";
  }
}

std::string plan_headline(const Plan& plan) {
  switch (plan.outcome) {
    case PlanOutcome::kept_today:
      return "all limits are kept today; nothing is to be done";
    case PlanOutcome::found:
      return plan.is_interrupted ? "a plan that keeps all limits, the cheapest until the search was interrupted"
                                 : "a plan that keeps all limits";
    case PlanOutcome::impossible:
      return "proved impossible: no plan by these means keeps all limits";
    default:
      return "no plan was found that keeps all limits; that there is none is not proved";
  }
}

double in_nine_digits(double number) {
  return std::isfinite(number) ? std::stod(fmt::format("{:.9g}", number)) : number;
}

std::string plan_cost_text(const Plan& plan) {
  const auto widened = std::ranges::count_if(plan.edits, [](const PlanEdit& edit) { return edit.strap >= 0; });
  const auto pads = std::ssize(plan.after.setting.pads);
  const bool has_new = !plan.new_straps.empty();
  std::vector<std::string> parts;
  if (!has_new || !plan.straps.empty())
    parts.push_back(fmt::format("{} of {} widened", widened, counted(std::ssize(plan.straps), "strap")));
  if (has_new) parts.push_back(counted(std::ssize(plan.new_straps), "strap") + " added");
  if (!has_new || pads > 0) parts.push_back(counted(pads, "pad") + " added");
  return fmt::format("{}; cost {:.6g}", fmt::join(parts, ", "), plan.after.cost);
}

std::vector<std::string> capped_texts(const Plan& plan) {
  std::vector<std::string> texts;
  for (const CappedStraps& c : plan.capped) {
    if (c.in_the_way.empty()) {
      texts.push_back(
          c.straps == 1 ? fmt::format("1 row on {} stays as it is: a shape of DEF without a width of its own", c.layer)
                        : fmt::format("{} rows on {} stay as they are: shapes of DEF without a width of "
                                      "their own",
                                      c.straps, c.layer));
      continue;
    }
    std::string text = fmt::format("SPACING of {} to {} caps {}: ", c.layer, c.in_the_way, counted(c.straps, "strap"));
    if (c.stay < c.straps) text += fmt::format("at most {:.4g} times as wide", c.most);
    if (c.stay > 0) text += fmt::format("{}{} stay as they are", c.stay < c.straps ? ", " : "", c.stay);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string change_text(const PlanEditRow& row, bool is_unicode) {
  if (row.edit == "add_pad") return fmt::format("{:.4g} {}", row.to, is_unicode ? "Ω" : "ohm");
  if (row.unit == "x") return fmt::format("{} {:.4g}", is_unicode ? "×" : "x", row.to);
  return fmt::format("{:.4g} {} {:.4g} {}", row.from, is_unicode ? "→" : "->", row.to, is_unicode ? "µm" : "um");
}

std::string place_text(double x_um, double y_um) {
  return std::isnan(x_um) ? "-" : fmt::format("{:.6g},{:.6g}", x_um, y_um);
}

std::string gain_text(const Plan& plan, double gain, const std::string& unit, std::string_view micro) {
  if (std::isnan(gain)) return "-";
  double least = 2 * plan.after.report.certificate.bound_v();
  if (unit == "A") {
    least = 0;
    for (const EmLimitResult& limit : plan.after.report.em_limits) least = std::max(least, 2 * limit.bound_a);
  }
  return std::abs(gain) <= least ? "none" : with_unit(gain, unit, micro);
}

}  // namespace gridiron
