// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/nucleation.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/results/stress/stress_modes.hpp"

namespace gridiron {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNearlyCritical = 1e-6;  ///< what is so close to it counts as critical; and times as equal

/// When a node gets critical, between two times.
double critical_time(const StressModes& modes, const StressRise& rise, int32_t node, double low, double high) {
  constexpr int kMostTries = 60;
  const auto excess_at = [&](double time) {
    return (time > 0 ? modes.stress_pa(node, time) : rise.residual_pa) - rise.critical_pa;
  };
  double below = excess_at(low), above = excess_at(high);
  bool was_below = false, was_above = false;
  for (int tries = 0;
       tries < kMostTries && high - low > kNearlyCritical * high && above > kNearlyCritical * rise.critical_pa;
       ++tries) {
    const double middle = low + (high - low) * (below / (below - above));  // Illinois' regula falsi
    if (!(middle > low && middle < high)) break;
    const double excess = excess_at(middle);
    if (excess >= 0) {
      if (was_above) below *= 0.5;
      high = middle, above = excess;
    } else {
      if (was_below) above *= 0.5;
      low = middle, below = excess;
    }
    was_above = excess >= 0;
    was_below = !was_above;
  }
  return high;
}

/// Between two times of which the later one is above the critical stress. Another node than the worst one then may have
/// been there before it.
Nucleation finish(StressModes& modes, const StressRise& rise, double low, double high, int32_t node) {
  constexpr int kMostNodes = 8;
  Nucleation found;
  for (int tries = 0; tries < kMostNodes && found.node != node; ++tries) {
    found.node = node;
    found.time = critical_time(modes, rise, node, low, high);
    node = modes.worst(found.time).node;
    high = found.time;
  }
  found.slope = modes.slope(found.node, found.time);
  found.error = (modes.error_pa(found.node, found.time) + kNearlyCritical * rise.critical_pa) / found.slope;
  return found;
}

class Search {
 public:
  Search(const StressGraph& graph, const StressRise& rise)
      : graph_(graph),
        rise_(rise),
        rise_pa_(rise.critical_pa - rise.residual_pa),
        least_time_(graph.least_time(rise_pa_)),
        least_drive_(*std::ranges::min_element(graph.drive_pa)) {}

  Nucleation find() {
    constexpr double kFar = 4;  // by then stress has not risen to half of it at any end, nor to it at any junction
    if (rise_pa_ <= 0) {
      const auto lowest = std::ranges::min_element(graph_.drive_pa);  // where stress rises most
      return {0, static_cast<int32_t>(lowest - graph_.drive_pa.begin()), kInfinity};
    }
    if (!(least_time_ <= kFar * rise_.horizon)) return {};
    constexpr double kMargin = 1.25;  // what large cells may be late by
    constexpr double kSafety = 2;     // corrections of second order are off by less than themselves
    const double horizon = kMargin * rise_.horizon;
    // Cells are to be fine enough for the time that is found with them.
    double scale = std::max(least_time_, std::min(graph_.time_of_nodes(rise_pa_), horizon));
    Course large;
    for (;;) {
      large = follow(scale, true, horizon);
      if (large.end.node < 0) return none(large, scale);
      if (large.end.time >= 0.5 * scale || scale == least_time_) break;
      scale = std::max(least_time_, 0.5 * large.end.time);
    }
    Nucleation found = follow(large.scale, false, kMargin * horizon).end;
    if (found.node < 0) return none(large, scale);
    const double of_cells = (found.time - large.end.time) / 3;  // as errors are of second order
    found.error = kSafety * (std::abs(of_cells) + found.error);
    if (std::abs(of_cells) < found.time) found.time += of_cells;
    return found;
  }

 private:
  struct Course {
    Nucleation end;
    double scale = 0;  ///< that cells and modes were for in the end
  };

  /// From a scale on, whatever is before it, in windows of time: cells may be larger as stress gets smoother.
  Course follow(double scale, bool is_coarse, double horizon) const {
    constexpr double kReach = StressModes::kReach, kFinest = 0.125;  // of the length that diffusion reaches
    Course course;
    for (;; scale *= kReach * kReach) {
      const StressMesh mesh(graph_, kFinest * std::sqrt(scale), is_coarse);
      StressModes modes(mesh, rise_.residual_pa, scale);
      course.scale = scale;
      if (pass(modes, scale / kReach, std::min(kReach * scale, horizon), course.end)) return course;
      if (kReach * scale >= horizon) break;
      if (modes.largest_potential_pa(kReach * scale) - least_drive_ < rise_.critical_pa) break;
    }
    return course;
  }

  /// Whether stress gets critical in a window of time; otherwise `end` has its peak.
  bool pass(StressModes& modes, double from, double until, Nucleation& end) const {
    constexpr double kGrowth = 1.2, kFast = 1.44;  // the latter far from critical
    constexpr double kPassedOver = 0.02;  // what is missed between two times, of what stress falls by afterwards
    bool is_peak_here = false;
    double before = 0;
    double growth = kGrowth;
    for (double time = std::min(from, until);; time = std::min(growth * time, until)) {
      const StressModes::Worst worst = modes.worst(time);
      if (worst.stress_pa >= rise_.critical_pa) {
        end = finish(modes, rise_, before, time, worst.node);
        return true;
      }
      if (worst.stress_pa > end.peak_pa) {
        end.peak_pa = worst.stress_pa, end.peak_node = worst.node;
        end.peak_error_pa = modes.error_pa(worst.node, time);
        is_peak_here = true;
      }
      before = time;
      growth = worst.stress_pa - rise_.residual_pa < 0.5 * rise_pa_ ? kFast : kGrowth;
      if (time >= until) break;
    }
    if (is_peak_here) end.peak_error_pa += kPassedOver * (end.peak_pa - modes.stress_pa(end.peak_node, until));
    return false;
  }

  /// Where not all courses come to a void: whether that is beyond doubt.
  Nucleation none(const Course& of_large_cells, double scale) const {
    constexpr double kClear = 0.9;  // of the critical rise
    constexpr double kSafety = 2, kLeast = 1e-6;
    if (of_large_cells.end.node < 0 && of_large_cells.end.peak_pa - rise_.residual_pa < kClear * rise_pa_) return {};
    const Nucleation large = follow(scale, true, rise_.horizon).end;
    const Nucleation found = follow(scale, false, rise_.horizon).end;
    const auto peak = [&](const Nucleation& one) { return one.node < 0 ? one.peak_pa : rise_.critical_pa; };
    Nucleation none;
    none.peak_pa = peak(found);
    none.peak_node = found.node < 0 ? found.peak_node : found.node;
    none.peak_error_pa = kLeast * rise_pa_ + kSafety * (found.peak_error_pa + std::abs(peak(found) - peak(large)));
    return none;
  }

  const StressGraph& graph_;
  const StressRise& rise_;
  double rise_pa_, least_time_, least_drive_;
};

}  // namespace

Nucleation find_nucleation(const StressGraph& graph, const StressRise& rise) { return Search(graph, rise).find(); }

}  // namespace gridiron
