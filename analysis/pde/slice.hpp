// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// A solution on the x-y plane, boundary points included; of a 3-D grid the plane in the middle of z.
struct Slice {
  std::int64_t columns = 0, rows = 0;
  Point origin{}, spacing{};  ///< place of the first value, and steps to the next along x and y
  double z = 0;
  std::vector<double> value;  ///< columns × rows, x fastest

  double at(std::int64_t column, std::int64_t row) const { return value[row * columns + column]; }
};
Slice middle_slice(const PdeModel& model, std::span<const double> solution);

}  // namespace gridiron
