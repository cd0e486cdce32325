// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/transient.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <tuple>
#include <utility>

#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "analysis/tran/accumulated_error.hpp"
#include "analysis/tran/any_start.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/operating_points.hpp"
#include "analysis/tran/run/moment_causes.hpp"
#include "analysis/tran/run/tran_run.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/storage.hpp"
#include "analysis/tran/tran_findings.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/short_waits.hpp"
#include "support/shown_number.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

TimePlan plan_of(const Circuit& circuit, const TranOptions& options) {
  TimePlan plan;
  plan.frame = {options.step_s.value_or(circuit.tran.step), options.stop_s.value_or(circuit.tran.stop)};
  plan.start = options.start_s.value_or(circuit.tran.start);
  plan.largest_step = options.largest_step_s.value_or(circuit.tran.largest);
  const TimeFrame& frame = plan.frame;
  for (const auto& [seconds, name] : {std::pair(frame.step, "step"), std::pair(frame.stop, "stop")})
    if (seconds == 0)
      throw input_error("the deck has no .tran card that gives the {} of the simulation; give {} SECONDS",
                        name == std::string_view("step") ? "step" : "end", field(name));
  if (!(plan.start >= 0 && plan.start < frame.stop))
    throw field_error("start", "{}: results begin at 0 or later, and before the end of the simulation, {} s",
                      plan.start, frame.stop);
  if (!(plan.largest_step >= 0) || !std::isfinite(plan.largest_step))
    throw field_error("max_step", "{}: a time step is above 0 s and finite", plan.largest_step);
  for (const auto& [seconds, given, name, what] :
       {std::tuple(frame.step, options.step_s.has_value(), "step", "step"),
        std::tuple(plan.largest_step, options.largest_step_s.has_value(), "max_step", "largest step")})
    if (seconds > 0 && std::isfinite(frame.stop) && frame.stop / seconds > kMostSteps)
      throw input_error("{} s: {:.3g} steps to {} s are too many{}",
                        given ? fmt::format("{} {}", field(name), seconds)
                              : fmt::format("the deck's .tran card has a {} of {}", what, seconds),
                        frame.stop / seconds, frame.stop, given ? "" : fmt::format("; give {} SECONDS", field(name)));
  require_windows(options.limits, plan.start, frame.stop);
  constexpr double kMostWindows = 1e6;
  if (frame.stop > kMostWindows * options.window_s && options.window_s > 0)
    throw field_error("window", "{}: {:.3g} windows to {} s are too many", options.window_s,
                      frame.stop / options.window_s, frame.stop);
  return plan;
}

void add_if_absent(std::vector<NodeId>& nodes, NodeId n) {
  if (std::ranges::find(nodes, n) == nodes.end()) nodes.push_back(n);
}

std::vector<NodeId> probed_nodes(const Design& design, const TranOptions& options) {
  const Parts& parts = design.topology->parts;
  const auto has_voltage = [&](NodeId n) { return n == kGround || parts.anchored[parts.part[n]]; };
  std::vector<NodeId> nodes;
  const AskedNames names(design, *design.topology, options.net);
  const auto is_left_out = [&](NodeId n) { return n != kGround && !names.may_be_reported(n); };
  for (const std::string& name : design.circuit->print_nodes)
    if (const NodeId n = design.find_node(name); n >= 0 && has_voltage(n) && !is_left_out(n)) add_if_absent(nodes, n);
  for (const std::string& name : options.probes) {
    const NodeId n = design.find_node(name);
    if (n < 0) throw unknown_node(*design.circuit, name, fmt::format("{} {}: {}", field("probe"), name, kNoNode));
    if (!has_voltage(n)) throw field_error("probe", "{}: no path leads from it to a source", name);
    if (is_left_out(n))
      throw field_error("probe", "{}: {} {} leaves its net out; leave out one of the two", name, field("net"),
                        options.net);
    add_if_absent(nodes, n);
  }
  return nodes;
}

