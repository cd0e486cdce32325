// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "grid/regular_grid.hpp"

namespace gridiron::test {

/// A box with the same spacing along all axes, Dirichlet faces, σ = 1.
inline RegularGrid box(int dimensions, const RegularGrid::Index& size, double h) {
  RegularGrid grid;
  grid.dimensions = dimensions;
  grid.size = size;
  for (int axis = 0; axis < dimensions; ++axis) grid.spacing[axis] = h;
  grid.sigma.fill({1.0});
  return grid;
}

inline RegularGrid cube(int dimensions, int64_t points) {
  return box(dimensions, {points, points, dimensions == 3 ? points : 1}, 1.0 / static_cast<double>(points - 1));
}

inline void set_faces(RegularGrid& grid, unsigned neumann) {
  for (int axis = 0; axis < grid.dimensions; ++axis)
    for (int end = 0; end < 2; ++end)
      grid.boundary[axis][end] =
          neumann >> (2 * axis + end) & 1 ? RegularGrid::Boundary::neumann : RegularGrid::Boundary::dirichlet;
}

/// Values from 0.1 to 10, one per point.
inline std::vector<double> random_sigma(const RegularGrid& grid, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> sigma(grid.points());
  for (double& value : sigma) value = 0.1 + 9.9 * static_cast<double>(random()) / static_cast<double>(random.max());
  return sigma;
}

}  // namespace gridiron::test
