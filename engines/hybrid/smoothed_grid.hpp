// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "engines/hybrid/cell_map.hpp"
#include "engines/hybrid/line_smoother.hpp"

namespace gridiron {

/// A grid that the hybrid iteration smooths: the original one, or that with its stars contracted. Rows follow strong
/// lines, side by side (LineLayout), as the smoother requires; nothing else depends on their order.
template <class D, class T>
struct SmoothedGrid {
  RowOrder<D> order;
  std::int64_t nonzeros = 0;
  LineSmoother<D, T> smoother;
  CellMap<D, T> to_next;  ///< the contracted or the regular grids

  std::int64_t bytes() const { return order.bytes() + smoother.bytes() + to_next.bytes(); }
  /// Bytes that a visit moves, excluding those of the next grids.
  double traffic(int degree) const {
    return smoother.sweep_traffic(degree, true) + smoother.residual_traffic() + smoother.sweep_traffic(degree, false) +
           to_next.traffic();
  }
};

}  // namespace gridiron
