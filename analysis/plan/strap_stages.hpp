// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/plan/new_straps.hpp"
#include "analysis/plan/plan_grid.hpp"

namespace gridiron {

/// The grid of a layout with some new straps, and what it is without other changes.
struct StrapStage {
  std::vector<int32_t> chosen;  ///< places, ascending
  std::unique_ptr<Loads> loads;
  std::unique_ptr<Solver> own_solver;
  Solver* solver = nullptr;
  std::unique_ptr<PlanGrid> grid;
  Trial trial;

  /// Whether a strap, as find_straps() has it, is one of the new ones.
  bool is_new(const Strap& strap, const std::vector<StrapPlace>& places) const;
};

class StrapStages {
 public:
  /// `solver` is of the layout as it is today; `others`: the means beside new straps. All must stay alive.
  StrapStages(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& others,
              StrapPlaces& places, double spare_v)
      : solver_(solver), loads_(loads), summary_(summary), others_(others), places_(places), spare_v_(spare_v) {}

  /// Extracts and solves. Errors: those of PlanGrid.
  StrapStage with(std::vector<int32_t> chosen);
  int64_t solved() const { return solved_; }

 private:
  Solver& solver_;
  const Loads& loads_;
  const SummaryOptions& summary_;
  const PlanMeans& others_;
  StrapPlaces& places_;
  double spare_v_;
  int64_t solved_ = 0;
};

}  // namespace gridiron
