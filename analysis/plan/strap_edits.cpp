// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/strap_edits.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/plan/edit_gains.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

std::vector<PlanEdit> find_strap_edits(StrapStages& stages, std::span<const StrapPlace> places,
                                       std::span<const int32_t> order, const IrReport& today, const PlanCosts& costs,
                                       bool measures) {
  std::vector<double> before;
  std::vector<Gauge> gauges;
  for (int32_t net = 0; net < std::ssize(today.nets); ++net) {
    gauges.emplace_back(today, net);
    before.push_back(gauges.back().today());
  }
  std::vector<PlanEdit> edits;
  for (size_t i = 0; i < order.size(); ++i) {
    const StrapPlace& place = places[order[i]];
    PlanEdit edit{.new_strap = static_cast<int64_t>(i)};
    const auto net = std::ranges::find_if(today.nets, [&](const NetResult& n) { return same_name(n.name, place.net); });
    edit.net = static_cast<int32_t>(net - today.nets.begin());
    edit.from = 0;
    edit.to = place.width_um;
    edit.cost = costs.area * place.area_um2;
    edit.gain_alone = edit.gain_in_order = NAN;
    const Gauge& gauge = gauges[edit.net];
    edit.gain_unit = gauge.unit();
    if (measures && i < most_edits_to_try(today)) {
      edit.gain_alone = gauge.today() - gauge.value(stages.with({order[i]}).trial.report);
      const double after = gauge.value(stages.with({order.begin(), order.begin() + i + 1}).trial.report);
      edit.gain_in_order = before[edit.net] - after;
      before[edit.net] = after;
    }
    edits.push_back(edit);
  }
  return edits;
}

}  // namespace gridiron
