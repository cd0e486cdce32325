// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/tran/sampling.hpp"
#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

Context silent(Context context) {
  context.progress = [](std::string_view) {};
  context.share_done = [](double) {};
  return context;
}

SolverOptions for_all_steps(SolverOptions options, const TimePlan& plan, int64_t scenarios) {
  options.solves = static_cast<int64_t>(plan.frame.stop / plan.frame.step) * scenarios;
  return options;
}

}  // namespace

Preparation::Preparation(std::shared_ptr<const Design> design, const SourcesOverTime& sources,
                         const LoadsOverTime& loads, const TranOptions& options, const TimePlan& plan,
                         const Circuit* any_matrix)
    : integrator(std::move(design), options.method, for_all_steps(options, plan, loads.scenarios()),
                 silent(options.context), loads.scenarios(), options.make_states, any_matrix) {
  find_steps(sources, loads, options, plan);
  if (!steps.empty() && !integrator.are_nodes_apart())
    integrator.form_system({steps.front().size / (options.time_tolerance_v ? kFractions : 1), steps.front().is_damped});
}

namespace {

/// How often an engine is set up or updated for steps, of whose sizes it keeps as many as Integrator.
int64_t count_setups(const std::vector<TimeStep>& steps) {
  std::vector<double> kept;  // the size used last at the end
  int64_t setups = 0;
  for (const TimeStep& step : steps) {
    const auto found = std::ranges::find(kept, step.size);
    if (found != kept.end()) {
      std::rotate(found, found + 1, kept.end());
      continue;
    }
    ++setups;
    if (kept.size() == Integrator::kMostSizes) kept.erase(kept.begin());
    kept.push_back(step.size);
  }
  return setups;
}

/// Steps of `part` seconds, which also end at these times.
std::vector<TimeStep> planned(double part, const TimePlan& plan, std::vector<double> at) {
  const TimeFrame& frame = plan.frame;
  if (plan.start > 0) at.push_back(plan.start);
  std::vector<TimeStep> all = time_steps(part, frame.stop, std::move(at));
  for (TimeStep& step : all) {
    const double rows = step.end / frame.step;
    const bool is_start = std::abs(step.end - plan.start) <= kOneTime * frame.step;
    step.is_row = is_start || step.end == frame.stop || (step.is_row && std::abs(rows - std::round(rows)) < kOneTime);
  }
  return all;
}

bool are_few_sizes(const std::vector<TimeStep>& steps) {
  std::set<double> sizes;
  for (const TimeStep& step : steps)
    if (sizes.size() <= Integrator::kMostSizes) sizes.insert(step.size);
  return sizes.size() <= Integrator::kMostSizes;
}

}  // namespace

/// Steps end wherever a source bends or turns, unless they would take too many set-ups of an engine. Then they pass by
/// turns that are met well enough all the same, and last, corners are moved to sixteenths of a step.
void Preparation::find_steps(const SourcesOverTime& sources, const LoadsOverTime& loads, const TranOptions& options,
                             const TimePlan& plan) {
  constexpr double kSixteenth = 1.0 / 16;
  constexpr double kSmooth = 50;       ///< steps in a period, between which a sine rises by less than Sampling::kOpen
  constexpr double kForTurns = 0.1;    ///< set-ups that the turns of sines may take per row of results,
  constexpr double kForCorners = 1;    ///< and corners
  constexpr double kCheap = 1e7;       ///< set-ups × unknowns that matter to nobody,
  constexpr double kFixed = 1000;      ///< where a set-up costs as much as so many unknowns, and besides
  constexpr double kOfFractions = 11;  ///< sizes of the fractions of a step
  const TimeFrame& frame = plan.frame;
  const double parts =
      plan.largest_step > 0 ? std::max(1.0, std::ceil(frame.step / plan.largest_step - kOneTime)) : 1.0;
  double part = frame.step / parts;
  has_curves = !sources.are_linear();
  const SourcesOverTime::Fastest fastest = has_curves ? sources.fastest() : SourcesOverTime::Fastest();
  const bool are_resolved = are_turns_resolved(fastest.period, frame.stop, part);
  if (plan.times > 1) part = std::min(part * plan.times, frame.stop);
  const double curves_for = has_curves ? part : 0;
  largest_step_s = part;
  const Corners of_table = loads.corners(frame);
  const auto with_table = [&](std::vector<double> corners) {
    append(corners, of_table.times);
    return corners;
  };
  const auto is_affordable = [&](double setups_per_row) {
    if (are_few_sizes(steps)) return true;
    const double setups = static_cast<double>(count_setups(steps)) * (options.time_tolerance_v ? kOfFractions : 1);
    return setups * (integrator.merge().unknowns + kFixed) <= kCheap ||
           setups <= setups_per_row * frame.stop / frame.step;
  };
  const Corners all = sources.corners(HUGE_VAL, curves_for);
  bool are_met = all.are_all && of_table.are_all, are_moved = false;
  steps = planned(part, plan, with_table(all.times));
  if (!is_affordable(kForTurns)) {
    std::vector<double> corners = sources.corners(kSmooth * part, curves_for).times;
    are_met &= corners.size() == all.times.size();
    corners = with_table(std::move(corners));
    steps = planned(part, plan, corners);
    if (!is_affordable(kForCorners)) {
      const double grid = kSixteenth * part;
      for (double& t : corners) t = std::round(t / grid) * grid;
      steps = planned(part, plan, std::move(corners));
      are_met = false;
      are_moved = true;
    }
  }
  if (!are_met) find_missed(sources, loads, frame, are_moved);
  if (!are_resolved) leave_open(fastest.of_period, fastest.period);
  constexpr double kQuarter = 0.25;  ///< of a step: shorter time constants are lost on sixteenths of it
  if (are_moved && fastest.time_constant < kQuarter * part) leave_open(fastest.of_time_constant, fastest.time_constant);
  if (sources.are_in_full() && options.method == Method::trapezoidal) damp_start(steps);
}

