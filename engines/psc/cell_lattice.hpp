// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "support/host_device.hpp"

namespace gridiron::psc {

/// The nodes (i, j) of one macro cell after refinement into m × m: 0 ≤ i, j ≤ m, in a triangle i + j ≤ m. Values lie in
/// a square array, node (i, j) at j (m + 1) + i; a triangle leaves half of it unused.
struct CellLattice {
  int corners;     ///< 3 or 4
  std::int64_t m;  ///< a power of two, at least 2

  GRIDIRON_HOST_DEVICE std::int64_t size() const { return (m + 1) * (m + 1); }
  GRIDIRON_HOST_DEVICE std::int64_t at(std::int64_t i, std::int64_t j) const { return j * (m + 1) + i; }
  GRIDIRON_HOST_DEVICE bool has(std::int64_t i, std::int64_t j) const {
    return i >= 0 && j >= 0 && i <= m && j <= m && (corners == 4 || i + j <= m);
  }
  GRIDIRON_HOST_DEVICE bool is_inside(std::int64_t i, std::int64_t j) const {
    return i > 0 && j > 0 && i < m && j < m && (corners == 4 || i + j < m);
  }

  /// Nodes inside, and on edges without their ends.
  std::int64_t interior() const { return corners == 4 ? (m - 1) * (m - 1) : (m - 1) * (m - 2) / 2; }
  std::int64_t edge() const { return corners * (m - 1); }

  struct Node {
    std::int64_t i, j;
  };
  Node corner(int k) const {
    const Node square[] = {{0, 0}, {m, 0}, {m, m}, {0, m}}, triangle[] = {{0, 0}, {m, 0}, {0, m}};
    return corners == 4 ? square[k % 4] : triangle[k % 3];
  }
  /// Step 0 … m along the edge from corner k to corner k + 1.
  Node on_edge(int k, std::int64_t step) const {
    const Node a = corner(k), b = corner(k + 1);
    return {a.i + (b.i - a.i) / m * step, a.j + (b.j - a.j) / m * step};
  }
  /// Positions in the array of interior nodes, row after row, and of edge nodes, edge after edge.
  std::vector<std::int32_t> interior_positions() const {
    std::vector<std::int32_t> positions;
    for (std::int64_t j = 1; j < m; ++j)
      for (std::int64_t i = 1; i < m; ++i)
        if (is_inside(i, j)) positions.push_back(static_cast<std::int32_t>(at(i, j)));
    return positions;
  }
  std::vector<std::int32_t> edge_positions() const {
    std::vector<std::int32_t> positions;
    for (int k = 0; k < corners; ++k)
      for (std::int64_t step = 1; step < m; ++step) {
        const Node node = on_edge(k, step);
        positions.push_back(static_cast<std::int32_t>(at(node.i, node.j)));
      }
    return positions;
  }
};

// The change to the hierarchical basis (Yserentant): S = S_j … S_1, where each factor adds to the nodes of a finer
// lattice what their parents on the coarser one interpolate, eqs. (2) and (3). Both functions treat the nodes of one
// spacing, in any order; S calls interpolate() for s = m/2, m/4 … 1, its transpose collect() for s = 1, 2 … m/2.

/// The value that node (i, j), new at spacing s, takes from its parents at spacing 2 s; 0 for a node that is not new.
template <class T, class V>
GRIDIRON_HOST_DEVICE T from_parents(const CellLattice& cell, const V& v, std::int64_t i, std::int64_t j,
                                    std::int64_t s) {
  const bool x = i / s % 2 == 1, y = j / s % 2 == 1;
  if (!x && !y) return T(0);
  if (x && y) {
    const T across = v[cell.at(i + s, j - s)] + v[cell.at(i - s, j + s)];
    return cell.corners == 3 ? T(0.5) * across
                             : T(0.25) * (across + (v[cell.at(i - s, j - s)] + v[cell.at(i + s, j + s)]));
  }
  return x ? T(0.5) * (v[cell.at(i - s, j)] + v[cell.at(i + s, j)])
           : T(0.5) * (v[cell.at(i, j - s)] + v[cell.at(i, j + s)]);
}

/// The transpose: what node (i, j) at spacing 2 s collects from the nodes that are new at spacing s.
template <class T, class V>
GRIDIRON_HOST_DEVICE T from_children(const CellLattice& cell, const V& v, std::int64_t i, std::int64_t j,
                                     std::int64_t s) {
  T straight = 0, across = 0;
  const auto take = [&](T& sum, std::int64_t di, std::int64_t dj) {
    if (cell.has(i + di, j + dj)) sum += v[cell.at(i + di, j + dj)];
  };
  take(straight, -s, 0);
  take(straight, s, 0);
  take(straight, 0, -s);
  take(straight, 0, s);
  take(across, s, -s);
  take(across, -s, s);
  if (cell.corners == 3) return T(0.5) * (straight + across);
  take(across, -s, -s);
  take(across, s, s);
  return T(0.5) * straight + T(0.25) * across;
}

}  // namespace gridiron::psc
