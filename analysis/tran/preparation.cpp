// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace gridiron {
namespace {

Context silent(Context context) {
  context.progress = [](std::string_view) {};
  context.share_done = [](double) {};
  return context;
}

SolverOptions for_all_steps(SolverOptions options, const TimePlan& plan, std::int64_t scenarios) {
  options.solves = static_cast<std::int64_t>(plan.frame.stop / plan.frame.step) * scenarios;
  return options;
}

}  // namespace

Preparation::Preparation(std::shared_ptr<const Design> design, const SourcesOverTime& sources,
                         const LoadsOverTime& loads, const TranOptions& options, const TimePlan& plan)
    : integrator(std::move(design), options.method, for_all_steps(options, plan, loads.scenarios()),
                 silent(options.context), loads.scenarios(), options.keep_states) {
  find_steps(sources, loads, options, plan);
  if (!steps.empty() && !do_sources_move(*integrator.design().circuit))
    integrator.form_system(steps.front().size / (options.time_tolerance_v ? kFractions : 1), steps.front().is_damped);
}

/// Where corners would make steps of too many sizes, they are moved to sixteenths of a step.
void Preparation::find_steps(const SourcesOverTime& sources, const LoadsOverTime& loads, const TranOptions& options,
                             const TimePlan& plan) {
  constexpr std::size_t kMostSizes = 12;
  constexpr double kSixteenth = 1.0 / 16;
  const TimeFrame& frame = plan.frame;
  const double parts =
      plan.largest_step > 0 ? std::max(1.0, std::ceil(frame.step / plan.largest_step - kOneTime)) : 1.0;
  const double part = frame.step / parts;
  largest_step_s = part;
  std::vector<double> corners = sources.corners();
  const std::vector<double> more = loads.corners(frame);
  corners.insert(corners.end(), more.begin(), more.end());
  const auto planned = [&](std::vector<double> at) {
    if (plan.start > 0) at.push_back(plan.start);
    std::vector<TimeStep> all = time_steps(part, frame.stop, std::move(at));
    for (TimeStep& step : all) {
      const double rows = step.end / frame.step;
      const bool is_start = std::abs(step.end - plan.start) <= kOneTime * frame.step;
      step.is_row = is_start || step.end == frame.stop || (step.is_row && std::abs(rows - std::round(rows)) < kOneTime);
    }
    return all;
  };
  steps = planned(corners);
  std::set<double> sizes;
  for (const TimeStep& step : steps)
    if (sizes.size() <= kMostSizes) sizes.insert(step.size);
  if (sizes.size() > kMostSizes) {
    const double grid = kSixteenth * part;
    for (double& t : corners) t = std::round(t / grid) * grid;
    findings.push_back({Finding::Severity::info, "corners-moved",
                        "sources bend at times that no few sizes of steps meet; steps end at the nearest sixteenth of "
                        "a step instead",
                        ""});
    steps = planned(std::move(corners));
  }
  if (sources.are_in_full() && options.method == Method::trapezoidal) damp_start(steps);
}

}  // namespace gridiron
