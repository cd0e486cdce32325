// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/results/statistics.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/windows.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
TranRun::TranRun(const System& system, OperatingPoints& start, const SourcesOverTime& sources,
                 const LoadsOverTime& loads, const TranOptions& options, const TimePlan& plan, Preparation& prepared,
                 std::span<const NodeId> probes)
    : system_(system),
      topology_(system.topology()),
      start_(start),
      sources_(sources),
      loads_(loads),
      options_(options),
      plan_(plan),
      scenarios_(loads.scenarios()),
      sources_count_(system.design()->circuit->current_sources.size()),
      steps_(prepared.steps),
      prepared_seconds_(prepared.seconds),
      integrator_(prepared.integrator),
      extremes_(start.report(), topology_, scenarios_),
      over_time_(start.report(), topology_, integrator_.merge(), scenarios_,
                 [this](std::int64_t j, std::span<const NetWorst> worst, const Potentials& deviation, double time) {
                   if (extremes_.add(j, worst, time)) extremes_.keep(deviation);
                 }),
      meter_(*system.design(), integrator_.topology(), integrator_.storage(), start.pads()),
      pads_(start.pads(), start.supplied_a(), start.drawn_a(), scenarios_),
      at_start_(start.certificate()),
      is_from_rest_(sources.are_in_full()),
      is_exact_in_time_(integrator_.storage().size() == 0 && sources.are_linear()),
      has_curves_(prepared.has_curves || integrator_.storage().size() > 0) {
  report_.largest_step_s = prepared.largest_step_s;
  report_.worst.findings = prepared.findings;
  report_.accuracy.missed_share = prepared.missed_share;
  report_.accuracy.missed_since_s = prepared.missed_since_s;
  growth_.assign(static_cast<std::size_t>(scenarios_), ErrorGrowth(options.method));
  volts_.assign(system.design()->circuit->voltage_sources.value.size(), 0.0);
  for (const NodeId n : probes) report_.probes.push_back({n, {}});
  if (options.segments || !options.em_average.empty() || !options.em_rms.empty() || !options.em_peak.empty())
    segments_.emplace(start.report(), topology_, scenarios_);
}

TranReport TranRun::run() && {
  report_.step_s = plan_.frame.step;
  report_.start_s = plan_.start;
  report_.stop_s = plan_.frame.stop;
  choose_place();
  report_.stage_seconds.tables = prepared_seconds_ + watch_.lap() - integrator_.work().setup_s;
  options_.context.progress("step");
  is_row_ = plan_.start == 0;
  if (is_from_rest_) start_from_initial();
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (options_.time_tolerance_v)
      take_in_fractions(steps_[k]);
    else if (device_)
      take_there(k);
    else
      take(k);
    is_row_ = steps_[k].is_row;
    options_.part(static_cast<std::int64_t>(k) + 1, std::ssize(steps_));
  }
  const bool is_last_open = !device_ && !options_.time_tolerance_v;
  if (is_last_open) count_present(steps_.size());
  record(0, false);
  if (is_last_open) note_errors(integrator_.errors(), integrator_.errors().local());
  report_.stage_seconds.steps = watch_.lap();
  finish();
  report_.stage_seconds.results = watch_.lap();
  return std::move(report_);
}

/// States stay where the engine works, or come to the host.
void TranRun::choose_place() {
  const int fractions = options_.time_tolerance_v ? kFractions : 1;
  if (!steps_.empty() && !do_sources_move(*system_.design()->circuit))
    integrator_.set_up({steps_.front().size / fractions, steps_.front().is_damped});
  device_ = integrator_.device();
  if (!device_) {
    load_.assign(static_cast<std::size_t>(sources_count_ * scenarios_), 0.0);
    next_load_ = foreseen_load_ = load_;
    return;
  }
  loads_.start(*device_);
  const Merge& merge = integrator_.merge();
  std::optional<SegmentTables> segments;
  if (segments_) segments = segments_->tables(merge);
  const IrReport& dc = start_.report();
  device_->measure({over_time_.classes(), over_time_.instances(), static_cast<std::int32_t>(dc.nets.size()),
                    meter_.tables(), pads_.at_rest(), segments ? &*segments : nullptr,
                    start_.shifts_v(merge.group, merge.unknowns), start_.pad_shifts_a()});
}

