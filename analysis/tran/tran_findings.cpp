// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analysis/ir/findings.hpp"
#include "support/error.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// The shortest time in which a waveform does anything, s.
struct ShortestTime {
  static double least(std::initializer_list<double> times) {
    double shortest = HUGE_VAL;
    for (const double t : times)
      if (t > 0) shortest = std::min(shortest, t);
    return shortest;
  }
  double operator()(const Pulse& p) const { return least({p.rise, p.fall, p.width}); }
  double operator()(const Exp& e) const { return least({e.rise_tau, e.fall_tau}); }
  double operator()(const Sin& s) const { return least({0.25 / s.frequency}); }
  double operator()(const Pwl& w) const {
    double shortest = HUGE_VAL;
    for (std::size_t k = 1; k < w.points.size(); ++k)
      if (w.points[k].second != w.points[k - 1].second)
        shortest = std::min(shortest, least({w.points[k].first - w.points[k - 1].first}));
    return shortest;
  }
};

void find_zero_supply(const Circuit& circuit, std::vector<Finding>& findings) {
  const Sources& sources = circuit.voltage_sources;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    if (sources.waveform[i] < 0 || sources.value[i] != 0) continue;
    findings.push_back(
        {Finding::Severity::warning, "supply-starts-at-zero",
         fmt::format(
             "{} is 0 V at time 0, so what it feeds is taken for a ground net; give {} NET=VOLTS if it is a supply",
             circuit.element_name(kVoltageSource, i), field("nominal")),
         circuit.place(sources.origin[i])});
    return;
  }
}

void find_initial_conditions(const Circuit& circuit, std::vector<Finding>& findings) {
  const std::int64_t given = std::ssize(circuit.initial_conditions);
  if (circuit.tran.uic || given == 0) return;
  findings.push_back({Finding::Severity::warning, "initial-conditions",
                      fmt::format("IC= of {} has no effect: the simulation starts from the operating point; write uic "
                                  "on the .tran card to start from initial conditions",
                                  counted(given, "element")),
                      ""});
}

/// What .tran and .print ask for that is not done.
void find_cards(const Design& design, std::vector<Finding>& findings) {
  const Circuit& circuit = *design.circuit;
  for (const ReadFinding& found : circuit.tran_findings)
    findings.push_back({Finding::Severity::warning, found.code, found.message, found.place});
  const Parts& parts = design.topology->parts;
  for (std::size_t k = 0; k < circuit.print_nodes.size(); ++k) {
    const NodeId n = design.find_node(circuit.print_nodes[k]);
    if (n == kGround || (n > kGround && parts.anchored[parts.part[n]])) continue;
    findings.push_back(
        {Finding::Severity::warning, "unknown-probe",
         fmt::format(".print of v({}): {}", shown(circuit.print_nodes[k]),
                     n < 0 ? "the netlist has no node of that name" : "no path leads from it to a source"),
         k < circuit.print_origins.size() ? circuit.place(circuit.print_origins[k]) : ""});
  }
}

void find_constant_sources(const Circuit& circuit, bool vary, std::vector<Finding>& findings) {
  if (vary || circuit.tran.uic) return;
  const std::string place = circuit.files.empty() ? "" : circuit.files[0]->path();
  findings.push_back({Finding::Severity::warning, "nothing-varies",
                      fmt::format("no source varies before the end of the simulation, so that every moment is that of "
                                  "gridiron ir; give the sources waveforms, in the deck or by {}",
                                  field("waveforms")),
                      place});
}

void find_short_edges(const Circuit& circuit, double step, const LoadsOverTime& loads, const std::string& templates,
                      std::vector<Finding>& findings) {
  constexpr double kFar = 10;
  std::vector<char> is_replaced(circuit.current_sources.value.size(), 0);
  for (const std::int64_t i : loads.sources()) is_replaced[i] = 1;
  double shortest = HUGE_VAL;
  std::string where;
  std::string place;
  for (const Kind kind : {kCurrentSource, kVoltageSource}) {
    const Sources& sources = kind == kCurrentSource ? circuit.current_sources : circuit.voltage_sources;
    for (std::int64_t i = 0; i < sources.size(); ++i) {
      if (sources.waveform[i] < 0 || (kind == kCurrentSource && is_replaced[i])) continue;
      const double time = std::visit(ShortestTime(), circuit.waveforms[sources.waveform[i]]);
      if (time >= shortest || time >= step / kFar) continue;
      shortest = time;
      where = circuit.element_name(kind, i);
      place = circuit.place(sources.origin[i]);
    }
  }
  if (const double time = loads.shortest_edge(); time < std::min(shortest, step / kFar)) {
    shortest = time;
    where = "the templates";
    place = templates;
  }
  if (where.empty()) return;
  findings.push_back(
      {Finding::Severity::warning, "step-above-edges",
       fmt::format("the step of {:.4g} s is far above the shortest edge of {}, {:.4g} s; results may miss what happens "
                   "within a step: give a shorter {}, or {}",
                   step, where, shortest, field("step"), field("time_tolerance")),
       place});
}

}  // namespace

std::vector<Finding> find_tran_findings(const Design& design, const LoadsOverTime& loads, bool vary,
                                        const std::string& templates, const StepsTaken& steps) {
  std::vector<Finding> findings;
  find_cards(design, findings);
  find_zero_supply(*design.circuit, findings);
  find_initial_conditions(*design.circuit, findings);
  find_constant_sources(*design.circuit, vary, findings);
  if (!steps.meet_corners || !steps.are_controlled)
    find_short_edges(*design.circuit, steps.largest_s, loads, templates, findings);
  return findings;
}

}  // namespace gridiron
