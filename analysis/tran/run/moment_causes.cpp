// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/moment_causes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/insight/explain.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/inverted_parts.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/summarise.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"

namespace gridiron {
namespace {

/// What every source draws then, in the scenario of the moment.
std::vector<double> loads_at(const Moment& moment, const std::shared_ptr<const Design>& design,
                             const SourcesOverTime& sources, const LoadsOverTime& loads) {
  const int64_t count = design->circuit->current_sources.size();
  std::vector<double> more(count * loads.scenarios());
  loads.at(moment.time_s, {more.data(), count, loads.scenarios()});
  std::vector<double> amperes(more.begin() + moment.scenario * count, more.begin() + (moment.scenario + 1) * count);
  if (sources.are_in_full()) return amperes;
  const Loads at_start = loads.at_start(design);
  std::ranges::transform(amperes, at_start.vector(moment.scenario), amperes.begin(), std::plus());
  return amperes;
}

/// The currents of segments, of the nets that are reported.
SegmentTable segments_at(const IrReport& grid, const System& system) {
  const NodeTable nodes = node_table(system, grid.nodes.voltage_v);
  SegmentTable segments = find_segments(*grid.circuit, system.topology(), nodes);
  for (int64_t i = 0; i < std::ssize(segments.current_a); ++i)
    if (grid.nodes.net[grid_end(*grid.circuit, i)] < 0) segments.current_a[i] = segments.power_w[i] = NAN;
  return segments;
}

}  // namespace

void require_causes(const Design& design, const TranOptions& options) {
  if (options.why.empty()) return;
  require_m_matrix(design, "why");
  AskedNames(design, *design.topology, options.net).require_nodes(options.why, "why", kWorstNode);
}

void explain_worst_moment(const std::shared_ptr<const Design>& design, const SourcesOverTime& sources,
                          const LoadsOverTime& loads, const TranOptions& options, TranReport& report) {
  if (options.why.empty()) return;
  options.context.progress("explain");
  IrReport& grid = report.moment.grid;
  grid.design = design;
  grid.circuit = design->circuit.get();
  std::vector<NodeId> nodes;
  for (const std::string& name : options.why) nodes.push_back(node_to_explain(grid, name, "why"));
  const System system(design);
  grid.segments = segments_at(grid, system);
  NodeTable as_solved = grid.nodes;
  std::vector<double> injection(as_solved.voltage_v.size());
  std::vector<PadCurrent> no_pads;
  turn_inverted_parts(*design->topology, as_solved, injection, no_pads);
  const std::vector<double> amperes = loads_at(report.moment, design, sources, loads);
  Solver solver(system, options, options.context);
  const GridMoment moment{as_solved.voltage_v, amperes, report.moment.scenario};
  grid.explanations = explain(solver, moment, grid, nodes);
}

}  // namespace gridiron