void TranRun::start_from_initial() {
  constexpr double kShort = 0x1p-20;  ///< of a step
  sources_.volts_at(0, volts_);
  loads_.at(0, block(load_));
  for (const Accuracy& accuracy :
       integrator_.start_from_initial(kShort * report_.largest_step_s, {block(load_), volts_})) {
    const Certificate& certificate = accuracy.certificate;
    if (certificate.max_error_v > at_start_.max_error_v || !certificate.valid) at_start_ = certificate;
  }
  constexpr double kMostTimes = 1e4;  ///< the largest voltage given; a current without a way makes 2^20 of them
  double given = 0, most = 0;
  for (const double volts : volts_) given = std::max(given, std::abs(volts));
  for (std::int64_t e = 0; e < integrator_.storage().capacitors; ++e)
    given = std::max(given, std::abs(integrator_.storage().initial[e]));
  for (std::int64_t j = 0; j < scenarios_; ++j)
    for (const double volts : integrator_.voltage(j).merged) most = std::max(most, std::abs(volts));
  if (most > kMostTimes * given)
    throw InputError(
        fmt::format("uic: a node would start at {:.3g} V, as no capacitor takes the difference between what inductors "
                    "carry at first "
                    "and what loads draw; give these inductors IC=, or put capacitors beside the loads",
                    most));
}

/// While a step is made, the state that it starts from is certified and counted, and the loads of the step after are
/// found.
void TranRun::take(std::size_t k) {
  const TimeStep& step = steps_[k];
  const std::span<const double> volts = find_loads(step.end);
  accept(step.end, integrator_.step_ahead({step.size, step.is_damped}, {block(next_load_), volts}, [&] {
    count_present(k);
    record(step.size, step.is_damped);
    note_errors(integrator_.errors(), integrator_.errors().local());
    foresee_after(k);
  }));
}

void TranRun::count_present(std::size_t k) {
  if (k == 0) return;
  integrator_.settle();
  count(steps_[k - 1].size, steps_[k - 1].is_damped, integrator_.present().accuracy);
}

/// States on a device are counted there, afterwards.
void TranRun::take_there(std::size_t k) {
  const TimeStep& step = steps_[k];
  find_loads(step.end);
  MadeStep made = integrator_.step({step.size, step.is_damped}, {}, [&] { foresee_after(k); });
  count(step.size, step.is_damped, made.accuracy);
  note_errors(integrator_.errors(made), integrator_.errors(made).local());
  record(step.size, step.is_damped);
  accept(step.end, std::move(made));
}

/// Fractions of powers of two, where the estimated error asks for them. As nothing can be estimated at first, it begins
/// with the smallest.
void TranRun::take_in_fractions(const TimeStep& step) {
  constexpr double kRoom = 0.1;  ///< of the tolerance, below which twice the size is tried
  const double tolerance = *options_.time_tolerance_v;
  for (int done = 0; done < kFractions;) {
    int fraction = std::min(fraction_, done > 0 ? done & -done : kFractions);
    std::optional<double> error;
    for (;; fraction /= 2) {
      const double to =
          done + fraction == kFractions ? step.end : step.end - step.size * (kFractions - done - fraction) / kFractions;
      const double size = step.size * fraction / kFractions;
      const std::span<const double> volts = find_loads(to);
      MadeStep made =
          integrator_.step({size, step.is_damped}, device_ ? StepDrive() : StepDrive{block(next_load_), volts});
      const StepErrors errors = integrator_.errors(made);
      error = errors.local();
      if (const auto curvature = has_curves_ ? errors.curvature() : std::nullopt)
        error = std::max(error.value_or(0.0), *curvature);
      if (fraction > 1 && error && *error > tolerance) continue;
      count(size, step.is_damped, made.accuracy);
      note_errors(errors, error);
      record(size, step.is_damped);
      accept(to, std::move(made));
      break;
    }
    done += fraction;
    is_row_ = false;
    fraction_ = error && *error < kRoom * tolerance ? std::min(2 * fraction, kFractions) : fraction;
  }
}

