// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/watched.hpp"

namespace gridiron {

/// What it costs to exceed a limit by its own size, in costs of all means.
inline constexpr double kPenaltyOfExcess = 100;

/// What watched quantities are expected to be at other widths: of straps that lower a quantity, its part is taken to go
/// as 1/width, as it does where the current stays the same, and of those that raise it, as the width (convex
/// linearization: Fleury and Braibant, Int. J. Numer. Meth. Eng. 23, 1986).
struct PlanModel {
  std::vector<double> factor;              ///< of the straps, where the slopes are from
  std::vector<Watched> watched;            ///< with their values there
  std::vector<std::vector<double>> slope;  ///< per watched quantity and strap: ∂value/∂ln(width)

  /// What strap s adds to quantity k as its width goes to `to` times today's.
  double change(size_t k, size_t s, double to) const {
    const double now = factor[s];
    return slope[k][s] < 0 ? slope[k][s] * (1 - now / to) : slope[k][s] * (to / now - 1);
  }
  double value(size_t k, std::span<const double> to) const;
  /// The largest excess of all watched quantities.
  double excess(std::span<const double> to) const;
};

/// The cheapest widths by the model, each within `trust` times what it is and the most that is allowed, with a
/// `margin`, a share of each limit, kept free.
struct PlanStep {
  std::vector<double> factor;
  std::vector<double> price;  ///< per watched quantity: what the cost falls by per unit that it may be larger
  bool is_kept = false;       ///< by the model
};
PlanStep find_step(const PlanGrid& grid, const PlanModel& model, double trust, double margin);

}  // namespace gridiron
