// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/any_ir.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/findings.hpp"
#include "analysis/model/matrices/matrix_findings.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/plausibility.hpp"
#include "analysis/solve/any_matrix/any_circuit.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// What is found by properties of M-matrices, or by the solver that has a certificate.
void refuse_options(const Design& design, const IrOptions& options) {
  const auto refuse = [&](bool is_asked, const char* name) {
    if (is_asked) require_m_matrix(design, name);
  };
  refuse(options.budget.has_value(), "budget");
  refuse(!options.why.empty(), "why");
  refuse(options.pad_gains.has_value(), "pad_gains");
  refuse(static_cast<bool>(options.show_system), "dump_system");
}

/// The same loads of the design with independent sources, whose own they come first of.
Loads of_design(const std::shared_ptr<const Design>& solved, const Loads& loads) {
  Loads all(solved, loads.vectors());
  for (int64_t v = 0; v < loads.vectors(); ++v) std::ranges::copy(loads.vector(v), all.vector(v).begin());
  return all;
}

void add_run_of(const AnyCircuitSolution& solution, std::vector<ColumnStats> stats, IrReport& report) {
  report.reduced.unknowns = solution.unknowns;
  report.reduced.nonzeros = solution.nonzeros;
  report.reduced.merged_shorts = solution.merged_shorts;
  report.reduced.eliminated = 0;
  report.engine = solution.engine;
  report.solve = summed_up(std::move(stats));
  report.timings_s.setup = solution.setup_s;
  report.timings_s.solve = solution.solve_s;
}

}  // namespace

std::shared_ptr<const Design> solved_design(const Design& design, const DesignOptions& options) {
  require_controls(design);
  const AnyCircuitSolution solution = solve_any_circuit(*design.circuit, {}, {});
  return with_independent_sources(design, solution, options);
}

IrReport analyse_any_circuit(const std::shared_ptr<const Design>& design, const IrOptions& options,
                             const Loads& loads) {
  const Circuit& circuit = *design->circuit;
  refuse_options(*design, options);
  require_controls(*design);
  AnyCircuit equations(circuit, options, options.context);
  AnyCircuitSolution solution = equations.solve(circuit.current_sources.value);
  const Stopwatch watch;
  options.context.progress("recover");
  const std::shared_ptr<const Design> solved = with_independent_sources(*design, solution, options);
  solved->throw_first_error();
  const AskedNames names(*solved, *solved->topology, options.net);
  names.require(options.limits);
  names.require(options.em_limits);
  names.require(options.em);
  const System system = System::of_any_matrix(solved);
  system.check(of_design(solved, loads));
  std::vector<ColumnStats> stats;
  const auto answer = [&](AnyCircuitSolution of_vector, int64_t v) {
    stats.push_back(of_vector.stats);
    return answer_of(std::move(of_vector), circuit, loads.vector(v), solved->topology->parts);
  };
  IrReport report;
  if (options.loads) {
    WorstCase worst(system);
    for (int64_t v = 0; v < loads.vectors(); ++v) {
      AnyCircuitSolution of_vector = equations.solve(loads.vector(v));
      solution.solve_s += of_vector.solve_s;
      worst.add(answer(std::move(of_vector), v), true);
    }
    report = std::move(worst).report(options);
    append(report.findings, atto_findings(options.loads->atto));
    append(report.findings, unnamed_load_findings(*options.loads, circuit.current_sources.size()));
  } else {
    const bool is_of_deck = std::ranges::equal(loads.vector(0), circuit.current_sources.value);
    report = summarise(system, answer(is_of_deck ? solution : equations.solve(loads.vector(0)), 0), options);
  }
  std::erase_if(report.findings, [](const Finding& f) { return f.code == kEstimateOnly; });
  append(report.findings, estimate_findings(*design));
  append(report.findings, check_plausibility(report));
  report.input = counts_of(circuit);
  add_run_of(solution, std::move(stats), report);
  report.timings_s.recover = watch.seconds();
  return report;
}

}  // namespace gridiron
