// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>

#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Which neighbours a matrix couples: nearest ones along each axis, with the harmonic mean of σ, or all adjacent ones
/// with the weights of eq. (5) of the SGML paper and the arithmetic mean.
enum class Neighbours { along_axes, all_around };

/// Uniform grid with `points` points per axis in the unit box, Dirichlet faces.
inline RegularGrid unit_grid(int dimensions, int64_t points) {
  RegularGrid grid;
  grid.dimensions = dimensions;
  for (int axis = 0; axis < dimensions; ++axis) {
    grid.size[axis] = points;
    grid.spacing[axis] = 1.0 / static_cast<double>(points - 1);
  }
  for (auto& sigma : grid.sigma) sigma = {1.0};
  return grid;
}

inline void set_faces(RegularGrid& grid, int axis, RegularGrid::Boundary condition) {
  grid.boundary[axis] = {condition, condition};
}

inline void set_sigma(RegularGrid& grid, const std::function<double(double, double, double)>& sigma) {
  std::vector<double> field;
  for (int64_t z = 0; z < grid.size[2]; ++z)
    for (int64_t y = 0; y < grid.size[1]; ++y)
      for (int64_t x = 0; x < grid.size[0]; ++x)
        field.push_back(sigma(static_cast<double>(x) * grid.spacing[0], static_cast<double>(y) * grid.spacing[1],
                              static_cast<double>(z) * grid.spacing[2]));
  for (auto& all : grid.sigma) all = field;
}

/// Eq. (16) of the paper.
inline double capacitor_sigma(double x, double y, double z, double sign) {
  const double r = std::sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5));
  return 0.55 + sign * 0.45 * std::tanh((r - 0.2) / 0.1);
}

/// The matrix of −∇·(σ∇u) − a u on a grid, point by point from the definition: a point on a face owns half a cell, a
/// neighbour beyond a Neumann face is the mirror image of the one inside.
inline Problem problem_on(const RegularGrid& grid, Neighbours neighbours = Neighbours::along_axes) {
  const auto sigma = [&](int axis, const RegularGrid::Index& p) {
    const auto& field = grid.sigma[axis];
    return field.size() == 1 ? field[0] : field[(p[2] * grid.size[1] + p[1]) * grid.size[0] + p[0]];
  };
  const double s = grid.dimensions == 2 ? std::sqrt(2.0) - 1 : 1 / (1 + 2 * std::sqrt(2.0) + 4 / std::sqrt(3.0));
  const bool flat = grid.dimensions == 2;
  Rows rows(grid.unknowns());
  RegularGrid::Index p;
  int64_t row = 0;
  const auto first = [&](int axis) { return grid.first_unknown(axis); };
  const auto end = [&](int axis) { return first(axis) + grid.unknowns(axis); };
  for (p[2] = first(2); p[2] < end(2); ++p[2])
    for (p[1] = first(1); p[1] < end(1); ++p[1])
      for (p[0] = first(0); p[0] < end(0); ++p[0], ++row) {
        double cell = 1;
        const auto on_face = [&](int axis) {
          return axis < grid.dimensions && (p[axis] == 0 || p[axis] == grid.size[axis] - 1);
        };
        for (int axis = 0; axis < 3; ++axis) cell *= on_face(axis) ? grid.spacing[axis] / 2 : grid.spacing[axis];
        double diagonal = -grid.shift * cell;
        for (int dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const int offset[3] = {dx, dy, dz}, distance = std::abs(dx) + std::abs(dy) + std::abs(dz);
              if (distance == 0 || (neighbours == Neighbours::along_axes && distance > 1)) continue;
              const int axis = dx != 0 ? 0 : dy != 0 ? 1 : 2;
              RegularGrid::Index q;
              bool known = false;
              for (int a = 0; a < 3; ++a) {
                q[a] = p[a] + offset[a];
                if (a < grid.dimensions) q[a] = q[a] < 0 ? 1 : q[a] >= grid.size[a] ? grid.size[a] - 2 : q[a];
                known = known || q[a] < first(a) || q[a] >= end(a);
              }
              const double here = sigma(axis, p), there = sigma(axis, q);
              const double mean = neighbours == Neighbours::along_axes ? 2 * here * there / (here + there)
                                                                       : s / std::sqrt(distance) * (here + there) / 2;
              const double flow = cell / (grid.spacing[axis] * grid.spacing[axis]) * mean;
              diagonal += flow;
              if (!known)
                rows[row][static_cast<int32_t>(
                    ((q[2] - first(2)) * grid.unknowns(1) + q[1] - first(1)) * grid.unknowns(0) + q[0] - first(0))] -=
                    flow;
            }
        rows[row][static_cast<int32_t>(row)] += diagonal;
      }
  Problem problem = problem_of(rows);
  problem.structure = std::make_shared<const RegularGrid>(grid);
  return problem;
}

/// f integrated over the cell of each unknown.
inline std::vector<double> sources_on(const RegularGrid& grid, const std::function<double(double, double, double)>& f) {
  std::vector<double> b;
  for (int64_t z = 0; z < grid.unknowns(2); ++z)
    for (int64_t y = 0; y < grid.unknowns(1); ++y)
      for (int64_t x = 0; x < grid.unknowns(0); ++x) {
        const int64_t unknown[3] = {x, y, z};
        double at[3], cell = 1;
        for (int axis = 0; axis < 3; ++axis) {
          const int64_t point = grid.first_unknown(axis) + unknown[axis];
          const bool on_face = axis < grid.dimensions && (point == 0 || point == grid.size[axis] - 1);
          at[axis] = static_cast<double>(point) * grid.spacing[axis];
          cell *= on_face ? grid.spacing[axis] / 2 : grid.spacing[axis];
        }
        b.push_back(cell * f(at[0], at[1], at[2]));
      }
  return b;
}

}  // namespace gridiron::test