void TranRun::foresee(double to) {
  if (device_)
    foreseen_changes_ = loads_.changes(to);
  else
    loads_.at(to, block(foreseen_load_));
  foreseen_ = to;
}

void TranRun::foresee_after(std::size_t k) {
  if (k + 1 < steps_.size()) foresee(steps_[k + 1].end);
}

/// What sources draw at a time; and what they hold, unless that never varies.
std::span<const double> TranRun::find_loads(double to) {
  Stopwatch watch;
  if (foreseen_ != to) foresee(to);
  if (device_) {
    loads_.at(to, foreseen_changes_, *device_);
    device_->finish();
    seconds_.loads += watch.seconds();
    return {};
  }
  std::swap(next_load_, foreseen_load_);
  foreseen_ = -1;
  return sources_.volts_at(to, volts_) ? std::span<const double>(volts_) : std::span<const double>();
}

void TranRun::accept(double to, MadeStep made) {
  integrator_.accept(std::move(made));
  std::swap(load_, next_load_);
  now_ = to;
}

void TranRun::note_errors(const StepErrors& errors, const std::optional<double>& error) {
  if (is_exact_in_time_) return;
  for (std::int64_t j = 0; segments_ && !device_ && j < scenarios_; ++j)
    segments_->add_errors(errors, integrator_.merge(), j, has_curves_);
  double& largest = report_.accuracy.local_time_error_v;
  // Differences over steps of unequal size may estimate far more than there can be.
  if (error && *error > largest) largest = std::max(largest, std::min(*error, errors.largest_change()));
  if (!has_curves_) return;
  // Nothing tells how what initial conditions leave out of balance rings within the first step.
  if (is_from_rest_ && now_ <= report_.largest_step_s && plan_.start < report_.largest_step_s)
    largest = std::max(largest, errors.largest_change());
  if (const std::optional<double> curvature = errors.curvature())
    largest = std::max(largest, *curvature);
  else if (steps_.size() == 1)  // which tells nothing of curves
    largest = std::max(largest, errors.largest_change());
}

/// The present state, which stands for half of the steps before and after it. Charge flows as the method has it: in a
/// step of backward Euler, as at its end.
void TranRun::record(double size_after, bool is_damped_after) {
  const double flowed = charging_before_, size_before = size_before_;
  const bool is_even = options_.method == Method::trapezoidal && !is_damped_after;
  charging_before_ = is_even ? size_after / 2 : size_after;
  size_before_ = size_after;
  if (now_ < plan_.start - kOneTime * plan_.frame.step) return;
  const bool is_first = !std::exchange(is_recording_, true);
  const double half = ((is_first ? 0.0 : size_before) + size_after) / 2;
  const double of_charge = (is_first ? 0.0 : flowed) + (is_even ? size_after / 2 : 0.0);
  if (device_) record_there(half, of_charge, is_first);
  for (std::int64_t j = 0; !device_ && j < scenarios_; ++j) {
    const Potentials own = integrator_.voltage(j), volts = start_.from_first(j, own);
    over_time_.add(j, volts, now_, half);
    if (segments_) segments_->add(j, volts, half);
    pads_.add(j, start_.from_first(j, meter_.measure(own, integrator_.current(j), block(load_).column(j))), now_,
              of_charge);
    if (is_first) pads_.add_stored(-(is_from_rest_ && now_ == 0 ? meter_.initial_charge() : meter_.stored_charge(own)));
  }
  if (is_row_) record_row();
}

void TranRun::record_there(double seconds, double seconds_of_charge, bool is_first) {
  const Stopwatch watch;
  const std::vector<StateFigures> figures = device_->count(now_, seconds, seconds_of_charge);
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const StateFigures& of = figures[j];
    over_time_.add(j, of.worst);
    if (extremes_.add(j, of.worst, now_)) device_->keep(j);
    pads_.add_flow(j, of.supplied + start_.flow_shift(j).supplied, of.drawn + start_.flow_shift(j).drawn,
                   seconds_of_charge);
  }
  seconds_counted_ += seconds;
  for (std::int64_t j = 0; is_first && j < scenarios_; ++j)
    pads_.add_stored(-meter_.stored_charge(integrator_.voltage(j)));
  seconds_.measure += watch.seconds();
}

