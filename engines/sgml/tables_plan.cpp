// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/tables_plan.hpp"

#include <algorithm>
#include <bit>

#include "grid/coarsening.hpp"

namespace gridiron::sgml {
namespace {

/// The number of intervals for an axis of `cells` points so that halving ends at 8 to 16.
int64_t comfortable_intervals(int64_t cells) {
  const uint64_t intervals = cells - 1;
  const uint64_t unit = std::bit_floor(std::max<uint64_t>(intervals / 8, 1));
  return static_cast<int64_t>((intervals + unit - 1) / unit * unit);
}

}  // namespace

Lattice lattice_of(const CellGrid& grid) {
  Lattice lattice;
  lattice.dimensions = grid.layers > 1 ? 3 : 2;
  lattice.points[0] = comfortable_intervals(grid.used_nx) + 1;
  lattice.points[1] = comfortable_intervals(grid.used_ny) + 1;
  lattice.points[2] = grid.layers;
  return lattice;
}

AxisMaps table_coarsening(const Lattice& lattice) {
  constexpr int64_t kFew = 3, kLong = 8;
  AxisMaps maps;
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t points = lattice.points[axis];
    maps[axis] = {points, points};
    if (axis == 2) continue;
    const bool is_across = lattice.points[1 - axis] > kLong;
    maps[axis].coarse = points > kFew ? coarser(points) : is_across ? 1 : points;
  }
  return maps;
}

}  // namespace gridiron::sgml
