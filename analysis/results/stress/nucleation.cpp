// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/nucleation.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

/// The largest stress of a course that stays below the critical one.
void note_peak(const StressCourse& course, Nucleation& none) {
  const int32_t node = course.worst_node();
  if (!(course.stress_pa(node) > none.peak_pa)) return;
  none.peak_pa = course.stress_pa(node);
  none.peak_node = node;
}

/// At a course of which another step of `longest` gets above the critical stress: the step that ends there.
Nucleation finish(StressCourse& course, double critical_pa, double longest) {
  const double start_pa = course.stress_pa(course.worst_node());
  const auto excess = [&](double length, Nucleation& end) {
    course.step(length);
    const int32_t node = course.worst_node();
    const double stress_pa = course.stress_pa(node);
    end = {course.time(), node, (stress_pa - start_pa) / length};
    course.undo();
    return stress_pa - critical_pa;
  };
  Nucleation found;
  double low = 0, below = start_pa - critical_pa;
  double high = longest, above = excess(high, found);
  constexpr int kMostTries = 60;
  constexpr double kClose = 1e-6;
  bool was_below = false, was_above = false;
  for (int tries = 0; tries < kMostTries && high - low > kClose * found.time && above > 0; ++tries) {
    const double middle = low + (high - low) * (below / (below - above));  // Illinois' regula falsi
    if (!(middle > low && middle < high)) break;
    Nucleation end;
    const double value = excess(middle, end);
    if (value >= 0) {
      if (was_above) below *= 0.5;
      high = middle, above = value, found = end;
    } else {
      if (was_below) above *= 0.5;
      low = middle, below = value;
    }
    was_above = value >= 0;
    was_below = !was_above;
    if (std::abs(value) < kClose * critical_pa) break;
  }
  return found;
}

}  // namespace

Nucleation find_nucleation(const StressMesh& mesh, const StressRise& rise, double first, double share) {
  const double least_drive = *std::ranges::min_element(mesh.drive_pa());
  StressCourse course(mesh, rise.residual_pa);
  double decay = 0;
  Nucleation none;
  while (course.time() < rise.horizon) {
    if (course.largest_potential_pa() - least_drive < rise.critical_pa) break;
    const double scale = decay * course.time() > 1 ? 1 / decay : course.time();
    const double length = std::min(std::max(first, share * scale), rise.horizon - course.time());
    course.step(length);
    decay = course.decay();
    note_peak(course, none);
    if (none.peak_pa < rise.critical_pa) continue;
    course.undo();
    return finish(course, rise.critical_pa, length);
  }
  // What steps pass over between them is a small part of what stress falls by afterwards.
  constexpr double kPassedOver = 0.02;
  if (none.peak_node >= 0) none.peak_error_pa = kPassedOver * (none.peak_pa - course.stress_pa(none.peak_node));
  return none;
}

namespace {

/// Of a tree in which not all courses come to a void: whether that is beyond doubt, by a course with smaller cells and
/// one with longer steps, `find(is_coarse, times)`.
Nucleation confirm_none(const StressRise& rise, const Nucleation& of_large_cells, auto find) {
  constexpr double kClear = 0.9;  // of the critical rise
  constexpr double kSafety = 2, kLeast = 1e-6;
  const double rise_pa = rise.critical_pa - rise.residual_pa;
  if (of_large_cells.node < 0 && of_large_cells.peak_pa - rise.residual_pa < kClear * rise_pa) return {};
  const Nucleation large = of_large_cells.node < 0 ? of_large_cells : find(true, 1);
  const Nucleation found = find(false, 1), of_long_steps = find(false, 2);
  const auto peak = [&](const Nucleation& one) { return one.node < 0 ? one.peak_pa : rise.critical_pa; };
  Nucleation none;
  none.peak_pa = peak(found);
  none.peak_node = found.node < 0 ? found.peak_node : found.node;
  none.peak_error_pa = kLeast * rise_pa + found.peak_error_pa +
                       kSafety * (std::abs(peak(found) - peak(large)) + std::abs(peak(found) - peak(of_long_steps)));
  return none;
}

}  // namespace

Nucleation find_nucleation(const StressGraph& graph, const StressRise& rise) {
  constexpr double kShare = 0.2, kFirst = 0.02, kEarly = 0.03;
  constexpr double kFinest = 0.125;  // of the length that diffusion reaches
  constexpr double kMargin = 1.25;   // what large cells may be late by
  constexpr double kSafety = 2;      // corrections of second order are off by less than themselves
  const double rise_pa = rise.critical_pa - rise.residual_pa;
  if (rise_pa <= 0) return {0, 0, std::numeric_limits<double>::infinity()};
  const double least_time = graph.least_time(rise_pa), horizon = kMargin * rise.horizon;
  if (!std::isfinite(least_time)) return {};
  // Cells are to be fine enough for the time that is found with them.
  double scale = std::max(least_time, std::min(graph.time_of_nodes(rise_pa), horizon));
  const auto find = [&](const StressMesh& mesh, double until, double times) {
    const double first = kFirst * std::max(least_time, kEarly * scale);
    return find_nucleation(mesh, {rise.residual_pa, rise.critical_pa, until}, times * first, times * kShare);
  };
  Nucleation of_large_cells;
  const auto none = [&] {
    return confirm_none(rise, of_large_cells, [&](bool is_coarse, double times) {
      return find(StressMesh(graph, kFinest * std::sqrt(scale), is_coarse), rise.horizon, times);
    });
  };
  for (;;) {
    of_large_cells = find(StressMesh(graph, kFinest * std::sqrt(scale), true), horizon, 1);
    if (of_large_cells.node < 0) return none();
    if (of_large_cells.time >= 0.5 * scale || scale == least_time) break;
    scale = std::max(least_time, 0.5 * of_large_cells.time);
  }
  const StressMesh mesh(graph, kFinest * std::sqrt(scale), false);
  Nucleation found = find(mesh, kMargin * horizon, 1);
  const Nucleation of_long_steps = find(mesh, kMargin * horizon, 2);
  if (found.node < 0 || of_long_steps.node < 0) return none();
  // Errors are of second order: those of twice the length are off by three times the difference.
  const double of_cells = (found.time - of_large_cells.time) / 3, of_steps = (found.time - of_long_steps.time) / 3;
  const double corrections = std::abs(of_cells) + std::abs(of_steps);
  found.error = kSafety * corrections;
  if (corrections < found.time) found.time += of_cells + of_steps;
  return found;
}

}  // namespace gridiron
