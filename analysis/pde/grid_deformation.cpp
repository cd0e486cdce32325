// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/grid_deformation.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/pde/finite_volumes.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kTime = 1;
constexpr double kMostSpacingsPerStep = 0.1;
constexpr double kSamplesPerSpacing = 4;
constexpr double kLeastCorner = 0.1;

/// ∫f over the volume of each point.
std::vector<double> amounts_of(const RegularGrid& grid, const std::vector<PlanePoint>& curve, double length) {
  std::vector<Deposit> deposits;
  deposits.reserve(curve.size());
  for (const PlanePoint& p : curve) deposits.push_back({{p[0], p[1], 0}, length / static_cast<double>(curve.size())});
  std::vector<double> amounts(grid.points(), 0.0);
  add_deposits(grid, deposits, amounts);
  return amounts;
}

double length_of(const std::vector<PlanePoint>& curve) {
  double length = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const PlanePoint &p = curve[i], &q = curve[(i + 1) % curve.size()];
    length += std::hypot(p[0] - q[0], p[1] - q[1]);
  }
  return length;
}

/// Twice the area of the triangle; negative when it is turned over.
double turn(const PlanePoint& p, const PlanePoint& q, const PlanePoint& r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/// Calls f(corners, anticlockwise) for each cell.
template <class F>
void for_each_cell(const Mesh& mesh, const std::vector<PlanePoint>& points, F&& f) {
  for (std::int64_t j = 0; j + 1 < mesh.rows; ++j)
    for (std::int64_t i = 0; i + 1 < mesh.columns; ++i) {
      const PlanePoint* below = points.data() + j * mesh.columns + i;
      const PlanePoint* above = below + mesh.columns;
      f(std::array<PlanePoint, 4>{below[0], below[1], above[1], above[0]});
    }
}

/// Twice the area of the smallest triangle that two neighbouring sides of a cell span; not positive when the cell
/// folds.
double least_corner(const std::array<PlanePoint, 4>& corner) {
  double least = INFINITY;
  for (int c = 0; c < 4; ++c) least = std::min(least, turn(corner[c], corner[(c + 1) % 4], corner[(c + 3) % 4]));
  return least;
}

double cell_area(const Mesh& mesh) { return 1.0 / static_cast<double>((mesh.columns - 1) * (mesh.rows - 1)); }

bool is_pressed(const Mesh& mesh, const std::vector<PlanePoint>& points) {
  const double limit = kLeastCorner * cell_area(mesh);
  bool pressed = false;
  for_each_cell(mesh, points, [&](const auto& corner) { pressed |= !(least_corner(corner) >= limit); });
  return pressed;
}

void check(Mesh& mesh) {
  mesh.least_area = INFINITY;
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

}  // namespace

std::vector<PlanePoint> deformation_curve(const std::string& file, double spacing) {
  const std::vector<PlanePoint> points = file.empty() ? circle({0.5, 0.5}, 0.25, 64) : read_curve(file);
  return closed_spline(points, spacing / kSamplesPerSpacing);
}

PdeModel deformation_model(const RegularGrid& grid, const std::vector<PlanePoint>& curve) {
  PdeModel model;
  model.grid = grid;
  for (auto& faces : model.grid.boundary) faces = {RegularGrid::Boundary::neumann, RegularGrid::Boundary::neumann};
  const double length = length_of(curve);
  std::vector<double> amounts = amounts_of(grid, curve, length);
  const FiniteVolumes volumes(model.grid);
  for (std::int64_t i = 0; i < grid.points(); ++i) amounts[i] -= length * volumes.volume_of(grid.point(i));
  model.spread = {std::move(amounts)};
  return model;
}

Mesh deform(const PdeModel& model, std::span<const double> solution, const std::vector<PlanePoint>& curve) {
  const RegularGrid& grid = model.grid;
  const double length = length_of(curve);
  const std::vector<double> amounts = amounts_of(grid, curve, length);
  const FiniteVolumes volumes(grid);

  // One field for all that moves a node: ∂u/∂x, ∂u/∂y and f.
  std::vector<Point> drive = VectorGrid::gradient(grid, with_boundary(model, solution)).vectors();
  double fastest = 0;
  for (std::int64_t i = 0; i < grid.points(); ++i) {
    drive[i][2] = amounts[i] / volumes.volume_of(grid.point(i));
    fastest = std::max(fastest, std::hypot(drive[i][0], drive[i][1]) / length);
  }
  const VectorGrid field(grid, std::move(drive));

  Mesh mesh;
  mesh.columns = grid.size[0];
  mesh.rows = grid.size[1];
  mesh.curve = curve;
  const int steps =
      std::max(1, static_cast<int>(std::ceil(kTime * fastest / (kMostSpacingsPerStep * grid.spacing[0]))));
  const double dt = kTime / steps;
  for (std::int64_t i = 0; i < grid.points(); ++i) {
    const Point place = volumes.place_of(grid.point(i));
    mesh.points.push_back({place[0], place[1]});
  }
  std::vector<PlanePoint> moved(mesh.points.size());
  while (mesh.steps < steps) {
    parallel_ranges(grid.points(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const Point d = field.at({mesh.points[i][0], mesh.points[i][1], 0});
        for (int axis = 0; axis < 2; ++axis)
          moved[i][axis] = std::clamp(mesh.points[i][axis] - dt * d[axis] / (mesh.time * d[2] + length), 0.0, 1.0);
      }
    });
    if (is_pressed(mesh, moved)) break;
    mesh.points.swap(moved);
    mesh.time = dt * ++mesh.steps;
  }
  check(mesh);
  return mesh;
}

}  // namespace gridiron
