// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/plan_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/results/segments.hpp"

namespace gridiron {

double Trial::error_of(const LimitResult& limit) const { return std::max(limit.allowed_error_v(), spare_v); }

double Trial::error_of(const EmLimitResult& limit) const {
  const double bound_v = report.certificate.bound_v();
  return bound_v > 0 && std::isfinite(bound_v) ? limit.bound_a * std::max(1.0, spare_v / bound_v) : limit.bound_a;
}

double Trial::excess() const {
  double most = -1;
  const auto add = [&](double value, double bound, double limit) {
    const double share = limit > 0 ? (value + bound) / limit - 1 : std::numeric_limits<double>::infinity();
    most = std::max(most, share);
  };
  for (const LimitResult& l : report.limits) add(l.value_v, error_of(l), l.limit_v);
  for (const EmLimitResult& l : report.em_limits) add(l.value_a, error_of(l), l.limit_a);
  return most;
}

int64_t Trial::count_above() const {
  int64_t above = 0;
  const auto add = [&](const auto& limits) {
    for (const auto& limit : limits)
      if (limit.exceeded || limit.undecided) above += std::max<int64_t>(1, limit.failed);
  };
  add(report.limits);
  add(report.em_limits);
  return above;
}

PlanGrid::PlanGrid(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means,
                   double spare_v)
    : solver_(solver), before_(solver.system()), loads_(loads), summary_(summary), means_(means), spare_v_(spare_v) {
  if ((summary.em && summary.em->limit) ||
      (summary.stress && (summary.stress->limit || !summary.stress->lifetime_limits.empty())))
    throw InputError(kNoPlanForEm);
  summary_.has_insights = !summary.em_limits.empty();
  summary_.em.reset();
  summary_.stress.reset();
  const Circuit& circuit = *before_.design()->circuit;
  edge_of_.assign(circuit.resistors.size(), -1);
  for_each_edge(circuit, [&](int64_t resistor, int64_t edge) { edge_of_[resistor] = edge; });
}

double PlanGrid::widened(int64_t resistor) const {
  constexpr double kRounding = 1e-12;
  if (edge_of_[resistor] < 0) return 1;
  const double times = before_.topology().grid.network.conductance[edge_of_[resistor]] *
                       before_.design()->circuit->resistors.value[resistor];
  return std::abs(times - 1) < kRounding ? 1 : times;
}

double PlanGrid::cost_of(const Setting& setting) const {
  double cost = means_.costs.pad * static_cast<double>(setting.pads.size());
  for (size_t s = 0; s < straps_.size(); ++s) cost += straps_[s].unit_cost * (setting.factor[s] - 1);
  return cost;
}

double PlanGrid::cost_of_all_means() const {
  double cost = means_.pads ? means_.costs.pad * means_.pads->count : 0;
  for (const Strap& strap : straps_) cost += strap.unit_cost * (strap.most - 1);
  return cost > 0 ? cost : 1;
}

const char* PlanGrid::cost_unit() const {
  if (means_.pads || means_.costs.area != 1 || straps_.empty()) return "";
  const auto known = std::ranges::count_if(straps_, [](const Strap& strap) { return strap.width_um > 0; });
  return known == std::ssize(straps_) ? "µm²" : known == 0 ? "S" : "";
}

std::vector<Edit> PlanGrid::edits_of(const Setting& setting) const {
  std::vector<Edit> edits;
  for (size_t s = 0; s < straps_.size(); ++s)
    if (setting.factor[s] != 1) edits.push_back(ScaleResistors{straps_[s].resistors, 1 / setting.factor[s]});
  for (const AddPad& pad : setting.pads) edits.push_back(pad);
  return edits;
}

Trial PlanGrid::try_out(const Setting& setting) {
  ++trials_;
  Trial trial;
  trial.setting = setting;
  trial.cost = cost_of(setting);
  trial.spare_v = spare_v_;
  System system = before_;
  const std::vector<Edit> edits = edits_of(setting);
  if (!edits.empty()) system.apply(edits);
  if (trials_ > 1 || !edits.empty()) solver_.update(system);
  trial.answers = solver_.solve(loads_);
  if (trial.answers.size() == 1) {
    trial.report = summarise(system, trial.answers.front(), summary_);
  } else {
    WorstCase worst(system);
    worst.add(trial.answers);
    trial.report = std::move(worst).report(summary_);
  }
  return trial;
}

}  // namespace gridiron