/// What was measured on the device, and its last state.
void TranRun::take_results() {
  if (!device_) return;
  Figures figures;
  device_->figures_to(figures, seconds_counted_);
  over_time_.take(std::move(figures.drops), std::move(figures.instances));
  pads_.take(std::move(figures.pads));
  if (segments_) segments_->take(std::move(figures.segments), seconds_counted_);
  report_.step_seconds = integrator_.seconds();
  report_.step_seconds->loads = seconds_.loads;
  report_.step_seconds->measure = seconds_.measure;
  const Merge& merge = integrator_.merge();
  std::vector<double> kept(static_cast<std::size_t>(merge.unknowns));
  device_->kept_to(kept);
  extremes_.keep({kept, merge.group});
}

void TranRun::record_row() {
  over_time_.end_row();
  report_.row_time_s.push_back(now_);
  if (device_) return record_row_there();
  for (Probe& probe : report_.probes)
    for (std::int64_t j = 0; j < scenarios_; ++j) add_voltage(probe, j, integrator_.voltage(j)[probe.node]);
}

void TranRun::record_row_there() {
  const Merge& merge = integrator_.merge();
  std::vector<std::int32_t> places;
  for (const Probe& probe : report_.probes)
    places.push_back(merge.group[probe.node] < merge.unknowns ? merge.group[probe.node] : -1);
  std::vector<double> deviation(places.size() * static_cast<std::size_t>(scenarios_));
  device_->voltages_to(places, deviation);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::int64_t j = 0; j < scenarios_; ++j) add_voltage(report_.probes[i], j, deviation[j * places.size() + i]);
}

void TranRun::add_voltage(Probe& probe, std::int64_t j, double deviation) const {
  const double value = start_.voltage(j, probe.node) + deviation;
  const bool is_inverted = probe.node != kGround && topology_.nets.inverted[topology_.parts.part[probe.node]];
  probe.voltage_v.push_back(is_inverted ? 0.0 - value : value);
}

/// The matrix of a damped step is that of one twice as long, and the bound on what its error does is no larger.
void TranRun::count(double size, bool is_damped, const std::vector<Accuracy>& accuracy) {
  double bound = 0;
  for (std::size_t j = 0; j < accuracy.size(); ++j) {
    const Accuracy& of_scenario = accuracy[j];
    growth_[j].add(is_damped ? 2 * size : size, of_scenario);
    report_.iterations += of_scenario.stats.iterations;
    report_.most_iterations = std::max(report_.most_iterations, of_scenario.stats.iterations);
    report_.accuracy.is_bounded &= of_scenario.certificate.valid;
    bound = std::max(bound, of_scenario.certificate.max_error_v);
  }
  ++report_.steps;
  report_.accuracy.step_v = std::max(report_.accuracy.step_v, bound);
  report_.accuracy.accumulated_v += bound;
}

void TranRun::finish() {
  take_results();
  IrReport& worst = report_.worst;
  std::vector<Finding> findings = std::move(worst.findings);
  worst = start_.report();
  worst.findings.insert(worst.findings.end(), findings.begin(), findings.end());
  std::move(over_time_).finish(report_);
  const std::vector<std::string> unnamed;
  std::move(extremes_).finish(report_, options_.waveforms ? options_.waveforms->scenario_names : unnamed);
  for (NetResult& net : worst.nets) net.layers.clear();
  add_statistics(worst.nodes, worst.nets);
  report_.windows = windows_of(report_, options_.window_s);
  finish_pads();
  finish_accuracy();
  worst.limits = check_tran_limits(report_, options_.limits);
  for (Finding& finding : check_reach_of_limits(worst)) worst.findings.push_back(std::move(finding));
  if (segments_) {
    report_.segments = segments_->take();
    judge_segments(report_, topology_, errors_of_segments(), {options_.em_average, options_.em_rms, options_.em_peak});
  }

  const Storage& storage = integrator_.storage();
  report_.method = options_.method;
  report_.is_from_initial_conditions = is_from_rest_;
  report_.scenarios = scenarios_;
  report_.sizes = integrator_.sizes();
  report_.capacitors = storage.capacitors;
  report_.inductors = storage.size() - storage.capacitors;
  worst.engine = integrator_.solver().engine_run();
  worst.solve = stats_of_last_step();
  const System::Seconds systems = integrator_.system_seconds();
  worst.timings_s.reduce = systems.reduce;
  worst.timings_s.assemble = systems.assemble;
  const Solver::Work work = integrator_.work();
  worst.timings_s.setup += work.setup_s;
  worst.timings_s.solve += work.solve_s;
  worst.timings_s.certify += work.certify_s;
}

