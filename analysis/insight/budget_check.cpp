// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_check.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/insight/budget_node.hpp"
#include "analysis/results/net_statistics.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr double kRoundingOfVoltages = 1e-12;  ///< of what voltages are made of, beside their certified errors

}  // namespace

void check_over_budget(Solver& solver, const IrReport& report, std::vector<BudgetNet>& nets) {
  std::vector<double> highest(report.nets.size(), INFINITY);
  for (const BudgetNet& net : nets)
    highest[net.net] =
        net.ceiling_v + kRoundingOfVoltages * (std::abs(net.ceiling_v) + std::abs(report.nets[net.net].nominal_v));
  Loads loads(report.design, std::ssize(nets));
  for (size_t k = 0; k < nets.size(); ++k)
    std::ranges::copy(nets[k].load_a, loads.vector(static_cast<int64_t>(k)).begin());
  solver.solve(loads, [&](int64_t vector, const Answer& answer) {
    BudgetNet& checked = nets[vector];
    checked.check_bound_v = answer.certificate.bound_v();
    for (size_t n = 1; n < answer.voltage_v.size(); ++n) {
      const int32_t net = report.nodes.net[n];
      if (net < 0) continue;
      const double drop = drop_of(report.nets[net], answer.voltage_v[n]);
      if (drop > highest[net] + checked.check_bound_v)
        throw solver_error(
            "the worst case over the budget contradicts itself: node {} drops by {:.6g} V under loads "
            "that are allowed, above the ceiling {:.6g} V of net {}; please report this",
            report.circuit->node_name(static_cast<NodeId>(n)), drop, highest[net], report.nets[net].name);
    }
    if (checked.worst.empty()) return;
    checked.check_drop_v = drop_of(report.nets[checked.net], answer.voltage_v[checked.worst.front().node]);
  });
}

}  // namespace gridiron
