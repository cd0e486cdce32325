// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/edit_gains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

constexpr double kWork = 4e6;
constexpr double kFewestEdits = 8, kMostEdits = 40;

int32_t net_of_pad(const PlanGrid& grid, const IrReport& report, const AddPad& pad) {
  return report.nodes.net[grid.solver().system().design()->find_node(pad.node)];
}

void apply(const PlanEdit& edit, const Setting& plan, Setting& setting) {
  if (edit.strap >= 0)
    setting.factor[edit.strap] = plan.factor[edit.strap];
  else
    setting.pads.push_back(plan.pads[edit.pad]);
}

}  // namespace

Gauge::Gauge(const IrReport& today, int32_t net) {
  double most = -HUGE_VAL;
  const auto look = [&](const auto& limits, bool is_em, auto share) {
    for (size_t l = 0; l < limits.size(); ++l) {
      if (!same_name(limits[l].net, today.nets[net].name) || share(limits[l]) <= most) continue;
      most = share(limits[l]);
      limit_ = l;
      is_em_ = is_em;
    }
  };
  look(today.limits, false, [](const LimitResult& l) { return l.value_v / l.limit_v; });
  look(today.em_limits, true, [](const EmLimitResult& l) { return l.ratio(); });
  is_known_ = most > -HUGE_VAL;
  today_ = value(today);
}

double Gauge::value(const IrReport& report) const {
  if (!is_known_) return NAN;
  return is_em_ ? report.em_limits[limit_].value_a : report.limits[limit_].value_v;
}

size_t most_edits_to_try(const IrReport& today) {
  return static_cast<size_t>(std::clamp(kWork / static_cast<double>(today.nodes.net.size()), kFewestEdits, kMostEdits));
}

std::vector<PlanEdit> find_edits(PlanGrid& grid, const Trial& today, const Setting& plan,
                                 const std::vector<double>& first_order_gain, bool measures) {
  std::vector<PlanEdit> edits;
  std::vector<double> gain;
  for (int64_t p = 0; p < std::ssize(plan.pads); ++p) {
    edits.push_back({.pad = p, .net = net_of_pad(grid, today.report, plan.pads[p])});
    edits.back().cost = grid.means().costs.pad;
    gain.push_back(HUGE_VAL);
  }
  for (int64_t s = 0; s < std::ssize(plan.factor); ++s) {
    if (plan.factor[s] == 1) continue;
    edits.push_back({.strap = s, .net = grid.straps()[s].net, .to = plan.factor[s]});
    edits.back().cost = grid.straps()[s].unit_cost * (plan.factor[s] - 1);
    gain.push_back(first_order_gain[s]);
  }
  std::vector<size_t> order(edits.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return gain[a] / std::max(edits[a].cost, 1e-300) > gain[b] / std::max(edits[b].cost, 1e-300);
  });
  std::vector<PlanEdit> sorted;
  for (const size_t i : order) sorted.push_back(edits[i]);

  std::vector<Gauge> gauges;
  for (int32_t net = 0; net < std::ssize(today.report.nets); ++net) gauges.emplace_back(today.report, net);
  std::vector<double> before;
  for (const Gauge& gauge : gauges) before.push_back(gauge.today());
  const size_t most = most_edits_to_try(today.report);
  Setting together = grid.today();
  for (size_t i = 0; i < sorted.size(); ++i) {
    PlanEdit& edit = sorted[i];
    edit.gain_alone = edit.gain_in_order = NAN;
    edit.gain_unit = gauges[edit.net].unit();
    if (i >= most || !measures) continue;
    Setting alone = grid.today();
    apply(edit, plan, alone);
    apply(edit, plan, together);
    const Gauge& gauge = gauges[edit.net];
    edit.gain_alone = gauge.today() - gauge.value(grid.try_out(alone).report);
    const double after = gauge.value(grid.try_out(together).report);
    edit.gain_in_order = before[edit.net] - after;
    before[edit.net] = after;
  }
  return sorted;
}

}  // namespace gridiron
