// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/grid_field.hpp"

#include <algorithm>

#include "grid/finite_volumes.hpp"
#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron {

std::vector<double> with_boundary(const PdeModel& model, std::span<const double> solution) {
  const RegularGrid& grid = model.grid;
  const FiniteVolumes volumes(grid);
  std::vector<double> values(grid.points());
  parallel_each(grid.points(), [&](int64_t i) {
    const RegularGrid::Index at = grid.point(i);
    if (volumes.is_unknown(at))
      values[i] = solution[volumes.unknown_at(at)];
    else
      values[i] = model.boundary ? model.boundary(volumes.place_of(at)) : 0.0;
  });
  return values;
}

double slope_at(const RegularGrid& grid, std::span<const double> values, const RegularGrid::Index& at, int axis) {
  const int64_t stride = axis == 0 ? 1 : axis == 1 ? grid.size[0] : grid.size[0] * grid.size[1];
  const double* here = values.data() + (at[2] * grid.size[1] + at[1]) * grid.size[0] + at[0];
  const int64_t last = grid.size[axis] - 1;
  const double h = grid.spacing[axis];
  if (at[axis] > 0 && at[axis] < last) return (here[stride] - here[-stride]) / (2 * h);
  const int end = at[axis] == 0 ? 0 : 1;
  if (last < 2 || grid.boundary[axis][end] == RegularGrid::Boundary::neumann) return 0;
  const int64_t inwards = end == 0 ? stride : -stride;
  return (end == 0 ? 1 : -1) * (4 * here[inwards] - 3 * here[0] - here[2 * inwards]) / (2 * h);
}

VectorGrid VectorGrid::gradient(const RegularGrid& grid, std::span<const double> values) {
  std::vector<Point> slopes(grid.points());
  parallel_each(grid.points(), [&](int64_t i) {
    for (int axis = 0; axis < grid.dimensions; ++axis) slopes[i][axis] = slope_at(grid, values, grid.point(i), axis);
  });
  return {grid, std::move(slopes)};
}

bool VectorGrid::holds(const Point& place) const {
  for (int axis = 0; axis < grid_->dimensions; ++axis)
    if (!(place[axis] >= 0 && place[axis] <= (grid_->size[axis] - 1) * grid_->spacing[axis])) return false;
  return true;
}

Point VectorGrid::at(const Point& place) const {
  RegularGrid::Index corner{};
  Point share{};
  for (int axis = 0; axis < grid_->dimensions; ++axis) {
    const int64_t last = grid_->size[axis] - 1;
    const double steps = std::clamp(place[axis] / grid_->spacing[axis], 0.0, static_cast<double>(last));
    corner[axis] = std::clamp<int64_t>(static_cast<int64_t>(steps), 0, std::max<int64_t>(last - 1, 0));
    share[axis] = steps - corner[axis];
  }
  Point sum{};
  for (int c = 0; c < 1 << grid_->dimensions; ++c) {
    double weight = 1;
    RegularGrid::Index at = corner;
    for (int axis = 0; axis < grid_->dimensions; ++axis) {
      const bool upper = c >> axis & 1;
      weight *= upper ? share[axis] : 1 - share[axis];
      at[axis] = std::min(at[axis] + upper, grid_->size[axis] - 1);
    }
    const Point& vector = vectors_[(at[2] * grid_->size[1] + at[1]) * grid_->size[0] + at[0]];
    for (int axis = 0; axis < 3; ++axis) sum[axis] += weight * vector[axis];
  }
  return sum;
}

GridField VectorGrid::named(std::string name) const {
  GridField field{std::move(name), 3, {}};
  field.values.reserve(3 * vectors_.size());
  for (const Point& v : vectors_) append(field.values, v);
  return field;
}

}  // namespace gridiron
