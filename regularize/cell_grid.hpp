// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cells of regular grids, and the routes of wires across them: shared by regularize() and its device version.

#include <cmath>
#include <cstdint>

#include "device/host_device.hpp"

namespace gridiron {

/// The cells of one part of a network. Cell (x, y) of layer l is entry (l·ny + y)·nx + x of its tables.
struct CellGrid {
  int32_t net = -1;                    ///< Geometry::net of its nodes
  int32_t layers = 0, nx = 0, ny = 0;  ///< padding included
  int32_t used_nx = 0, used_ny = 0;    ///< without the padding to whole tiles
  double x0_um = 0, y0_um = 0;         ///< corner of cell (0, 0)
  double pitch_x_um = 0, pitch_y_um = 0;

  GRIDIRON_HOST_DEVICE int64_t plane() const { return int64_t{nx} * ny; }
  GRIDIRON_HOST_DEVICE int64_t cells() const { return layers * plane(); }
};

/// The location of a node: a cell of one of the grids.
struct CellPlace {
  int32_t grid, layer, y, x;

  GRIDIRON_HOST_DEVICE bool before(const CellPlace& other) const {
    if (layer != other.layer) return layer < other.layer;
    return y != other.y ? y < other.y : x < other.x;
  }
};

GRIDIRON_HOST_DEVICE inline int64_t entry_of(const CellPlace& place, const CellGrid& grid) {
  return (int64_t{place.layer} * grid.ny + place.y) * grid.nx + place.x;
}

/// The cell index along one axis; coordinates outside are clamped to the outermost cells.
GRIDIRON_HOST_DEVICE inline int32_t cell_at(double um, double start, double pitch, int32_t count) {
  const double cell = std::floor((um - start) / pitch), last = count - 1.0;
  return static_cast<int32_t>(cell < 0 ? 0 : cell > last ? last : cell);
}

GRIDIRON_HOST_DEVICE inline CellPlace place_in(const CellGrid& grid, int32_t index, int32_t layer, double x_um,
                                               double y_um) {
  return {index, layer, cell_at(y_um, grid.y0_um, grid.pitch_y_um, grid.used_ny),
          cell_at(x_um, grid.x0_um, grid.pitch_x_um, grid.used_nx)};
}

enum class Axis { x, y, layers };

/// Lines of cells of one grid along one axis: line j of block i starts at entry i·n·stride + j, and its cells are
/// `stride` entries apart.
///
/// A value for a run of cells is stored in O(log n) nodes of a binary tree over its line, and distributed to the
/// entries once all runs have been added: nothing is ever subtracted, so entries are as accurate as plain sums. Node i
/// of the tree covers nodes 2i and 2i + 1; node n + k is cell k of the line. Nodes 1 … n − 1 are laid out like cells.
struct CellLines {
  int64_t n, stride;

  GRIDIRON_HOST_DEVICE CellLines(const CellGrid& grid, Axis axis)
      : n(axis == Axis::x   ? grid.nx
          : axis == Axis::y ? grid.ny
                            : grid.layers),
        stride(axis == Axis::x   ? 1
               : axis == Axis::y ? grid.nx
                                 : grid.plane()) {}

  /// f(node) for the nodes that make up cells [begin, end).
  template <class F>
  GRIDIRON_HOST_DEVICE void for_each_node(int64_t begin, int64_t end, F f) const {
    for (int64_t first = begin + n, last = end + n; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) f(first++);
      if (last % 2 == 1) f(--last);
    }
  }
};

/// A straight piece of a wire: cells [begin, end) of the line that starts at entry `line`.
struct Run {
  int64_t line;
  int32_t begin, end;
};

/// The route of a wire between two cells of one grid, from the lower one: along x, then along y, both on the lower
/// layer, then up.
struct Route {
  CellPlace low, high;

  GRIDIRON_HOST_DEVICE Route(const CellPlace& a, const CellPlace& b)
      : low(b.before(a) ? b : a), high(b.before(a) ? a : b) {}

  GRIDIRON_HOST_DEVICE int64_t steps() const {
    const int64_t dx = low.x - high.x, dy = low.y - high.y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) + (high.layer - low.layer);
  }
  GRIDIRON_HOST_DEVICE Run along(Axis axis, const CellGrid& grid) const {
    const int64_t row = grid.nx, plane = grid.plane();
    if (axis == Axis::x) return between(low.layer * plane + low.y * row, low.x, high.x);
    if (axis == Axis::y) return between(low.layer * plane + high.x, low.y, high.y);
    return between(high.y * row + high.x, low.layer, high.layer);
  }

 private:
  GRIDIRON_HOST_DEVICE static Run between(int64_t line, int32_t a, int32_t b) {
    return a < b ? Run{line, a, b} : Run{line, b, a};
  }
};

}  // namespace gridiron
