// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/transient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/ir/currents.hpp"
#include "analysis/ir/statistics.hpp"
#include "analysis/ir/summarise.hpp"
#include "analysis/ir/system.hpp"
#include "analysis/tran/error_growth.hpp"
#include "analysis/tran/integrator.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/pad_meter.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/time_steps.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

TimeFrame frame_of(const Circuit& circuit, const TranOptions& options) {
  const TimeFrame frame{options.step_s.value_or(circuit.tran.step), options.stop_s.value_or(circuit.tran.stop)};
  for (const auto& [seconds, name] : {std::pair(frame.step, "step"), std::pair(frame.stop, "stop")})
    if (seconds == 0)
      throw InputError(fmt::format("the deck has no .tran card that gives the {} of the simulation; give {} SECONDS",
                                   name == std::string_view("step") ? "step" : "end", field(name)));
  constexpr double kMostWindows = 1e6;
  if (frame.stop > kMostWindows * options.window_s && options.window_s > 0)
    throw InputError(fmt::format("{} {}: {:.3g} windows to {} s are too many", field("window"), options.window_s,
                                 frame.stop / options.window_s, frame.stop));
  return frame;
}

std::vector<NodeId> probed_nodes(const Design& design, const TranOptions& options) {
  const Parts& parts = design.topology->parts;
  const auto has_voltage = [&](NodeId n) { return n == kGround || parts.anchored[parts.part[n]]; };
  std::vector<NodeId> nodes;
  const auto add = [&](NodeId n) {
    if (std::find(nodes.begin(), nodes.end(), n) == nodes.end()) nodes.push_back(n);
  };
  for (const std::string& name : design.circuit->print_nodes)
    if (const NodeId n = design.find_node(name); n >= 0 && has_voltage(n)) add(n);
  for (const std::string& name : options.probes) {
    const NodeId n = design.find_node(name);
    if (n < 0) throw InputError(fmt::format("{} {}: the netlist has no node of that name", field("probe"), name));
    if (!has_voltage(n))
      throw InputError(fmt::format("{} {}: no path leads from it to a source", field("probe"), name));
    add(n);
  }
  return nodes;
}

/// Loads that a part without a path to a source would carry, even those that draw nothing at time 0.
void require_path(const Design& design) {
  const Circuit& circuit = *design.circuit;
  const Sources& loads = circuit.current_sources;
  const Parts& parts = design.topology->parts;
  for (std::int64_t i = 0; i < loads.size(); ++i)
    for (const NodeId n : {loads.a[i], loads.b[i]})
      if (loads.waveform[i] >= 0 && n != kGround && !parts.anchored[parts.part[n]])
        throw GridError(fmt::format("{}: the load {} at {} has no path of resistors or inductors to a voltage source",
                                    circuit.place(loads.origin[i]), circuit.element_name(kCurrentSource, i),
                                    circuit.node_name(n)));
}

std::vector<Finding> findings_of(const Design& design) {
  const Circuit& circuit = *design.circuit;
  std::vector<Finding> findings;
  const auto tell = [&](const char* code, std::string message, std::string place) {
    findings.push_back({Finding::Severity::warning, code, std::move(message), std::move(place)});
  };
  const Sources& sources = circuit.voltage_sources;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    if (sources.waveform[i] < 0 || sources.value[i] != 0) continue;
    tell("supply-starts-at-zero",
         fmt::format(
             "{} is 0 V at time 0, so what it feeds is taken for a ground net; give {} NET=VOLTS if it is a supply",
             circuit.element_name(kVoltageSource, i), field("nominal")),
         circuit.place(sources.origin[i]));
    break;
  }
  return findings;
}

/// One simulation from the operating point to the end.
class Run {
 public:
  Run(const System& system, const Answer& dc, const TranOptions& options, const TimeFrame& frame)
      : design_(system.design()),
        dc_(dc),
        options_(options),
        sources_(*design_->circuit, frame),
        integrator_(design_, options.method, options, silent(options.context)),
        operating_point_(summarise(system, dc)),
        over_time_(operating_point_, system.topology(), integrator_.merge(), 1) {
    const Circuit& circuit = *design_->circuit;
    load_.resize(circuit.current_sources.value.size());
    next_load_ = load_;
    volts_.resize(static_cast<std::size_t>(circuit.voltage_sources.size()));
    for (const NodeId n : probed_nodes(*design_, options)) report_.probes.push_back({n, {}});
    find_pads(system.topology());
  }

  TranReport run(const TimeFrame& frame) &&;