/// A; where states were kept elsewhere, what errors of the voltages at both ends may come to.
std::vector<double> TranRun::errors_of_segments() const {
  if (!device_ && steps_.size() > 1) return segments_->errors();
  const Elements& resistors = system_.design()->circuit->resistors;
  std::vector<double> errors;
  for (const double ohms : resistors.value)
    errors.push_back(ohms != 0 ? 2 * report_.accuracy.local_time_error_v / std::abs(ohms) : 0.0);
  return errors;
}

/// Those of a factorization are complete with the certificate.
SolveStats TranRun::stats_of_last_step() const {
  const bool is_ahead = !device_ && !options_.time_tolerance_v;
  if (!integrator_.solver().is_direct() || !is_ahead) return integrator_.solver().stats();
  std::vector<ColumnStats> columns;
  for (const Accuracy& of_scenario : integrator_.present().accuracy) columns.push_back(of_scenario.stats);
  return summed_up(std::move(columns));
}

/// Those of largest peak first, in both lists.
void TranRun::finish_pads() {
  for (std::int64_t j = 0; j < scenarios_; ++j) pads_.add_stored(meter_.stored_charge(integrator_.voltage(j)));
  report_.charge = pads_.charge();
  report_.pads = pads_.take_pads();
  // The report has the pads by their currents at the operating point.
  const auto order_by = [&](auto current) {
    std::vector<std::size_t> order(report_.pads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(current(a)) > std::abs(current(b)); });
    return order;
  };
  const std::vector<std::size_t> at_rest = order_by([&](std::size_t k) { return start_.pads()[k].current_a; }),
                                 by_peak = order_by([&](std::size_t k) { return report_.pads[k].peak_a; });
  std::vector<PadResult*> named(at_rest.size());
  for (std::size_t place = 0; place < at_rest.size(); ++place) named[at_rest[place]] = &report_.worst.pads[place];
  std::vector<double> of_net(report_.worst.nets.size(), 0.0);
  for (std::size_t k = 0; k < named.size(); ++k) of_net[named[k]->net] += named[k]->current_a = report_.pads[k].peak_a;
  std::vector<PadResult> pads;
  std::vector<PadOverTime> over_time;
  for (const std::size_t k : by_peak) {
    pads.push_back(std::move(*named[k]));
    const double all = of_net[pads.back().net];
    pads.back().share = all != 0 ? pads.back().current_a / all : 0.0;
    over_time.push_back(report_.pads[k]);
  }
  report_.worst.pads = std::move(pads);
  report_.pads = std::move(over_time);
}

/// The sum of the bounds of steps is guaranteed for backward Euler with capacitors, whose rows sum to at most 1. Else
/// there is a bound from the energy, which many changes of the size of steps make too large to say anything.
void TranRun::finish_accuracy() {
  constexpr double kMostOfSum = 1000;
  auto& accuracy = report_.accuracy;
  accuracy.operating_point_v = at_start_.max_error_v;
  accuracy.is_bounded &= at_start_.valid;
  const Storage& storage = integrator_.storage();
  const bool is_sum_guaranteed = options_.method == Method::backward_euler && storage.size() == storage.capacitors;
  double grown = 0;
  for (const ErrorGrowth& of_scenario : growth_) grown = std::max(grown, of_scenario.bound_v());
  const bool does_growth_tell = grown <= kMostOfSum * accuracy.accumulated_v;
  accuracy.is_guaranteed = accuracy.is_bounded && (is_sum_guaranteed || does_growth_tell);
  if (does_growth_tell && !is_sum_guaranteed) accuracy.accumulated_v = grown;
  accuracy.accumulated_v += accuracy.operating_point_v;
  report_.worst.certificate.valid = accuracy.is_bounded;
  report_.worst.certificate.max_error_v = accuracy.accumulated_v;
}

}  // namespace gridiron