/// Loads that a part without a path to a source would carry, even those that draw nothing at time 0.
void require_path(const Design& design, const LoadsOverTime& over_time) {
  const Circuit& circuit = *design.circuit;
  const Sources& loads = circuit.current_sources;
  const Parts& parts = design.topology->parts;
  std::vector<int64_t> varying(over_time.sources().begin(), over_time.sources().end());
  for (int64_t i = 0; i < loads.size(); ++i)
    if (loads.waveform[i] >= 0) varying.push_back(i);
  for (const int64_t i : varying)
    for (const NodeId n : {loads.a[i], loads.b[i]})
      if (n != kGround && !parts.anchored[parts.part[n]])
        throw grid_error("{}: the load {} at {} has no path of resistors or inductors to a voltage source",
                         circuit.place(loads.origin[i]), circuit.element_name(kCurrentSource, i), circuit.node_name(n));
}

/// The nodes that drop most, this many.
std::vector<NodeId> worst_nodes(const TranReport& report, int count) {
  const std::vector<double>& drop = report.worst.nodes.drop_v;
  std::vector<NodeId> nodes;
  for (size_t n = 1; n < drop.size(); ++n)
    if (report.worst.nodes.net[n] >= 0) nodes.push_back(static_cast<NodeId>(n));
  const auto end = nodes.begin() + std::min<ptrdiff_t>(count, std::ssize(nodes));
  std::partial_sort(nodes.begin(), end, nodes.end(), [&](NodeId a, NodeId b) { return drop[a] > drop[b]; });
  nodes.erase(end, nodes.end());
  return nodes;
}

/// What another simulation of the same run took.
void add(const StageSeconds& other, StageSeconds& to) {
  to.tables += other.tables;
  to.steps += other.steps;
  to.results += other.results;
}

/// Where inductors and capacitors may ring, or whatever is stored with controlled sources, and limits are to be judged.
bool do_errors_add_up(const Integrator& integrator, const TranOptions& options) {
  const Storage& storage = integrator.storage();
  const bool is_judged = !options.limits.empty() || !options.em_average.empty() || !options.em_rms.empty() ||
                         !options.em_peak.empty() || (options.em && options.em->limit);
  const bool are_both = storage.size() > storage.capacitors && storage.capacitors > 0;
  return is_judged && (are_both || (integrator.is_any_matrix() && storage.size() > 0));
}

/// The simulation that tells what errors add up to, see allow_for_accumulated_errors().
std::pair<TranOptions, TimePlan> to_compare_with(TranOptions options, TimePlan plan) {
  constexpr double kEightTimes = 8;  ///< the error of a step twice as long
  if (options.method == Method::trapezoidal) {
    plan.times = 2;
    if (options.time_tolerance_v) *options.time_tolerance_v *= kEightTimes;
  }
  options.method = Method::trapezoidal;
  return {std::move(options), plan};
}

/// `.ic` would give voltages to nodes, and so to the capacitors between them.
void require_no_ic_cards(const Circuit& circuit) {
  for (const ReadFinding& finding : circuit.findings)
    if (finding.code == "not-carried-out" && finding.message.starts_with(".ic "))
      throw input_error(
          "{}: .ic is not carried out, and a simulation with uic would start elsewhere; write "
          "IC= on capacitors and inductors instead",
          finding.place);
}

/// All at 0 V, whatever the sources hold.
std::vector<Answer> at_rest(const Circuit& circuit, int64_t scenarios) {
  Answer rest;
  rest.voltage_v.assign(circuit.node_count(), 0.0);
  rest.load_a.assign(circuit.current_sources.value.size(), 0.0);
  rest.stats.converged = rest.certificate.valid = true;
  return std::vector<Answer>(scenarios, rest);
}

}  // namespace

void start_at_time_zero(Circuit& circuit, const TranOptions& options) {
  const TranCard asked{options.step_s.value_or(circuit.tran.step), options.stop_s.value_or(circuit.tran.stop)};
  if (std::ranges::any_of(circuit.voltage_sources.waveform, [](int32_t waveform) { return waveform >= 0; }))
    circuit.dc_v = circuit.voltage_sources.value;
  for (Sources* sources : {&circuit.voltage_sources, &circuit.current_sources})
    for (int64_t i = 0; i < sources->size(); ++i)
      if (sources->waveform[i] >= 0)
        sources->value[i] = value_at_start(circuit.waveforms[sources->waveform[i]], asked.frame());
}

