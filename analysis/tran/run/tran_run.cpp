// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/tran_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/results/hot_spots.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/tran/run/pads_by_peak.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/windows.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

bool are_segments_asked_for(const TranOptions& options) {
  return options.segments || options.em || !options.em_average.empty() || !options.em_rms.empty() ||
         !options.em_peak.empty();
}

RunAccuracy::Course course_of(const Preparation& prepared, const SourcesOverTime& sources, const TimePlan& plan) {
  const bool stores = prepared.integrator.storage().size() > 0;
  const bool rings = sources.are_in_full() && plan.start < prepared.largest_step_s;
  return {!stores && sources.are_linear(), prepared.has_curves || stores, prepared.steps.size() == 1,
          rings ? prepared.largest_step_s : -1.0};
}

StepSize size_of(const TimeStep& step) { return {step.size, step.is_damped}; }

}  // namespace

TranRun::TranRun(const System& system, OperatingPoints& start, const SourcesOverTime& sources,
                 const LoadsOverTime& loads, const TranOptions& options, const TimePlan& plan, Preparation& prepared,
                 std::span<const NodeId> probes)
    : system_(system),
      start_(start),
      sources_(sources),
      loads_(loads),
      options_(options),
      plan_(plan),
      prepared_(prepared),
      integrator_(prepared.integrator),
      meters_(system, start, integrator_, are_segments_asked_for(options)),
      accuracy_(options.method, loads.scenarios(), start.certificate(), course_of(prepared, sources, plan)),
      shares_(options.method, plan.start - kOneTime * plan.frame.step) {
  report_.step_s = plan.frame.step;
  report_.start_s = plan.start;
  report_.stop_s = plan.frame.stop;
  report_.largest_step_s = prepared.largest_step_s;
  report_.worst.findings = prepared.findings;
  report_.accuracy.missed_share = prepared.missed_share;
  report_.accuracy.missed_since_s = prepared.missed_since_s;
  for (const NodeId n : probes) report_.probes.push_back({n, {}});
}

TranReport TranRun::run() && {
  set_up();
  report_.stage_seconds.tables = prepared_.seconds + watch_.lap() - integrator_.work().setup_s;
  options_.context.progress("step");
  if (sources_.are_in_full()) start_from_initial();
  const std::vector<TimeStep>& steps = prepared_.steps;
  int fraction = 1;  // as nothing can be estimated at first
  for (size_t k = 0; k < steps.size(); ++k) {
    if (options_.time_tolerance_v)
      fraction = take_in_fractions(k, fraction);
    else
      take(k);
    options_.part(static_cast<int64_t>(k) + 1, std::ssize(steps));
  }
  if (goes_ahead()) count_present(steps.size());
  record({0, false}, is_row(steps.size()));
  if (goes_ahead()) note_errors(integrator_.errors(), integrator_.errors().local());
  report_.stage_seconds.steps = watch_.lap();
  finish();
  report_.stage_seconds.results = watch_.lap();
  return std::move(report_);
}

/// States stay where the engine works, or come to the host. Where sources move they are on the host at once, and the
/// engine is set up by the first step.
void TranRun::set_up() {
  const Circuit& circuit = *system_.design()->circuit;
  if (!prepared_.steps.empty() && !integrator_.are_nodes_apart()) {
    const TimeStep& first = prepared_.steps.front();
    integrator_.set_up({first.size / (options_.time_tolerance_v ? kFractions : 1), first.is_damped});
  }
  if (DeviceSteps* const device = integrator_.device()) {
    drives_ = std::make_unique<DeviceDrives>(loads_, *device);
    recorder_ = make_device_recorder(integrator_, meters_);
  } else {
    auto drives = std::make_unique<HostDrives>(circuit, sources_, loads_);
    recorder_ = make_host_recorder(integrator_, meters_, *drives, sources_.are_in_full());
    drives_ = std::move(drives);
  }
}

void TranRun::start_from_initial() {
  constexpr double kShort = 0x1p-20;  ///< of a step
  const StepDrive drive = drives_->at(0);
  accuracy_.add_to_start(integrator_.start_from_initial(kShort * prepared_.largest_step_s, drive));
  drives_->accept();
  constexpr double kMostTimes = 1e4;  ///< the largest voltage given; a current without a way makes 2^20 of them
  const Storage& storage = integrator_.storage();
  double given = 0, most = 0;
  for (const double volts : drive.volts) given = std::max(given, std::abs(volts));
  for (int64_t e = 0; e < storage.capacitors; ++e) given = std::max(given, std::abs(storage.initial[e]));
  for (int64_t j = 0; j < integrator_.scenarios(); ++j)
    for (const double volts : integrator_.voltage(j).merged) most = std::max(most, std::abs(volts));
  if (most > kMostTimes * given)
    throw input_error(
        "uic: a node would start at {:.3g} V, as no capacitor takes the difference between what inductors "
        "carry at first "
        "and what loads draw; give these inductors IC=, or put capacitors beside the loads",
        most);
}

