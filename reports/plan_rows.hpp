// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/plan/find_plan.hpp"
#include "support/visited.hpp"

// A plan in words: what its text, its tables and its page say of limits and edits.

namespace gridiron {

/// A limit, today and after.
struct PlanLimitRow {
  std::string net, layer, quantity, unit;
  double limit = 0, today = 0, after = 0, bound = 0;
  bool is_kept_after = false, is_kept_today = false;
  void visit(auto& v) const {
    v("net", net)("layer", Known{layer, !layer.empty()}, "'': of the whole net");
    v("quantity", quantity, "'worst drop', 'p99 drop', 'current', …")("unit", unit, "'V' or 'A'")("limit", limit);
    v("today", today)("after", after, "with the plan; where there is none, with all means exhausted");
    v("bound", bound, "certified error of 'after'")("is_kept_after", is_kept_after);
  }
};
std::vector<PlanLimitRow> plan_limits(const Plan& plan);

/// A line of plan.csv: where an edit is, and what it is from and to.
struct PlanEditRow {
  int64_t step = 0;
  std::string edit, layer;
  double x0_um = NAN, y0_um = NAN, x1_um = NAN, y1_um = NAN;
  double from = NAN, to = NAN, cost = 0;
  double gain_alone = NAN, gain_in_order = NAN;
  std::string unit, net, name;
  std::string gain_unit;
  void visit(auto& v) const {
    v("step", step)("edit", edit, "'widen', 'add_strap' or 'add_pad'")("layer", layer)("x0_um", x0_um)("y0_um", y0_um);
    v("x1_um", x1_um)("y1_um", y1_um)("from", from)("to", to)("cost", cost)("gain_alone_v", in_volts(gain_alone));
    v("gain_in_order_v", in_volts(gain_in_order))("unit", unit, "of 'from' and 'to': 'um', 'x' or 'ohm'")("net", net);
    v("name", name, "of the first resistor, the new strap, or the pad's node")("gain_alone", gain_alone);
    v("gain_in_order", gain_in_order)("gain_unit", gain_unit, "'V' or 'A'; NaN: not measured");
  }
  /// The gain where it is of a drop; of a current NaN.
  double in_volts(double gain) const { return gain_unit == "V" ? gain : NAN; }
};
PlanEditRow plan_edit(const Plan& plan, size_t index);

/// kept_today, found, impossible or none_found.
const char* outcome_word(PlanOutcome outcome);
std::string plan_headline(const Plan& plan);

/// The grid that widened straps and new pads of a plan are of: with its new straps, if it has some.
inline const IrReport& edited_grid(const Plan& plan) {
  return plan.outcome == PlanOutcome::found ? plan.after.report : plan.today.report;
}

/// "3 of 12 straps widened, 2 straps added, 1 pad added; cost 34.2".
std::string plan_cost_text(const Plan& plan);

/// A cost or width without what rounding adds behind its digits.
double in_nine_digits(double number);

/// A line for each of Plan::capped, "on metal1 4 straps have no room …".
std::vector<std::string> capped_texts(const Plan& plan);

/// "0.14 -> 0.3 um", "x 2", "0.2 ohm"; with the signs of Unicode if asked for.
std::string change_text(const PlanEditRow& row, bool is_unicode = false);
/// "12,40", or "-" without a place.
std::string place_text(double x_um, double y_um);
/// "1.2 mV"; "-" where it was not measured, "none" within twice the certified bound.
std::string gain_text(const Plan& plan, double gain, const std::string& unit, std::string_view micro);

}  // namespace gridiron
