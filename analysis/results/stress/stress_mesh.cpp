// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/stress_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridiron {
namespace {

/// From an end of a wire to its middle, at least one.
std::vector<double> half_cells(double half, double finest, double growth) {
  std::vector<double> cells;
  double sum = 0, size = finest;
  do {
    cells.push_back(size);
    sum += size;
    size *= growth;
  } while (sum < half);
  for (double& cell : cells) cell *= half / sum;
  return cells;
}

std::vector<double> cells_of(double length, double finest, bool is_coarse, double growth) {
  std::vector<double> cells = half_cells(0.5 * length, finest, growth);
  const size_t n = cells.size();
  for (size_t i = n; i-- > 0;) cells.push_back(cells[i]);
  if (!is_coarse) return cells;
  for (size_t i = 0; i < n; ++i) cells[i] = cells[2 * i] + cells[2 * i + 1];
  cells.resize(n);
  return cells;
}

/// At the end of a long wire with this drive, Pa/µm.
double time_of_end(double rise_pa, double drive) { return std::numbers::pi * std::pow(rise_pa / (2 * drive), 2); }

}  // namespace

double StressGraph::least_time(double rise_pa) const {
  double steepest = 0;
  for (const Segment& s : segments)
    steepest = std::max(steepest, std::abs(drive_pa[s.a] - drive_pa[s.b]) / s.length_um);
  return time_of_end(rise_pa, steepest);
}

double StressGraph::time_of_nodes(double rise_pa) const {
  std::vector<double> area(drive_pa.size()), drive(drive_pa.size());
  for (const Segment& s : segments) {
    const double flux = s.area_um2 * (drive_pa[s.b] - drive_pa[s.a]) / s.length_um;
    area[s.a] += s.area_um2;
    area[s.b] += s.area_um2;
    drive[s.a] += flux;
    drive[s.b] -= flux;
  }
  double largest = 0;
  for (size_t n = 0; n < drive.size(); ++n) largest = std::max(largest, drive[n] / area[n]);
  return time_of_end(rise_pa, largest);
}

StressMesh::StressMesh(const StressGraph& graph, double finest_um, bool is_coarse, double growth)
    : nodes_(static_cast<int32_t>(graph.drive_pa.size())),
      drive_pa_(graph.drive_pa),
      volume_um3_(graph.drive_pa.size(), 0.0),
      elimination_(0, {}) {
  std::vector<GraphElimination::Edge> edges;
  for (const StressGraph::Segment& segment : graph.segments)
    cut(segment, cells_of(segment.length_um, finest_um, is_coarse, growth), edges);
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
  first_edge_.push_back(static_cast<int32_t>(weight_um_.size()));
}

}  // namespace gridiron
