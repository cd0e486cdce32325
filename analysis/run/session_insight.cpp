// SPDX-License-Identifier: Apache-2.0
// What a session tells of its last analysis by further solves.
#include <algorithm>
#include <utility>

#include "analysis/insight/budget_shares.hpp"
#include "analysis/insight/cascade.hpp"
#include "analysis/insight/drop_shares.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/run/session.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "support/error_text.hpp"

namespace gridiron {

const std::vector<Explanation>& Session::explain(const std::vector<std::string>& names, const ExplainOptions& options,
                                                 std::stop_token stop) {
  report();
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(node_to_explain(report_, name, "node"));
  with_solver(std::move(stop), [&](Solver& solver, const Loads& loads) {
    report_.explanations = gridiron::explain(solver, loads, report_, nodes, options);
  });
  return report_.explanations;
}

const std::vector<DropShares>& Session::find_drop_shares(const std::vector<std::string>& names, std::stop_token stop) {
  report();
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(node_to_explain(report_, name, "node"));
  with_solver(std::move(stop), [&](Solver& solver, const Loads& loads) {
    report_.drop_shares = gridiron::find_drop_shares(solver, loads, report_, nodes);
  });
  return report_.drop_shares;
}

const std::vector<PadGains>& Session::find_pad_gains(const PadGainOptions& options, std::stop_token stop) {
  report();
  AskedNames(*design_, system().topology(), asked_->net).require_layer(options.layer, "pad_layer");
  with_solver(std::move(stop), [&](Solver& solver, const Loads& loads) {
    report_.pad_gains = gridiron::find_pad_gains(solver, loads, report_, nets_short_of_pads(report_), options);
  });
  return report_.pad_gains;
}

void Session::with_solver(std::stop_token stop, const std::function<void(Solver&, const Loads&)>& work) {
  const Loads loads = asked_->loads ? Loads(design_, *asked_->loads) : *loads_;
  Request request = *asked_;
  request.context.stop = std::move(stop);
  const ThreadCount threads(request.context.threads);
  Solver::Work before;
  Solved& used = solver_for(request, before);
  used.grid = kNoGrid;  // the work may fail with a grid of its own in the solver
  work(*used.solver, loads);
  used.grid = grid_;
}

const BudgetReport& Session::bound_over_budget(const BudgetTable& table, BudgetOptions options, std::stop_token stop) {
  report();
  if (asked_->loads || loads_->vectors() != 1 ||
      !std::ranges::equal(loads_->vector(0), circuit_->current_sources.value))
    throw InputError(
        "a budget bounds what the loads of the netlist may draw, but others were analysed; set them back, and analyse "
        "again");
  Request request = *asked_;
  request.context.stop = std::move(stop);
  const ThreadCount threads(request.context.threads);
  Solver::Work before;
  Solver& solver = *solver_for(request, before).solver;
  options.limits = asked_->limits;
  report_.budget = gridiron::bound_over_budget(solver, report_, table, options);
  for (const std::vector<Finding>& found :
       {find_idle_loads(solver.system(), report_, table), find_unjudged_limits(*asked_)})
    for (const Finding& finding : found)
      if (std::ranges::none_of(report_.findings, [&](const Finding& known) {
            return known.code == finding.code && known.message == spelled_here(finding.message);
          }))
        report_.findings.push_back(finding);
  spell_findings();
  return *report_.budget;
}

CascadeReport Session::find_cascade(const StressOptions& options, std::stop_token stop) {
  CascadeReport cascade;
  with_solver(std::move(stop), [&](Solver& solver, const Loads& loads) {
    cascade = gridiron::find_cascade(solver, loads, report_, options, *asked_, report_.findings);
  });
  return cascade;
}

const Plan& Session::find_plan(const PlanMeans& means, std::stop_token stop) {
  report();
  require_bounds(design(), "a plan");
  if (asked_->em && asked_->em->limit) throw InputError(kNoPlanForEm);
  if (asked_->limits.empty() && asked_->em_limits.empty())
    throw InputError("the last analysis had no limits that a plan could keep; analyse with limits first");
  with_solver(std::move(stop),
              [&](Solver& solver, const Loads& loads) { plan_ = gridiron::find_plan(solver, loads, *asked_, means); });
  planned_ = state_;
  return *plan_;
}

void Session::apply_plan() {
  if (!plan_ || planned_ != state_) throw InputError("there is no plan for the grid as it is now; propose one first");
  if (plan_->outcome != PlanOutcome::found) throw InputError("the plan that was proposed last changes nothing");
  apply(plan_->changes());
}

}  // namespace gridiron