namespace {

void require_names(const Design& design, const TranOptions& options) {
  const AskedNames names(design, *design.topology, options.net);
  names.require(options.limits);
  names.require(options.em_average);
  names.require(options.em_rms, "em_rms_limit");
  names.require(options.em_peak, "em_peak_limit");
  names.require(options.em);
}

/// A design, and what happens in it, with all that its simulations share.
struct Scene {
  std::shared_ptr<const Design> design;
  const System& system;
  OperatingPoints& start;
  SourcesOverTime& sources;
  const LoadsOverTime& loads;
  const Circuit* any_matrix;  ///< see Integrator

  TranReport run(const TranOptions& options, const TimePlan& plan, Preparation& prepared,
                 const std::vector<NodeId>& probes) const {
    return TranRun(system, start, sources, loads, options, plan, prepared, probes).run();
  }
};

std::unique_ptr<Preparation> prepare(const std::shared_ptr<const Design>& design, const SourcesOverTime& sources,
                                     const LoadsOverTime& loads, const TranOptions& options, const TimePlan& plan,
                                     const Circuit* any_matrix) {
  const Stopwatch own;
  auto prepared = std::make_unique<Preparation>(design, sources, loads, options, plan, any_matrix);
  const System::Seconds of_system = prepared->integrator.system_seconds();
  prepared->seconds = own.seconds() - of_system.reduce - of_system.assemble;
  return prepared;
}

/// Simulates, and again where the nodes that drop most, or what errors add up to, are found by another simulation.
TranReport simulate(const Scene& scene, const TranOptions& options, const TimePlan& plan,
                    std::unique_ptr<Preparation>& prepared, std::vector<NodeId> probes) {
  TranReport report = scene.run(options, plan, *prepared, probes);
  if (options.worst_probes > 0) {
    for (const NodeId n : worst_nodes(report, options.worst_probes)) add_if_absent(probes, n);
    const StageSeconds first = report.stage_seconds;
    prepared = prepare(scene.design, scene.sources, scene.loads, options, plan, scene.any_matrix);
    report = scene.run(options, plan, *prepared, probes);
    add(first, report.stage_seconds);
  }
  if (do_errors_add_up(prepared->integrator, options)) {
    const auto [other, steps] = to_compare_with(options, plan);
    Preparation prepared_for_other(scene.design, scene.sources, scene.loads, other, steps, scene.any_matrix);
    const TranReport compared = scene.run(other, steps, prepared_for_other, {});
    allow_for_accumulated_errors(report, compared);
    add(compared.stage_seconds, report.stage_seconds);
  }
  return report;
}

void find_all(const Scene& scene, const TranOptions& options, const TimePlan& plan, const Preparation& prepared,
              TranReport& report) {
  const StepsTaken taken{prepared.largest_step_s, prepared.missed_since_s >= plan.frame.stop,
                         prepared.integrator.storage().size() == 0 || options.time_tolerance_v.has_value(), plan.frame};
  append(report.worst.findings, find_tran_findings(*scene.design, scene.start.report(), scene.loads,
                                                   scene.sources.vary() || scene.loads.vary(plan.frame.stop),
                                                   options.waveforms ? options.waveforms->path : "", taken));
  if (options.time_tolerance_v && !scene.design->circuit->tran.uic)
    append(report.worst.findings, check_time_tolerance(*options.time_tolerance_v, report.accuracy.local_time_error_v));
}

}  // namespace

namespace {

/// What couplings add is found from solutions for single currents, which only factorizations solve for well enough.
TranOptions with_engine_for(const Circuit& circuit, TranOptions options) {
  if (circuit.couplings.empty()) return options;
  constexpr const char* kEngine = "cholmod";
  if (options.engine == "auto") options.engine = kEngine;
  if (!find_engine(options.engine).is_direct())
    throw field_error("engine", "{}: coupled inductors, as at {}, take a factorization; name {}, or leave it out",
                      options.engine, circuit.place(circuit.couplings.front().origin), kEngine);
  return options;
}

}  // namespace

