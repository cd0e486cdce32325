// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/applications/grid_deformation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grid/finite_volumes.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kHalfWidth = 1.0 / 16, kCurveStep = 1.0 / 512, kLongestStep = 1.0 / 640;
constexpr double kLeastSpacings = 2;  ///< to either side of the curve
constexpr double kLeastCorner = 0.01;

/// ∫f over the volume of each point.
std::vector<double> amounts_of(const RegularGrid& grid, const std::vector<PlanePoint>& curve) {
  const double h = grid.spacing[0], width = std::max(kHalfWidth, kLeastSpacings * h);
  std::vector<double> amounts(grid.points(), 0.0);
  for (const PlanePoint& p : curve) {
    RegularGrid::Index first{}, last{};
    for (int axis = 0; axis < 2; ++axis) {
      first[axis] = std::max<int64_t>(0, static_cast<int64_t>(std::ceil((p[axis] - width) / h)));
      last[axis] = std::min(grid.size[axis] - 1, static_cast<int64_t>((p[axis] + width) / h));
    }
    for (int64_t j = first[1]; j <= last[1]; ++j)
      for (int64_t i = first[0]; i <= last[0]; ++i) {
        const double x = i * h - p[0], y = j * h - p[1];
        const double f = (1 - std::sqrt(x * x + y * y) / width) / width;
        double& most = amounts[j * grid.size[0] + i];
        most = std::max(most, f);
      }
  }
  const FiniteVolumes volumes(grid);
  for (int64_t i = 0; i < grid.points(); ++i) amounts[i] *= volumes.volume_of(grid.point(i));
  return amounts;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Twice the area of the triangle; negative if it is inverted.
double turn(const PlanePoint& p, const PlanePoint& q, const PlanePoint& r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/// Calls f(corners, anticlockwise) for each cell.
void for_each_cell(const Mesh& mesh, const std::vector<PlanePoint>& points, auto&& f) {
  for (int64_t j = 0; j + 1 < mesh.rows; ++j)
    for (int64_t i = 0; i + 1 < mesh.columns; ++i) {
      const PlanePoint* below = points.data() + j * mesh.columns + i;
      const PlanePoint* above = below + mesh.columns;
      f(std::array<PlanePoint, 4>{below[0], below[1], above[1], above[0]});
    }
}

/// Twice the area of the smallest triangle spanned by two adjacent sides of a cell; not positive if the cell is folded.
double least_corner(const std::array<PlanePoint, 4>& corner) {
  double least = INFINITY;
  for (int c = 0; c < 4; ++c) least = std::min(least, turn(corner[c], corner[(c + 1) % 4], corner[(c + 3) % 4]));
  return least;
}

double cell_area(const Mesh& mesh) { return 1.0 / ((mesh.columns - 1) * (mesh.rows - 1)); }

bool is_pressed(const Mesh& mesh, const std::vector<PlanePoint>& points) {
  const double limit = kLeastCorner * cell_area(mesh);
  bool pressed = false;
  for_each_cell(mesh, points, [&](const auto& corner) { pressed |= !(least_corner(corner) >= limit); });
  return pressed;
}

}  // namespace

std::vector<PlanePoint> deformation_curve(const std::string& file) {
  const std::vector<PlanePoint> points = file.empty() ? circle({0.5, 0.5}, 0.25, 64) : read_curve(file);
  return closed_spline(points, kCurveStep);
}

PdeModel deformation_model(const RegularGrid& grid, const std::vector<PlanePoint>& curve) {
  PdeModel model;
  model.grid = grid;
  for (auto& faces : model.grid.boundary) faces = {RegularGrid::Boundary::neumann, RegularGrid::Boundary::neumann};
  std::vector<double> amounts = amounts_of(grid, curve);
  const double total = sum_of(amounts);
  const FiniteVolumes volumes(model.grid);
  for (int64_t i = 0; i < grid.points(); ++i) amounts[i] -= total * volumes.volume_of(grid.point(i));
  model.spread = {std::move(amounts)};
  return model;
}

Mesh deform(const PdeModel& model, std::span<const double> solution, const std::vector<PlanePoint>& curve) {
  const RegularGrid& grid = model.grid;
  const std::vector<double> amounts = amounts_of(grid, curve);
  const double total = sum_of(amounts);
  const FiniteVolumes volumes(grid);

  // One field for everything that drives a node: ∂u/∂x, ∂u/∂y and f.
  std::vector<Point> drive = VectorGrid::gradient(grid, with_boundary(model, solution)).vectors();
  double fastest = 0;
  for (int64_t i = 0; i < grid.points(); ++i) {
    drive[i][2] = amounts[i] / volumes.volume_of(grid.point(i));
    fastest = std::max(fastest, std::hypot(drive[i][0], drive[i][1]) / total);
  }
  const VectorGrid field(grid, std::move(drive));

  Mesh mesh;
  mesh.columns = grid.size[0];
  mesh.rows = grid.size[1];
  mesh.curve = curve;
  const int steps = std::max(1, static_cast<int>(std::ceil(kDeformationTime * fastest / kLongestStep)));
  const double dt = kDeformationTime / steps;
  for (int64_t i = 0; i < grid.points(); ++i) {
    const Point place = volumes.place_of(grid.point(i));
    mesh.points.push_back({place[0], place[1]});
  }
  std::vector<PlanePoint> moved(mesh.points.size());
  while (mesh.steps < steps) {
    parallel_each(grid.points(), [&](int64_t i) {
      const Point d = field.at({mesh.points[i][0], mesh.points[i][1], 0});
      for (int axis = 0; axis < 2; ++axis)
        moved[i][axis] = std::clamp(mesh.points[i][axis] - dt * d[axis] / (mesh.time * d[2] + total), 0.0, 1.0);
    });
    if (is_pressed(mesh, moved)) break;
    mesh.points.swap(moved);
    mesh.time = kDeformationTime * ++mesh.steps / steps;
  }
  check(mesh);
  return mesh;
}

void check(Mesh& mesh) {
  mesh.area_shares.clear();
  mesh.folded = 0;
  mesh.least_area = INFINITY;
  mesh.largest_area = mesh.total_area = 0;
  for_each_cell(mesh, mesh.points, [&](const std::array<PlanePoint, 4>& corner) {
    const double area = (turn(corner[0], corner[1], corner[2]) + turn(corner[0], corner[2], corner[3])) / 2;
    const double share = area / cell_area(mesh);
    mesh.area_shares.push_back(share);
    mesh.folded += !(least_corner(corner) > 0);
    mesh.least_area = std::min(mesh.least_area, share);
    mesh.largest_area = std::max(mesh.largest_area, share);
    mesh.total_area += area;
  });
}

}  // namespace gridiron