/// While a step is made, the loads of the step after are found, and on the host the state that it starts from is
/// certified and recorded. States on a device are recorded there afterwards.
void TranRun::take(size_t k) {
  const TimeStep& step = prepared_.steps[k];
  const StepSize size = size_of(step);
  const bool is_beside = recorder_->records_beside_steps();
  MadeStep made = integrator_.step_ahead(size, drives_->at(step.end), [&] {
    if (is_beside) {
      count_present(k);
      record(size, is_row(k));
      note_errors(integrator_.errors(), integrator_.errors().local());
    }
    if (k + 1 < prepared_.steps.size()) drives_->prefetch(prepared_.steps[k + 1].end);
  });
  if (!is_beside) {
    accuracy_.count(size, made.accuracy, report_);
    note_errors(integrator_.errors(made), integrator_.errors(made).local());
    record(size, is_row(k));
  }
  accept(step.end, std::move(made));
}

void TranRun::count_present(size_t k) {
  if (k == 0) return;
  integrator_.settle();
  accuracy_.count(size_of(prepared_.steps[k - 1]), integrator_.present().accuracy, report_);
}

/// Takes fractions of powers of two, where the estimated error asks for them, and returns that to begin the next step
/// with.
int TranRun::take_in_fractions(size_t k, int fraction) {
  constexpr double kRoom = 0.1;  ///< of the tolerance, below which twice the size is tried
  const TimeStep& step = prepared_.steps[k];
  const double tolerance = *options_.time_tolerance_v;
  for (int done = 0; done < kFractions;) {
    fraction = std::min(fraction, done > 0 ? done & -done : kFractions);
    std::optional<double> error;
    for (;; fraction /= 2) {
      const double to =
          done + fraction == kFractions ? step.end : step.end - step.size * (kFractions - done - fraction) / kFractions;
      const StepSize size{step.size * fraction / kFractions, step.is_damped};
      MadeStep made = integrator_.step(size, drives_->at(to));
      const StepErrors errors = integrator_.errors(made);
      error = errors.local();
      if (const auto curvature = accuracy_.course().has_curves ? errors.curvature() : std::nullopt)
        error = std::max(error.value_or(0.0), *curvature);
      if (fraction > 1 && error && *error > tolerance) continue;
      accuracy_.count(size, made.accuracy, report_);
      note_errors(errors, error);
      record(size, done == 0 && is_row(k));
      accept(to, std::move(made));
      break;
    }
    done += fraction;
    if (error && *error < kRoom * tolerance) fraction = std::min(2 * fraction, kFractions);
  }
  return fraction;
}

void TranRun::accept(double to, MadeStep made) {
  integrator_.accept(std::move(made));
  drives_->accept();
  now_ = to;
}

void TranRun::note_errors(const StepErrors& errors, const std::optional<double>& local) {
  const RunAccuracy::Course& course = accuracy_.course();
  if (course.is_exact) return;
  for (int64_t j = 0; meters_.segments && recorder_->records_beside_steps() && j < integrator_.scenarios(); ++j)
    meters_.segments->add_errors(errors, integrator_.merge(), j, course.has_curves);
  accuracy_.allow_for(errors, local, now_, report_);
}

/// Results are printed of the state that a step of these begins with.
bool TranRun::is_row(size_t k) const { return k == 0 ? plan_.start == 0 : prepared_.steps[k - 1].is_row; }

void TranRun::record(const StepSize& after, bool is_row) {
  const std::optional<RecordedState> state = shares_.next(now_, after);
  if (!state) return;
  recorder_->record(*state);
  if (is_row) record_row();
}

void TranRun::record_row() {
  meters_.over_time.end_row();
  report_.row_time_s.push_back(now_);
  std::vector<NodeId> nodes;
  for (const Probe& probe : report_.probes) nodes.push_back(probe.node);
  const std::vector<double> deviations = recorder_->deviations(nodes);
  const Topology& topology = system_.topology();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeId node = nodes[i];
    const bool is_inverted = node != kGround && topology.nets.inverted[topology.parts.part[node]];
    for (int64_t j = 0; j < integrator_.scenarios(); ++j) {
      const double value = start_.voltage(j, node) + deviations[j * nodes.size() + i];
      report_.probes[i].voltage_v.push_back(is_inverted ? 0.0 - value : value);
    }
  }
}

