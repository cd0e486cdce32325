// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/stress_course.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace gridiron {
namespace {

/// From an end of a wire to its middle, at least one.
std::vector<double> half_cells(double half, double finest) {
  constexpr double kGrowth = 1.1;
  std::vector<double> cells;
  double sum = 0, size = finest;
  do {
    cells.push_back(size);
    sum += size;
    size *= kGrowth;
  } while (sum < half);
  for (double& cell : cells) cell *= half / sum;
  return cells;
}

std::vector<double> cells_of(double length, double finest, bool is_coarse) {
  std::vector<double> cells = half_cells(0.5 * length, finest);
  const size_t n = cells.size();
  for (size_t i = n; i-- > 0;) cells.push_back(cells[i]);
  if (!is_coarse) return cells;
  for (size_t i = 0; i < n; ++i) cells[i] = cells[2 * i] + cells[2 * i + 1];
  cells.resize(n);
  return cells;
}

}  // namespace

double StressGraph::steepest() const {
  double steepest = 0;
  for (const Segment& s : segments)
    steepest = std::max(steepest, std::abs(drive_pa[s.a] - drive_pa[s.b]) / s.length_um);
  return steepest;
}

StressMesh::StressMesh(const StressGraph& graph, double finest_um, bool is_coarse)
    : drive_pa_(graph.drive_pa), volume_um3_(graph.drive_pa.size(), 0.0), elimination_(0, {}) {
  std::vector<GraphElimination::Edge> edges;
  for (const StressGraph::Segment& segment : graph.segments)
    cut(segment, cells_of(segment.length_um, finest_um, is_coarse), edges);
  elimination_ = GraphElimination(static_cast<int32_t>(drive_pa_.size()), edges);
}

void StressMesh::cut(const StressGraph::Segment& segment, std::span<const double> cells,
                     std::vector<GraphElimination::Edge>& edges) {
  const double from = drive_pa_[segment.a], to = drive_pa_[segment.b];
  int32_t before = segment.a;
  double place = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    int32_t next = segment.b;
    place += cells[i];
    if (i + 1 < cells.size()) {
      next = static_cast<int32_t>(drive_pa_.size());
      drive_pa_.push_back(from + (to - from) * (place / segment.length_um));
      volume_um3_.push_back(0);
    }
    const double half = 0.5 * cells[i] * segment.area_um2;
    volume_um3_[before] += half;
    volume_um3_[next] += half;
    weight_um_.push_back(segment.area_um2 / cells[i]);
    edges.push_back({before, next});
    before = next;
  }
}

GraphFactor StressMesh::factor(double step) const {
  std::vector<double> surplus(volume_um3_);
  for (double& value : surplus) value /= step;
  return GraphFactor(elimination_, surplus, weight_um_);
}

StressCourse::StressCourse(const StressMesh& mesh, double residual_pa)
    : mesh_(&mesh), potential_(mesh.drive_pa().begin(), mesh.drive_pa().end()) {
  for (double& potential : potential_) potential += residual_pa;
}

int32_t StressCourse::worst_node(int32_t nodes) const {
  int32_t worst = 0;
  for (int32_t n = 1; n < nodes; ++n)
    if (stress_pa(n) > stress_pa(worst)) worst = n;
  return worst;
}

double StressCourse::largest_potential_pa() const { return *std::ranges::max_element(potential_); }

void StressCourse::solve(const GraphFactor& factor, double length, std::vector<double>& potential) const {
  const std::span<const double> volume = mesh_->volume_um3();
  for (size_t i = 0; i < potential.size(); ++i) potential[i] *= volume[i] / length;
  factor.solve(potential);
}

void StressCourse::step(double length) {
  std::vector<double> whole = potential_;
  solve(mesh_->factor(length), length, whole);
  const GraphFactor half = mesh_->factor(0.5 * length);
  for (int k = 0; k < 2; ++k) solve(half, 0.5 * length, potential_);
  for (size_t i = 0; i < potential_.size(); ++i) potential_[i] += potential_[i] - whole[i];
  time_ += length;
}

namespace {

/// In (0, `longest`] the step after which the stress is the critical one, as it is above it after the longest.
Nucleation finish(const StressCourse& course, int32_t nodes, double critical_pa, double longest) {
  const auto excess = [&](double length, Nucleation& end) {
    StressCourse next = course;
    next.step(length);
    const int32_t node = next.worst_node(nodes);
    end = {next.time(), node, (next.stress_pa(node) - course.stress_pa(node)) / length};
    return next.stress_pa(node) - critical_pa;
  };
  Nucleation found;
  double low = 0, below = course.stress_pa(course.worst_node(nodes)) - critical_pa;
  double high = longest, above = excess(high, found);
  constexpr int kMostTries = 60;
  constexpr double kClose = 1e-9;
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
  }
  return found;
}

}  // namespace

Nucleation find_nucleation(const StressGraph& graph, double residual_pa, double critical_pa, double horizon,
                           const StressSteps& steps) {
  const auto nodes = static_cast<int32_t>(graph.drive_pa.size());
  const double least_drive = *std::ranges::min_element(graph.drive_pa), steepest = graph.steepest();
  const double rise = critical_pa - residual_pa;
  if (rise <= 0) return {0, 0, std::numeric_limits<double>::infinity()};
  if (!(steepest > 0)) return {};
  // A blocked end of a long wire, √(4κt/π) times its drive, gets there first.
  const double least_time = std::numbers::pi * std::pow(rise / (2 * steepest), 2);
  const StressMesh mesh(graph, steps.finest * std::sqrt(least_time), steps.is_coarse_mesh);
  StressCourse course(mesh, residual_pa);
  const double first = steps.first * least_time;
  while (course.time() < horizon) {
    if (course.largest_potential_pa() - least_drive < critical_pa) return {};
    const double length = std::min(std::max(first, steps.growth * course.time()), horizon - course.time());
    StressCourse next = course;
    next.step(length);
    if (next.stress_pa(next.worst_node(nodes)) >= critical_pa) return finish(course, nodes, critical_pa, length);
    course = std::move(next);
  }
  return {};
}

}  // namespace gridiron
