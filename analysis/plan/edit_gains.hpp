// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/plan/find_plan.hpp"

namespace gridiron {

/// The limit of a net that is exceeded most today.
class Gauge {
 public:
  Gauge(const IrReport& today, int32_t net);
  /// What it is of, V or A; NaN of a net without limits.
  double value(const IrReport& report) const;
  double today() const { return today_; }
  const char* unit() const { return is_em_ ? "A" : "V"; }

 private:
  size_t limit_ = 0;
  bool is_em_ = false, is_known_ = false;
  double today_ = 0;
};

/// Of how many edits of a grid it is found by solves what they do: 4e6 / nodes, 8 at least and 40 at most.
size_t most_edits_to_try(const IrReport& today);

/// The edits of a plan, those first that gain most for their cost to first order, with what each gains: of the limit of
/// its net that is exceeded most today, in V, or A of a current, alone and in this order beside those before it. Solved
/// for the first of them (most_edits_to_try()), if it `measures`; NaN for the others. The solver is of another setting
/// afterwards. Errors: the solver's.
std::vector<PlanEdit> find_edits(PlanGrid& grid, const Trial& today, const Setting& plan,
                                 const std::vector<double>& first_order_gain, bool measures);

}  // namespace gridiron
