// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "analysis/plan/adjoints.hpp"
#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/plan_step.hpp"

namespace gridiron {

/// What a search may change.
struct Freedom {
  int pads;  ///< of a setting, at most; those that it starts with stay
  bool widen;
};

/// Searches for cheap settings that keep all limits, each by a sequence of linear programs about the setting that the
/// last one led to, in a region of trust.
class PlanDescent {
 public:
  /// `candidates`: nodes that may get pads. `tried` is told of each trial of a search. The grid must stay alive.
  PlanDescent(PlanGrid& grid, std::vector<NodeId> candidates, std::function<void(const Trial&)> tried);

  /// Errors: the solver's.
  void descend(const Setting& from, const Freedom& may);
  int rounds() const { return rounds_; }

  /// Makes the model one of this trial, which the solver must be of.
  void linearize(const Trial& trial);
  const PlanModel& model() const { return model_; }

  /// The pads that promise most beside a setting, each alone, the best first. Errors: the solver's.
  std::vector<AddPad> promising_pads(const Setting& beside, size_t most);

 private:
  double merit(const Trial& trial) const;
  std::vector<AddPad> more_pads(const Trial& at, const PlanStep& step, int most) const;
  void watch_also(const Trial& failed);

  PlanGrid& grid_;
  const std::vector<NodeId> candidates_;
  const std::function<void(const Trial&)> tried_;
  size_t most_watched_;
  int rounds_ = 0;
  PlanModel model_;
  std::vector<Adjoint> adjoints_;  ///< of the watched quantities
};

}  // namespace gridiron
