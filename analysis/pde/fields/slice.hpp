// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// Values on a plane of the grid, boundary points included; for a 3-D grid a plane through the middle of the box.
struct Slice {
  std::array<int, 2> axes{0, 1};  ///< horizontal and vertical
  int64_t columns = 0, rows = 0;
  std::array<double, 2> origin{}, spacing{};  ///< position of the first value, and spacing
  double depth = 0;                           ///< position of the plane along its normal axis
  std::vector<double> value;                  ///< columns × rows, the first axis fastest

  double at(int64_t column, int64_t row) const { return value[row * columns + column]; }
};

/// A function on the plane through the middle of the grid to which the axis `normal` is normal: z for a 2-D grid.
Slice middle_slice(const RegularGrid& grid, int normal, const std::function<double(const RegularGrid::Index&)>& value);

/// A solution on such a plane.
Slice middle_slice(const PdeModel& model, std::span<const double> solution, int normal = 2);

}  // namespace gridiron