 private:
  static Context silent(Context context) {
    context.progress = [](std::string_view) {};
    return context;
  }
  void find_pads(const Topology& topology);
  std::vector<TimeStep> plan(const TimeFrame& frame);
  void advance(const TimeStep& step);
  std::vector<Accuracy> try_step(double to, double size);
  void record(double size_after);
  void count(double size, const std::vector<Accuracy>& accuracy, double local_error);
  void bound_all_steps();
  void finish();

  std::shared_ptr<const Design> design_;
  const Answer& dc_;
  const TranOptions& options_;
  SourcesOverTime sources_;
  Integrator integrator_;
  IrReport operating_point_;
  OverTime over_time_;
  std::vector<PadCurrent> dc_pads_;
  std::optional<PadMeter> meter_;
  std::optional<PadsOverTime> pads_;
  std::vector<double> load_, next_load_, volts_;
  double now_ = 0, size_before_ = 0;
  bool is_row_ = true;  ///< the present state is one of those printed
  static constexpr int kFractions = 1024;
  int fraction_ = 1;  ///< of a step to try next, in units of 1 / kFractions
  ErrorGrowth growth_{options_.method};
  TranReport report_;
};

void Run::find_pads(const Topology& topology) {
  NodeTable nodes = operating_point_.nodes;
  nodes.voltage_v = dc_.voltage_v;
  Currents currents = find_currents(topology, node_injection(*design_->circuit, dc_.load_a), nodes);
  dc_pads_ = std::move(currents.pads);
  for (PadCurrent& pad : dc_pads_)
    if (topology.nets.inverted[topology.parts.part[pad.node]]) pad.current_a = 0.0 - pad.current_a;
  const Sources& loads = design_->circuit->current_sources;
  double drawn = 0;
  for (std::int64_t i = 0; i < loads.size(); ++i)
    drawn += dc_.load_a[i] * ((loads.b[i] == kGround) - (loads.a[i] == kGround));
  const Storage& storage = integrator_.storage();
  const std::vector<double> any(storage.value.size(), 1.0);
  meter_.emplace(*design_, step_topology(*design_, storage, any), storage, dc_pads_);
  pads_.emplace(dc_pads_, drawn + currents.imbalance_a, drawn, 1);
}

/// Where corners would make steps of too many sizes, they are moved to sixteenths of a step.
std::vector<TimeStep> Run::plan(const TimeFrame& frame) {
  constexpr std::size_t kMostSizes = 12;
  constexpr double kFraction = 1.0 / 16;
  std::vector<double> corners = sources_.corners();
  std::vector<TimeStep> steps = time_steps(frame.step, frame.stop, corners);
  std::set<double> sizes;
  for (const TimeStep& step : steps)
    if (sizes.size() <= kMostSizes) sizes.insert(step.size);
  if (sizes.size() <= kMostSizes) return steps;
  const double grid = kFraction * frame.step;
  for (double& t : corners) t = std::round(t / grid) * grid;
  report_.worst.findings.push_back({Finding::Severity::info, "corners-moved",
                                    "sources bend at times that no few sizes of steps meet; steps end at the nearest "
                                    "sixteenth of a step instead",
                                    ""});
  return time_steps(frame.step, frame.stop, std::move(corners));
}

TranReport Run::run(const TimeFrame& frame) && {
  report_.step_s = frame.step;
  report_.stop_s = frame.stop;
  report_.accuracy.operating_point_v = dc_.certificate.max_error_v;
  report_.accuracy.is_bounded = dc_.certificate.valid;
  const std::vector<TimeStep> steps = plan(frame);
  options_.context.progress("step");
  std::int64_t done = 0;
  for (const TimeStep& step : steps) {
    advance(step);
    is_row_ = step.is_row;
    options_.part(++done, std::ssize(steps));
  }
  record(0);
  finish();
  return std::move(report_);
}

/// Goes on by a step, in fractions of powers of two where the estimated error asks for it. As nothing can be estimated
/// at first, it begins with the smallest.
void Run::advance(const TimeStep& step) {
  constexpr double kRoom = 0.1;  ///< of the tolerance, below which twice the size is tried
  for (int done = 0; done < kFractions;) {
    int fraction = options_.time_tolerance_v ? std::min(fraction_, done > 0 ? done & -done : kFractions) : kFractions;
    std::optional<double> error;
    for (;; fraction /= 2) {
      const double to =
          done + fraction == kFractions ? step.end : step.end - step.size * (kFractions - done - fraction) / kFractions;
      const std::vector<Accuracy> accuracy = try_step(to, step.size * fraction / kFractions);
      error = integrator_.local_error();
      if (fraction > 1 && options_.time_tolerance_v && error && *error > *options_.time_tolerance_v) continue;
      count(step.size * fraction / kFractions, accuracy, error.value_or(0));
      record(step.size * fraction / kFractions);
      integrator_.accept();
      std::swap(load_, next_load_);
      now_ = to;
      break;
    }
    done += fraction;
    is_row_ = false;
    if (options_.time_tolerance_v)
      fraction_ = error && *error < kRoom * *options_.time_tolerance_v ? std::min(2 * fraction, kFractions) : fraction;
  }
}

