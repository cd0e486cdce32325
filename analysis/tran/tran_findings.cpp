// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/tran_cards.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/results/plausibility.hpp"
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
    for (size_t k = 1; k < w.points.size(); ++k)
      if (w.points[k].second != w.points[k - 1].second)
        shortest = std::min(shortest, least({w.points[k].first - w.points[k - 1].first}));
    return shortest;
  }
};

void find_constant_sources(const Circuit& circuit, bool vary, std::vector<Finding>& findings) {
  if (vary || circuit.tran.uic) return;
  const std::string place = circuit.files.empty() ? "" : circuit.files[0]->path();
  findings.push_back({Finding::Severity::warning, "nothing-varies",
                      fmt::format("no source varies before the end of the simulation, so that every moment is that of "
                                  "gridiron ir; give the sources waveforms, in the deck or by {}",
                                  field("waveforms")),
                      place});
}

/// Calls f(kind, source, waveform) for the sources with waveforms that no template replaces.
void for_each_waveform(const Circuit& circuit, const LoadsOverTime& loads, auto f) {
  std::vector<char> is_replaced(circuit.current_sources.value.size(), 0);
  for (const int64_t i : loads.sources()) is_replaced[i] = 1;
  for (const Kind kind : {kCurrentSource, kVoltageSource}) {
    const Sources& sources = kind == kCurrentSource ? circuit.current_sources : circuit.voltage_sources;
    for (int64_t i = 0; i < sources.size(); ++i)
      if (sources.waveform[i] >= 0 && !(kind == kCurrentSource && is_replaced[i]))
        f(kind, i, circuit.waveforms[sources.waveform[i]]);
  }
}

/// Sources whose waveforms do something, but not before the end: a delay or a table in another unit than seconds. Where
/// a user simulates less than the deck asks for, those that wait for the deck's end are meant to.
void find_late_sources(const Circuit& circuit, const LoadsOverTime& loads, TimeFrame frame,
                       const std::string& templates, std::vector<Finding>& findings) {
  frame.stop = std::max(frame.stop, circuit.tran.stop);
  const TimeFrame endless{frame.step, HUGE_VAL};
  int64_t count = 0;
  std::string first, place;
  const auto tell = [&](Kind kind, int64_t i, const std::string& where) {
    if (count++ > 0) return;
    first = circuit.element_name(kind, i);
    place = where;
  };
  for_each_waveform(circuit, loads, [&](Kind kind, int64_t i, const Waveform& waveform) {
    if (!varies(waveform, frame) && varies(waveform, endless))
      tell(kind, i, circuit.place(circuit.elements(kind).origin[i]));
  });
  const std::vector<int64_t> late = loads.late_sources(frame.stop);
  for (const int64_t i : late) tell(kCurrentSource, i, templates);
  if (count == 0) return;
  findings.push_back({Finding::Severity::warning, "varies-too-late",
                      fmt::format("{}, the first {}, {} to vary only after the end of the simulation at {:.4g} s{}; "
                                  "is the delay in seconds? If so, give a later {}",
                                  counted(count, "source"), first, count == 1 ? "begins" : "begin", frame.stop,
                                  !late.empty() && loads.scenarios() > 1 ? " in some scenario" : "", field("stop")),
                      place});
}

void find_short_edges(const Circuit& circuit, double step, const LoadsOverTime& loads, const std::string& templates,
                      std::vector<Finding>& findings) {
  constexpr double kFar = 10;
  double shortest = HUGE_VAL;
  std::string where, place;
  for_each_waveform(circuit, loads, [&](Kind kind, int64_t i, const Waveform& waveform) {
    const double time = std::visit(ShortestTime(), waveform);
    if (time >= shortest || time >= step / kFar) return;
    shortest = time;
    where = circuit.element_name(kind, i);
    place = circuit.place(circuit.elements(kind).origin[i]);
  });
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

/// The nets with the loads of these currents into their nodes, A, instead of those of the start.
std::vector<NetResult> loaded_nets(const Topology& topology, const IrReport& start, std::vector<double> injection) {
  for (size_t n = 1; n < injection.size(); ++n)
    if (topology.nets.inverted[topology.parts.part[n]]) injection[n] = 0.0 - injection[n];
  std::vector<NetResult> nets = start.nets;
  for (NetResult& net : nets) {
    net.loads = net.reversed_loads = 0;
    net.load_current_a = net.reversed_current_a = 0;
  }
  add_statistics(current_statistics(start.nodes, injection, {}, nets), start.nodes.voltage_v, nets);
  return nets;
}

/// Loads that drive current the wrong way when they do most, and what is beyond its supply at the start.
void find_wrong_signs(const Design& design, const IrReport& start, const LoadsOverTime& loads,
                      std::vector<Finding>& findings) {
  const Circuit& circuit = *design.circuit;
  const Sources& sources = circuit.current_sources;
  std::vector<double> amperes = sources.value;
  for (int64_t i = 0; i < sources.size(); ++i)
    if (sources.waveform[i] >= 0) amperes[i] = peak_of(circuit.waveforms[sources.waveform[i]]);
  loads.take_peaks(amperes);
  const auto add = [&](const std::optional<Finding>& finding) {
    if (finding) findings.push_back(*finding);
  };
  for (const NetResult& net : loaded_nets(*design.topology, start, node_injection(circuit, amperes)))
    add(reversed_load(start, net));
  if (circuit.tran.uic) return;
  const std::vector<Statistics> beyond = find_overshoots(start.nodes, start.nets, start.certificate);
  for (size_t k = 0; k < beyond.size(); ++k)
    if (auto finding = overvoltage(start, start.nets[k], beyond[k])) {
      finding->message = "at the operating point " + finding->message;
      findings.push_back(*finding);
    }
}

}  // namespace

std::vector<Finding> find_tran_findings(const Design& design, const IrReport& start, const LoadsOverTime& loads,
                                        bool vary, const std::string& templates, const StepsTaken& steps) {
  std::vector<Finding> findings = check_tran_cards(design);
  find_constant_sources(*design.circuit, vary, findings);
  if (vary) find_late_sources(*design.circuit, loads, steps.frame, templates, findings);
  find_wrong_signs(design, start, loads, findings);
  if (!steps.meet_corners || !steps.are_controlled)
    find_short_edges(*design.circuit, steps.largest_s, loads, templates, findings);
  return findings;
}

std::vector<Finding> check_time_tolerance(double asked_v, double error_v) {
  if (error_v <= asked_v) return {};
  return {{Finding::Severity::warning, "time-tolerance-missed",
           fmt::format("the estimated error in time of a step is {:.2g} V, above the {} of {:.2g} V; give a shorter {}",
                       error_v, field("time_tolerance"), asked_v, field("step")),
           ""}};
}

}  // namespace gridiron
