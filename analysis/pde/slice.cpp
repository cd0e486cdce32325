// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/slice.hpp"

#include "analysis/pde/finite_volumes.hpp"
#include "support/parallel.hpp"

namespace gridiron {

Slice middle_slice(const PdeModel& model, std::span<const double> solution) {
  const RegularGrid& grid = model.grid;
  const FiniteVolumes volumes(grid);
  Slice slice;
  slice.columns = grid.size[0];
  slice.rows = grid.size[1];
  slice.spacing = grid.spacing;
  const std::int64_t middle = grid.size[2] / 2;
  slice.origin = volumes.place_of({0, 0, middle});
  slice.z = slice.origin[2];
  slice.value.resize(slice.columns * slice.rows);
  parallel_ranges(slice.columns * slice.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const RegularGrid::Index at{i % slice.columns, i / slice.columns, middle};
      if (volumes.is_unknown(at))
        slice.value[i] = solution[volumes.unknown_at(at)];
      else
        slice.value[i] = model.boundary ? model.boundary(volumes.place_of(at)) : 0.0;
    }
  });
  return slice;
}

}  // namespace gridiron
