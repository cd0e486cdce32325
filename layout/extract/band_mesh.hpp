// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "layout/extract/band_grid.hpp"

namespace gridiron::layout {

/// The cells of all bands of a net.
struct CellCount {
  std::atomic<int64_t> cells = 0;
  bool makes_cells = true;  ///< false: they are counted only

  /// Whether so many more may be made.
  bool add(int64_t more);
};

/// The same as make_band_grid() as finite volumes (MeshCells): a node per cell, and where two cells have a face in
/// common a wire from node to node, as wide as the face. A place belongs to the cell that it is in. Empty, apart from
/// what it adds to `count`, once there are too many cells.
BandGrid make_band_mesh(std::span<const Box> boxes, std::span<const Point> places, const LayerRules& rules,
                        CellCount& count);

}  // namespace gridiron::layout