void TranRun::finish() {
  recorder_->finish(report_);
  if (report_.step_seconds) report_.step_seconds->loads = drives_->seconds();
  finish_worst();
  report_.windows = windows_of(report_, options_.window_s);
  for (int64_t j = 0; j < integrator_.scenarios(); ++j)
    meters_.pads.add_stored(meters_.pad_meter.stored_charge(integrator_.voltage(j)));
  report_pads(meters_.pads, start_.pads(), report_);
  add_hot_spots(system_.topology().grid.network, report_.worst);
  accuracy_.finish(integrator_.storage(), report_);
  if (integrator_.is_any_matrix()) allow_for_growth();
  if (integrator_.is_any_matrix() || !integrator_.design().circuit->couplings.empty())
    only_estimate(options_.accept_estimate, report_);
  judge_drops();
  if (meters_.segments) {
    report_.segments = meters_.segments->take(options_.em ? std::optional(options_.em->recovery) : std::nullopt);
    const std::vector<double> errors = errors_of_segments();
    judge_segments(report_, system_.topology(), errors, {options_.em_average, options_.em_rms, options_.em_peak});
    if (options_.em) judge_by_rules(report_, system_.topology(), errors, *options_.em);
  }
  const Storage& storage = integrator_.storage();
  report_.method = options_.method;
  report_.is_from_initial_conditions = sources_.are_in_full();
  report_.scenarios = integrator_.scenarios();
  report_.sizes = integrator_.sizes();
  report_.capacitors = storage.capacitors;
  report_.inductors = storage.size() - storage.capacitors;
  report_work();
}

void TranRun::judge_drops() {
  IrReport& worst = report_.worst;
  const bool has_em_limits = !options_.em_average.empty() || !options_.em_rms.empty() || !options_.em_peak.empty() ||
                             (options_.em && options_.em->limit);
  worst.unjudged_nets = find_unjudged_nets(worst.left_out_nets, options_.limits, has_em_limits);
  worst.limits = check_tran_limits(report_, options_.limits);
  append(worst.findings, check_reach_of_limits(worst, !has_em_limits));
  append(worst.findings, check_left_out(worst.left_out, options_.limits, has_em_limits, options_.net));
}

/// Where the matrix is no M-matrix, errors of a step may grow in those after it.
void TranRun::allow_for_growth() {
  constexpr double kUnstable = 10;
  if (integrator_.storage().size() == 0) return;
  const Integrator::Growth growth = integrator_.growth(plan_.frame.stop);
  report_.accuracy.accumulated_v *= growth.most;
  report_.worst.certificate.max_error_v *= growth.most;
  if (growth.in_end < kUnstable) return;
  report_.worst.findings.push_back(
      {Finding::Severity::warning, "unstable",
       fmt::format("whatever disturbs the circuit grows {:.2g}-fold within {:.4g} s, so that voltages tell little; "
                   "check gains, signs of controls and negative values",
                   growth.in_end, plan_.frame.stop),
       ""});
}

/// Every node at its own worst moment.
void TranRun::finish_worst() {
  IrReport& worst = report_.worst;
  std::vector<Finding> findings = std::move(worst.findings);
  worst = start_.report();
  append(worst.findings, findings);
  std::move(meters_.over_time).finish(report_);
  const std::vector<std::string> unnamed;
  std::move(meters_.extremes).finish(report_, options_.waveforms ? options_.waveforms->scenario_names : unnamed);
  for (NetResult& net : worst.nets) net.layers.clear();
  add_statistics(worst.nodes, worst.nets);
}

void TranRun::report_work() {
  IrReport& worst = report_.worst;
  worst.engine = integrator_.engine_run();
  worst.solve = stats_of_last_step();
  const System::Seconds systems = integrator_.system_seconds();
  worst.timings_s.reduce = systems.reduce;
  worst.timings_s.assemble = systems.assemble;
  const Solver::Work work = integrator_.work();
  worst.timings_s.setup += work.setup_s;
  worst.timings_s.solve += work.solve_s;
  worst.timings_s.certify += work.certify_s;
}

/// A; where states were kept on a device, what errors of the voltages at both ends may come to.
std::vector<double> TranRun::errors_of_segments() const {
  if (recorder_->records_beside_steps() && prepared_.steps.size() > 1) return meters_.segments->errors();
  const Elements& resistors = system_.design()->circuit->resistors;
  std::vector<double> errors;
  for (const double ohms : resistors.value)
    errors.push_back(ohms != 0 ? 2 * report_.accuracy.local_time_error_v / std::abs(ohms) : 0.0);
  return errors;
}

/// Those of a factorization are complete with the certificate.
SolveStats TranRun::stats_of_last_step() const {
  const Solver* const solver = integrator_.solver();
  if (solver && (!solver->is_direct() || !goes_ahead())) return solver->stats();
  std::vector<ColumnStats> columns;
  for (const Accuracy& of_scenario : integrator_.present().accuracy) columns.push_back(of_scenario.stats);
  return summed_up(std::move(columns));
}

}  // namespace gridiron