TranReport analyse_transient(const Circuit& circuit, const TranOptions& given) {
  const ThreadCount threads(given.context.threads);
  const ShortWaits waits;
  const Stopwatch watch;
  const TimePlan plan = plan_of(circuit, given);
  given.context.progress("check");
  DesignOptions of_design = given;
  if (!given.net.empty()) of_design.islands.net = given.net;
  const std::shared_ptr<const Design> read = first_design(circuit, of_design);
  std::optional<AnyStart> any;
  if (!estimate_findings_of_steps(*read).empty()) any.emplace(read, of_design, given, given.context);
  const TranOptions options = any ? given : with_engine_for(circuit, given);
  const std::shared_ptr<const Design> design = any ? any->design() : read;
  design->throw_first_error();
  const Circuit* const any_matrix = any ? &any->circuit() : nullptr;
  SourcesOverTime sources(any ? *design->circuit : circuit, plan.frame);
  const LoadsOverTime loads(*read, sources, options.waveforms ? &*options.waveforms : nullptr);
  require_path(*design, loads);
  std::vector<NodeId> probes = probed_nodes(*design, options);
  require_names(*design, options);
  require_causes(*read, options);
  const double check_s = watch.seconds();
  // What does not need the operating point is prepared meanwhile.
  std::future<std::unique_ptr<Preparation>> preparing = std::async(
      has_several_threads() ? std::launch::async : std::launch::deferred, [&, count = omp_get_max_threads()] {
        const ThreadCount as_here(count);
        return prepare(design, sources, loads, options, plan, any_matrix);
      });
  const System system = any ? System::of_any_matrix(design) : System(design);
  std::optional<Solver> solver;
  if (circuit.tran.uic) {
    require_no_ic_cards(circuit);
  } else {
    options.context.progress("operating point");
    if (!any) solver.emplace(system, options, options.context);
  }
  std::vector<Answer> answers = circuit.tran.uic ? at_rest(*design->circuit, loads.scenarios())
                                : any            ? any->answers(loads.at_start(read))
                                                 : solver->solve(loads.at_start(design));
  const Stopwatch summing_up;
  OperatingPoints start(system, std::move(answers), options.net);
  const double operating_point_s = summing_up.seconds();

  std::unique_ptr<Preparation> prepared = preparing.get();
  const Scene scene{design, system, start, sources, loads, any_matrix};
  TranReport report = simulate(scene, options, plan, prepared, std::move(probes));
  report.stage_seconds.operating_point = operating_point_s;
  report.accuracy.tolerance_v = options.tolerance_v;
  report.accuracy.is_met = tolerance_miss(report, options).empty();
  find_all(scene, options, plan, *prepared, report);
  explain_worst_moment(read, sources, loads, options, report);
  IrReport& worst = report.worst;
  if (any) any->add_to(worst);
  worst.timings_s.check = check_s;
  worst.timings_s.reduce += system.seconds().reduce;
  worst.timings_s.assemble += system.seconds().assemble;
  if (solver) {
    append(worst.findings, solver->findings());
    worst.timings_s.setup += solver->work().setup_s;
    worst.timings_s.solve += solver->work().solve_s;
    worst.timings_s.certify += solver->work().certify_s;
  }
  return report;
}

std::string tolerance_miss(const TranReport& report, const SolverOptions& options) {
  if (options.rtol) return "";
  if (!report.accuracy.is_bounded)
    return "the error of some steps could not be bounded; try another " + field("engine");
  const double worst = std::max(report.accuracy.operating_point_v, report.accuracy.step_v);
  if (worst <= options.tolerance_v) return "";
  return fmt::format(
      "the {} error of a step is {:.2e} V, above the tolerance of {:.2e} V; raise {} or {}",
      report.accuracy.is_estimated ? "estimated" : "certified", Shown{worst}, options.tolerance_v, field("tolerance"),
      report.accuracy.is_estimated ? "check the values that nearly leave the circuit without a unique solution"
                                   : "try another " + field("engine"));
}

}  // namespace gridiron