/// Voltages lag behind sources and turn between their turns, so that steps have to resolve these: makes them a fraction
/// of `part`, s, that does, if it can be afforded.
bool Preparation::are_turns_resolved(double period, double stop, double& part) const {
  constexpr double kPerTurn = 32;    ///< steps, between which a sine rises by 0.5 % of its amplitude at most
  constexpr double kCheap = 1e8;     ///< steps × unknowns that matter to nobody,
  constexpr double kFixed = 1000;    ///< where a step costs as much as so many unknowns, and besides,
  constexpr double kMostTimes = 16;  ///< and so many times as many steps as without
  const double times = std::ceil(kPerTurn * part / period - kOneTime), steps = stop / part * times;
  if (!(times > 1)) return true;
  if (steps > kMostSteps || (times > kMostTimes && steps * (integrator.merge().unknowns + kFixed) > kCheap))
    return false;
  part /= times;
  return true;
}

std::string Preparation::name_of(int64_t source) const {
  const Circuit& circuit = *integrator.design().circuit;
  return source >= 0 ? circuit.element_name(kCurrentSource, source) : circuit.element_name(kVoltageSource, -2 - source);
}

void Preparation::leave_open(int64_t source, double time) {
  missed_since_s = 0;
  findings.push_back({Finding::Severity::warning, "curves-missed",
                      fmt::format("steps of {:.4g} s do not resolve what {} does within {:.4g} s, so that voltages may "
                                  "turn between them, which leaves limits undecided that are not exceeded; give a "
                                  "shorter {}",
                                  largest_step_s, name_of(source), time, field("step")),
                      ""});
}

void Preparation::find_missed(const SourcesOverTime& sources, const LoadsOverTime& loads, const TimeFrame& frame,
                              bool are_moved) {
  std::vector<double> ends;
  for (const TimeStep& step : steps) ends.push_back(step.end);
  Sampling sampling(ends);
  sources.look(sampling);
  loads.look(frame, sampling);
  missed_share = sampling.share();
  missed_since_s = sampling.since();
  const bool is_open = missed_since_s < frame.stop;
  const std::string open =
      is_open ? fmt::format(
                    " and miss up to {:.3g} % of what {} swings by, from {:.4g} s on, which leaves limits undecided "
                    "that are not exceeded; give a shorter {}{}",
                    100 * missed_share, name_of(sampling.source()), missed_since_s, field("step"),
                    are_moved ? ", or corners that lie on fractions of it" : "")
              : "";
  const auto severity = is_open ? Finding::Severity::warning : Finding::Severity::info;
  if (are_moved)
    findings.push_back({severity, "corners-moved",
                        "sources bend at times that no few sizes of steps meet; steps end at the nearest sixteenth of "
                        "a step instead" +
                            open,
                        ""});
  else if (is_open)
    findings.push_back({severity, "corners-missed", "sources bend faster than steps follow; these pass by" + open, ""});
}

}  // namespace gridiron
