// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/run_data.hpp"

#include <algorithm>

#include "analysis/diff/lifetime_changes.hpp"
#include "analysis/diff/stress_changes.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/segments.hpp"

namespace gridiron {

RunData run_of(const IrReport& report) {
  RunData run;
  run.title = report.input_path.empty() ? report.netlist_name : report.input_path;
  run.deck = report.input_path;
  run.date = report.run.date;
  run.layers = report.layer_names;
  run.left_out = report.left_out_nets;
  run.limits = limits_of(report);
  for (const NetResult& net : report.nets) run.nets.push_back({net.name, net.is_ground, net.supply_v, net.nominal_v});
  if (report.budget)
    for (const BudgetNet& net : report.budget->nets) {
      const BudgetNode worst = net.worst.empty() ? BudgetNode{} : net.worst.front();
      run.nets[net.net].over_budget_v = worst.drop_v;
      run.nets[net.net].over_budget_bound_v = std::max(worst.bound_v, net.ceiling_v - worst.drop_v);
    }
  const NodeTable& nodes = report.nodes;
  std::vector<int32_t> row_of(nodes.state.size(), -1);
  for (NodeId n = 0; n < static_cast<NodeId>(nodes.state.size()); ++n) {
    if (nodes.state[n] != NodeState::solved || nodes.net[n] < 0) continue;
    row_of[n] = run.names.intern(report.circuit->node_name(n));
    run.net.push_back(nodes.net[n]);
    run.layer.push_back(nodes.layer[n]);
    run.x_um.push_back(nodes.x_um[n]);
    run.y_um.push_back(nodes.y_um[n]);
    run.drop_v.push_back(nodes.drop_v[n]);
  }
  for (const HotSpot& spot : report.hot_spots) run.hot_spots.push_back({row_of[spot.node], spot.net});
  run.hot_spot_distance_um = report.hot_spot_distance_um;
  if (report.em) {
    run.violations.emplace();
    for (const int64_t i : em_worst_first(report, *report.em, static_cast<size_t>(report.em->violated))) {
      const EmRow row = em_row(report, *report.em, i);
      if (!(row.ratio > report.em->share)) break;
      const Elements& resistors = report.circuit->resistors;
      run.violations->push_back({std::string(report.circuit->node_name(resistors.a[i])),
                                 std::string(report.circuit->node_name(resistors.b[i])),
                                 layer_text(report.layer_names, layers_of(report, i)), report.em->rules[row.rule].name,
                                 row.ratio});
    }
  }
  if (report.stress) run.metal = metal_of(*report.stress, report, run);
  run.lifetimes = lifetimes_of(report);
  run.em_parameters = em_parameters_of(report);
  run.bound_v = report.certificate.bound_v();
  run.meets_tolerance = report.certificate.valid && report.certificate.max_error_v <= report.certificate.tolerance_v;
  return run;
}

}  // namespace gridiron