std::vector<Accuracy> Run::try_step(double to, double size) {
  const bool varies = sources_.volts_at(to, volts_);
  sources_.loads_at(to, next_load_);
  return integrator_.step(size, {next_load_.data(), std::ssize(next_load_), 1},
                          varies ? std::span<const double>(volts_) : std::span<const double>());
}

/// The present state, which stands for half of the steps before and after it. Charge flows as the method has it: in a
/// step of backward Euler, as at its end.
void Run::record(double size_after) {
  const double half = (size_before_ + size_after) / 2;
  const Potentials volts = integrator_.voltage(0);
  over_time_.add(0, volts, now_, half);
  pads_->add(0, meter_->measure(volts, integrator_.current(0), load_), now_,
             options_.method == Method::trapezoidal ? half : size_before_);
  size_before_ = size_after;
  if (!is_row_) return;
  over_time_.end_row();
  report_.row_time_s.push_back(now_);
  const Topology& topology = *design_->topology;
  for (Probe& probe : report_.probes) {
    const double value = dc_.voltage_v[probe.node] + volts[probe.node];
    const bool is_inverted = probe.node != kGround && topology.nets.inverted[topology.parts.part[probe.node]];
    probe.voltage_v.push_back(is_inverted ? 0.0 - value : value);
  }
}

void Run::count(double size, const std::vector<Accuracy>& accuracy, double local_error) {
  double bound = 0;
  for (const Accuracy& of_scenario : accuracy) {
    report_.iterations += of_scenario.stats.iterations;
    report_.most_iterations = std::max(report_.most_iterations, of_scenario.stats.iterations);
    report_.accuracy.is_bounded &= of_scenario.certificate.valid;
    bound = std::max(bound, of_scenario.certificate.max_error_v);
    growth_.add(size, of_scenario);
  }
  ++report_.steps;
  report_.accuracy.step_v = std::max(report_.accuracy.step_v, bound);
  report_.accuracy.accumulated_v += bound;
  report_.accuracy.local_time_error_v = std::max(report_.accuracy.local_time_error_v, local_error);
}

std::vector<WindowResult> windows_of(const TranReport& report, double window_s) {
  std::vector<WindowResult> windows;
  if (!(window_s > 0)) return windows;
  const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(report.stop_s / window_s - 1e-9)));
  for (std::int64_t w = 0; w < count; ++w)
    for (std::size_t k = 0; k < report.nets.size(); ++k)
      windows.push_back({static_cast<double>(w) * window_s,
                         std::min(report.stop_s, static_cast<double>(w + 1) * window_s), static_cast<std::int32_t>(k),
                         -1, 0, kGround});
  for (std::size_t row = 0; row < report.row_time_s.size(); ++row) {
    const double t = report.row_time_s[row];
    const auto w =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(t / window_s - 1e-9)) - 1, 0, count - 1);
    for (std::size_t k = 0; k < report.nets.size(); ++k) {
      WindowResult& window = windows[static_cast<std::size_t>(w) * report.nets.size() + k];
      if (report.nets[k].worst_drop_v[row] <= window.worst_drop_v) continue;
      window.worst_drop_v = report.nets[k].worst_drop_v[row];
      window.time_s = t;
      window.worst_node = report.nets[k].worst_node[row];
    }
  }
  return windows;
}

/// The sum of the bounds of steps is guaranteed for backward Euler with capacitors, whose rows sum to at most 1. Else
/// there is a bound from the energy, which many changes of the size of steps make too large to say anything.
void Run::bound_all_steps() {
  constexpr double kMostOfSum = 1000;
  auto& accuracy = report_.accuracy;
  const bool is_sum_guaranteed = options_.method == Method::backward_euler && report_.inductors == 0;
  const bool does_growth_tell = growth_.bound_v() <= kMostOfSum * accuracy.accumulated_v;
  accuracy.is_guaranteed = accuracy.is_bounded && (is_sum_guaranteed || does_growth_tell);
  if (does_growth_tell && !is_sum_guaranteed) accuracy.accumulated_v = growth_.bound_v();
  accuracy.accumulated_v += accuracy.operating_point_v;
}

