// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/slice.hpp"

#include "grid/finite_volumes.hpp"
#include "support/parallel.hpp"

namespace gridiron {

Slice middle_slice(const RegularGrid& grid, int normal, const std::function<double(const RegularGrid::Index&)>& value) {
  Slice slice;
  slice.axes = {normal == 0 ? 1 : 0, normal == 2 ? 1 : 2};
  slice.columns = grid.size[slice.axes[0]];
  slice.rows = grid.size[slice.axes[1]];
  RegularGrid::Index corner{};
  corner[normal] = grid.size[normal] / 2;
  const Point place = FiniteVolumes(grid).place_of(corner);
  slice.depth = place[normal];
  for (int i = 0; i < 2; ++i) {
    slice.origin[i] = place[slice.axes[i]];
    slice.spacing[i] = grid.spacing[slice.axes[i]];
  }
  slice.value.resize(slice.columns * slice.rows);
  parallel_each(slice.columns * slice.rows, [&](int64_t i) {
    RegularGrid::Index at = corner;
    at[slice.axes[0]] = i % slice.columns;
    at[slice.axes[1]] = i / slice.columns;
    slice.value[i] = value(at);
  });
  return slice;
}

Slice middle_slice(const PdeModel& model, std::span<const double> solution, int normal) {
  const FiniteVolumes volumes(model.grid);
  return middle_slice(model.grid, normal, [&](const RegularGrid::Index& at) {
    if (volumes.is_unknown(at)) return solution[volumes.unknown_at(at)];
    return model.boundary ? model.boundary(volumes.place_of(at)) : 0.0;
  });
}

}  // namespace gridiron
