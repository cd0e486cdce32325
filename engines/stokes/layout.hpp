// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/host_device.hpp"
#include "grid/stokes_grid.hpp"

namespace gridiron::stokes {

/// How a vector of one level is stored: nine planes (u at nodes, x-edges, y-edges, centres, v likewise, p) of the same
/// shape. Entry (i, j) of a plane belongs to node (i, j) or to what lies right of it, above it, or both. All that is
/// not an unknown, boundary velocities and a rim of kRim entries included, is zero, so that stencils need no special
/// cases. Lines begin with kLeft such entries, so that node (0, j) is aligned for vector loads.
struct Layout {
  static constexpr int kPressure = 8, kPlanes = 9, kRim = 2, kLeft = 8;

  int64_t nx = 0, ny = 0;  ///< elements
  int64_t pitch = 0, plane = 0;

  Layout() = default;
  Layout(int64_t elements_x, int64_t elements_y)
      : nx(elements_x),
        ny(elements_y),
        pitch((nx + 1 + kLeft + kRim + 7) / 8 * 8),
        plane(pitch * (ny + 1 + 2 * kRim)) {}

  int64_t size() const { return kPlanes * plane; }
  GRIDIRON_HOST_DEVICE int64_t at(int64_t i, int64_t j) const { return (j + kRim) * pitch + i + kLeft; }
};

/// The unknowns of a plane.
inline StokesGrid::Extent plane_extent(const StokesGrid& grid, int plane) {
  if (plane < Layout::kPressure) return grid.extent(plane % 4);
  return {{0, 0}, {grid.elements[0] + 1, grid.elements[1] + 1}};
}

/// Nodes along an axis of n elements that look alike to everything within two elements: the first two, the last two,
/// and all others. Below four elements, each node is a class of its own.
struct NodeClasses {
  static constexpr int kMost = 5;
  int64_t n = 0;

  GRIDIRON_HOST_DEVICE int of(int64_t i) const {
    if (n < 4 || i < 2) return static_cast<int>(i);
    return i > n - 2 ? static_cast<int>(i - n + 4) : 2;
  }
  int count() const { return n < 4 ? static_cast<int>(n) + 1 : kMost; }
  /// A node of the class.
  int64_t node(int c) const { return n < 4 || c <= 2 ? c : c + n - 4; }
  /// First and number of the nodes of the class.
  int64_t first(int c) const { return node(c); }
  int64_t size(int c) const { return n >= 4 && c == 2 ? n - 3 : 1; }
};

}  // namespace gridiron::stokes
