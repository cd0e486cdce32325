// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/compare_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/pictures/chart.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

struct RunPoint {
  double unknowns, total_s, max_error;
};

struct Curve {
  std::string name;
  std::vector<RunPoint> points;
};

/// The points of every engine, smallest case first. Decks belong together, and so do the sizes of a model problem.
std::vector<Curve> curves_of(const Comparison& comparison) {
  std::set<std::string> kinds, devices;
  for (const CaseRuns& runs : comparison.cases) {
    kinds.insert(runs.what.pde);
    for (const CompareRun& run : runs.runs) devices.insert(run.device);
  }
  std::vector<Curve> curves;
  for (const CaseRuns& runs : comparison.cases)
    for (const CompareRun& run : runs.runs) {
      if (!has_solution(run.status)) continue;
      std::string name = printable(run.name());
      if (devices.size() > 1) name += " on " + run.device;
      if (kinds.size() > 1) name += ", " + (runs.what.pde.empty() ? "decks" : runs.what.pde);
      auto curve = std::ranges::find(curves, name, &Curve::name);
      if (curve == curves.end()) curve = curves.insert(curves.end(), {name, {}});
      curve->points.push_back({static_cast<double>(run.unknowns), run.total_s, run.max_error});
    }
  for (Curve& curve : curves) std::ranges::stable_sort(curve.points, {}, &RunPoint::unknowns);
  return curves;
}

/// What the engines were asked for.
std::string stop_rule(const Comparison& comparison) {
  const auto is_deck = [](const CaseRuns& runs) { return runs.what.pde.empty(); };
  return comparison.tolerance_v > 0 && std::ranges::any_of(comparison.cases, is_deck)
             ? fmt::format("voltages certified to {}", with_unit(comparison.tolerance_v, "V"))
             : fmt::format("relative residual {:g}", comparison.rtol);
}

Panel panel_of(const std::vector<Curve>& curves, std::string x_label, std::string y_label, double RunPoint::*x,
               double RunPoint::*y) {
  Panel panel{std::move(x_label), std::move(y_label), true, true, {}};
  for (const auto& [name, points] : curves) {
    Panel::Series series{name, {}, {}};
    for (const RunPoint& point : points) {
      series.x.push_back(point.*x);
      series.y.push_back(point.*y);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::string compare_picture(const Comparison& comparison) {
  const std::vector<Curve> curves = curves_of(comparison);
  return chart_png(
      {"Engines side by side",
       stop_rule(comparison),
       fmt::format("setup + solve, median of {}, {}; errors are differences from {}",
                   count_of(comparison.repeat, "run"), count_of(comparison.threads, "thread"), kReferenceEngine),
       {panel_of(curves, "unknowns", "seconds", &RunPoint::unknowns, &RunPoint::total_s),
        panel_of(curves, "seconds", "largest error", &RunPoint::total_s, &RunPoint::max_error)}});
}

}  // namespace gridiron
