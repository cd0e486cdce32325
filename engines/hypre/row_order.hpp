// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/direct/coordinates.hpp"

namespace gridiron::hypre {

/// An order of the rows of a matrix; empty: as they are.
struct RowOrder {
  std::vector<int32_t> unknown_at;   ///< the unknown at each position
  std::vector<int32_t> position_of;  ///< its inverse

  int64_t unknown(int64_t position) const { return unknown_at.empty() ? position : unknown_at[position]; }
  int64_t position(int64_t unknown) const { return position_of.empty() ? unknown : position_of[unknown]; }
  int64_t bytes() const { return static_cast<int64_t>((unknown_at.size() + position_of.size()) * sizeof(int32_t)); }
};

/// Along Morton's space-filling curve through the bounding box, 16 bits per axis in the plane and 10 in space: rows
/// close in the order are close in place, so that processes that share out consecutive rows have few couplings between
/// them. Unknowns at the same place keep their order.
RowOrder morton_order(const Coordinates& places);

}  // namespace gridiron::hypre
