// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/strap_stages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "netlist/names/name_table.hpp"

namespace gridiron {

bool StrapStage::is_new(const Strap& strap, const std::vector<StrapPlace>& places) const {
  const IrReport& report = trial.report;
  return std::ranges::any_of(chosen, [&](int32_t c) {
    const StrapPlace& place = places[c];
    const bool is_along_x = place.pieces.front().y0_um == place.pieces.front().y1_um;
    const double across = is_along_x ? strap.y0_um : strap.x0_um;
    return same_name(report.nets[strap.net].name, place.net) &&
           same_name(report.layer_names[strap.layer], place.layer) &&
           std::abs(across - place.at_um) < place.width_um / 2;
  });
}

StrapStage StrapStages::with(std::vector<int32_t> chosen) {
  StrapStage stage;
  std::ranges::sort(chosen);
  stage.chosen = std::move(chosen);
  if (stage.chosen.empty()) {
    stage.solver = &solver_;
    stage.loads = std::make_unique<Loads>(loads_);
  } else {
    const std::shared_ptr<const Design> design = places_.design_with(stage.chosen);
    stage.loads = std::make_unique<Loads>(design, loads_.vectors());
    for (int64_t v = 0; v < loads_.vectors(); ++v) std::ranges::copy(loads_.vector(v), stage.loads->vector(v).begin());
    stage.own_solver = std::make_unique<Solver>(System(design), solver_.options(), solver_.context());
    stage.solver = stage.own_solver.get();
  }
  stage.grid = std::make_unique<PlanGrid>(*stage.solver, *stage.loads, summary_, others_, spare_v_);
  stage.trial = stage.grid->try_out({});
  for (const int32_t c : stage.chosen) stage.trial.cost += others_.costs.area * places_.places()[c].area_um2;
  ++solved_;
  return stage;
}

}  // namespace gridiron