void Run::finish() {
  IrReport& worst = report_.worst;
  std::vector<Finding> findings = std::move(worst.findings);
  worst = operating_point_;
  worst.findings.insert(worst.findings.end(), findings.begin(), findings.end());
  std::move(over_time_).finish(report_);
  for (NetResult& net : worst.nets) net.layers.clear();
  add_statistics(worst.nodes, worst.nets);
  report_.windows = windows_of(report_, options_.window_s);

  pads_->add_stored(meter_->stored_charge(integrator_.voltage(0)));
  report_.charge = pads_->charge();
  report_.pads = pads_->take_pads();
  for (std::size_t k = 0; k < dc_pads_.size(); ++k) dc_pads_[k].current_a = report_.pads[k].peak_a;
  worst.pads = named_pads(*design_->circuit, *design_->topology, dc_pads_);
  std::stable_sort(report_.pads.begin(), report_.pads.end(),
                   [](const PadOverTime& a, const PadOverTime& b) { return std::abs(a.peak_a) > std::abs(b.peak_a); });

  const Storage& storage = integrator_.storage();
  report_.method = options_.method;
  report_.sizes = integrator_.sizes();
  report_.capacitors = storage.capacitors;
  report_.inductors = storage.size() - storage.capacitors;
  bound_all_steps();
  worst.certificate.valid = report_.accuracy.is_bounded;
  worst.certificate.max_error_v = report_.accuracy.accumulated_v;
  worst.limits = check_limits(worst, options_.limits);
  worst.engine = integrator_.solver().engine_run();
  worst.solve = integrator_.solver().stats();
  const Solver::Work work = integrator_.work();
  worst.timings_s.setup += work.setup_s;
  worst.timings_s.solve += work.solve_s;
  worst.timings_s.certify += work.certify_s;
}

/// The names of those that drop most, this many.
std::vector<std::string> worst_nodes(const TranReport& report, int count) {
  const std::vector<double>& drop = report.worst.nodes.drop_v;
  std::vector<NodeId> nodes;
  for (std::size_t n = 1; n < drop.size(); ++n)
    if (report.worst.nodes.net[n] >= 0) nodes.push_back(static_cast<NodeId>(n));
  const auto end = nodes.begin() + std::min<std::ptrdiff_t>(count, std::ssize(nodes));
  std::partial_sort(nodes.begin(), end, nodes.end(), [&](NodeId a, NodeId b) { return drop[a] > drop[b]; });
  std::vector<std::string> names;
  for (auto n = nodes.begin(); n != end; ++n) names.emplace_back(report.worst.circuit->node_name(*n));
  return names;
}

}  // namespace

void start_at_time_zero(Circuit& circuit) {
  for (Sources* sources : {&circuit.voltage_sources, &circuit.current_sources})
    for (std::int64_t i = 0; i < sources->size(); ++i)
      if (sources->waveform[i] >= 0) sources->value[i] = value_at_start(circuit.waveforms[sources->waveform[i]]);
}

TranReport analyse_transient(const Circuit& circuit, const TranOptions& options) {
  const ThreadCount threads(options.context.threads);
  const Stopwatch watch;
  const TimeFrame frame = frame_of(circuit, options);
  options.context.progress("check");
  const std::shared_ptr<const Design> design = make_design(circuit, options);
  design->throw_first_error();
  require_path(*design);
  const double check_s = watch.seconds();
  options.context.progress("operating point");
  const System system(design);
  Solver solver(system, options, options.context);
  const Answer dc = solver.solve();

  TranReport report = Run(system, dc, options, frame).run(frame);
  if (options.worst_probes > 0) {
    TranOptions again = options;
    for (std::string& name : worst_nodes(report, options.worst_probes)) again.probes.push_back(std::move(name));
    report = Run(system, dc, again, frame).run(frame);
  }
  IrReport& worst = report.worst;
  for (const std::vector<Finding>& more : {findings_of(*design), solver.findings()})
    worst.findings.insert(worst.findings.end(), more.begin(), more.end());
  worst.timings_s.check = check_s;
  worst.timings_s.reduce = system.seconds().reduce;
  worst.timings_s.assemble = system.seconds().assemble;
  worst.timings_s.setup += solver.work().setup_s;
  worst.timings_s.solve += solver.work().solve_s;
  worst.timings_s.certify += solver.work().certify_s;
  return report;
}

std::string tolerance_miss(const TranReport& report, const SolverOptions& options) {
  if (options.rtol) return "";
  if (!report.accuracy.is_bounded)
    return "the error of some steps could not be bounded; try another " + field("engine");
  const double worst = std::max(report.accuracy.operating_point_v, report.accuracy.step_v);
  if (worst <= options.tolerance_v) return "";
  return fmt::format(
      "the certified error of a step is {:.2e} V, above the tolerance of {:.2e} V; raise {} or try "
      "another {}",
      worst, options.tolerance_v, field("tolerance"), field("engine"));
}

}  // namespace gridiron
