// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/ir_drop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "analysis/insight/budget_shares.hpp"
#include "analysis/insight/cascade.hpp"
#include "analysis/insight/drop_shares.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/results/plausibility.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/run/any_ir.hpp"
#include "analysis/run/early_limits.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

std::string netlist_name(const std::string& path) {
  if (path == "-" || path == "<stdin>") return "stdin";
  const std::string file = std::filesystem::path(path).filename().string();
  const std::string stem = file.substr(0, file.find('.', 1));
  return stem.empty() ? "netlist" : stem;
}

void add_run(IrReport& report, const Solver& solver, const Solver::Work& before) {
  append(report.findings, solver.findings());
  append(report.findings, check_bound(report, solver.options().rtol));
  append(report.findings, check_plausibility(report));
  add_work(report, solver, before);
}

void add_work(IrReport& report, const Solver& solver, const Solver::Work& before) {
  report.engine = solver.engine_run();
  report.solve = solver.stats();
  report.timings_s.reduce = solver.system().seconds().reduce;
  report.timings_s.assemble = solver.system().seconds().assemble;
  report.timings_s.setup = solver.work().setup_s - before.setup_s;
  report.timings_s.solve = solver.work().solve_s - before.solve_s;
  report.timings_s.certify = solver.work().certify_s - before.certify_s;
}

void add_input(IrReport& report) {
  if (report.circuit->files.empty()) return;
  report.input_path = report.circuit->files.front()->path();
  report.netlist_name = netlist_name(report.input_path);
  for (const auto& file : report.circuit->files) report.input_bytes += file->bytes_on_disk();
}

void add_drop_shares(Solver& solver, const Loads& loads, std::span<const NodeId> asked, IrReport& report) {
  std::vector<NodeId> nodes = worst_beyond_limits(report);
  for (const NodeId node : asked)
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  if (nodes.empty()) return;
  solver.context().progress("explain");
  try {
    report.drop_shares = find_drop_shares(solver, loads, report, nodes);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& e) {
    report.findings.push_back({Finding::Severity::info, "no-drop-shares",
                               fmt::format("where the worst drops fall was not found: {}", e.what()), ""});
  }
}

namespace {

void explain_drops(Solver& solver, const Loads& loads, const std::vector<std::string>& why, IrReport& report) {
  std::vector<NodeId> nodes;
  for (const std::string& name : why) nodes.push_back(node_to_explain(report, name, "why"));
  add_drop_shares(solver, loads, nodes, report);
  if (!nodes.empty()) {
    solver.context().progress("explain");
    report.explanations = explain(solver, loads, report, nodes);
  }
}

}  // namespace

IrReport analyse_ir_drop(const Circuit& circuit, const IrOptions& options) {
  const ThreadCount threads(options.context.threads);
  const Progress& progress = options.context.progress;
  const Stopwatch watch;
  progress("check");
  DesignOptions of_design = options;
  of_design.islands.net = options.net;
  const std::shared_ptr<const Design> design = first_design(circuit, of_design);
  const bool has_cascade = options.stress && options.stress->cascade;
  if (has_cascade) require_bounds(*design, field("em_cascade"));
  if (is_estimate_only(*design))
    return analyse_any_circuit(design, options, options.loads ? Loads(design, *options.loads) : Loads(design));
  design->throw_first_error();
  const AskedNames names(*design, *design->topology, options.net);
  names.require(options.limits);
  names.require(options.em_limits);
  names.require(options.em);
  names.require_nodes(options.why, "why", kWorstNode);
  if (options.pad_gains) {
    require_possible(*options.pad_gains);
    names.require_layer(options.pad_gains->layer, "pad_layer");
  }
  names.require_nodes(options.over_budget.nodes, "budget_node");
  const Loads loads = options.loads ? Loads(design, *options.loads) : Loads(design);
  const double check_s = watch.seconds();

  progress("reduce");
  const System system(design, options.reduce);
  system.check(loads);
  if (options.show_system) options.show_system(system);
  SolverOptions solver_options = options;
  solver_options.solves = loads.vectors();
  solver_options.sets_up_once = options.why.empty() && !options.pad_gains && !options.budget && !has_cascade;
  const auto afterwards = !solver_options.sets_up_once ? SolverAfterwards::stays
                          : options.limits.empty()     ? SolverAfterwards::is_released
                                                       : SolverAfterwards::stays_beyond_limits;
  Solver solver(system, solver_options, options.context);

  IrReport report = analyse_loads(solver, loads, options.loads.has_value(), options, {}, afterwards);
  report.timings_s.check = check_s;
  if (options.loads) {
    append(report.findings, atto_findings(options.loads->atto));
    append(report.findings, unnamed_load_findings(*options.loads, circuit.current_sources.size()));
  }
  explain_drops(solver, loads, options.why, report);
  if (options.pad_gains) {
    progress("pads");
    report.pad_gains = find_pad_gains(solver, loads, report, nets_short_of_pads(report), *options.pad_gains);
  }
  if (options.budget) {
    progress("budget");
    BudgetOptions over_budget = options.over_budget;
    over_budget.limits = options.limits;
    report.budget = bound_over_budget(solver, report, *options.budget, over_budget);
    append(report.findings, find_idle_loads(system, report, *options.budget));
    append(report.findings, find_unjudged_limits(options));
  }
  if (has_cascade) {
    progress("cascade");
    const Stopwatch cascade_watch;
    report.stress->cascade = find_cascade(solver, loads, report, *options.stress, options, report.findings);
    judge_lifetime_limits(*report.stress, report.certificate);
    report.timings_s.cascade = cascade_watch.seconds();
  }
  return report;
}

IrReport analyse_loads(Solver& solver, const Loads& loads, bool is_worst_case, const SummaryOptions& options,
                       const Solver::Work& before, SolverAfterwards afterwards) {
  const Progress& progress = solver.context().progress;
  const System& system = solver.system();
  double recover_s = 0;
  const auto timed = [&](auto&& recover) {
    const Stopwatch part;
    recover();
    recover_s += part.seconds();
  };
  const auto release = [&](const auto& drops) {
    solver.release_vectors();
    bool is_done = afterwards == SolverAfterwards::is_released;
    if (afterwards == SolverAfterwards::stays_beyond_limits)
      timed([&] { is_done = !may_exceed_limits(system, drops, options); });
    if (is_done) solver.release();
  };
  IrReport report;
  if (!is_worst_case) {
    const Answer answer = std::move(solver.solve(loads).front());
    release(answer);
    progress("recover");
    timed([&] { report = summarise(system, answer, options); });
  } else {
    WorstCase worst(system);
    std::vector<Answer> some;  // as many as are looked at at the same time
    const auto add_them = [&] { timed([&] { worst.add(some), some.clear(); }); };
    solver.solve(loads, [&](int64_t, Answer answer) {
      some.push_back(std::move(answer));
      if (std::ssize(some) >= omp_get_max_threads()) add_them();
    });
    add_them();
    release(worst.nodes());
    progress("recover");
    timed([&] { report = std::move(worst).report(options); });
  }
  add_run(report, solver, before);
  report.timings_s.recover = recover_s;
  return report;
}

std::string tolerance_miss(const IrReport& report, const SolverOptions& options) {
  return tolerance_miss(report.solve, report.certificate, report.engine.name, options);
}

}  // namespace gridiron
