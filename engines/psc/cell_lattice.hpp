// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "device/host_device.hpp"
#include "device/pack.hpp"

namespace gridiron::psc {

/// The nodes (i, j) of one macro cell after refinement into m × m: 0 ≤ i, j ≤ m, in a triangle i + j ≤ m. Values lie in
/// a square array, node (i, j) at j (m + 1) + i; a triangle leaves half of it unused.
struct CellLattice {
  int corners;  ///< 3 or 4
  int64_t m;    ///< a power of two, at least 2

  GRIDIRON_HOST_DEVICE int64_t size() const { return (m + 1) * (m + 1); }
  template <class I>
  GRIDIRON_HOST_DEVICE I at(I i, I j) const {
    return j * (static_cast<I>(m) + 1) + i;
  }
  template <class I>
  GRIDIRON_HOST_DEVICE bool has(I i, I j) const {
    const I last = static_cast<I>(m);
    return i >= 0 && j >= 0 && i <= last && j <= last && (corners == 4 || i + j <= last);
  }
  template <class I>
  GRIDIRON_HOST_DEVICE bool is_inside(I i, I j) const {
    const I last = static_cast<I>(m);
    return i > 0 && j > 0 && i < last && j < last && (corners == 4 || i + j < last);
  }

  /// Nodes inside, and on edges without their ends.
  int64_t interior() const { return corners == 4 ? (m - 1) * (m - 1) : (m - 1) * (m - 2) / 2; }
  int64_t edge() const { return corners * (m - 1); }

  struct Node {
    int64_t i, j;
  };
  Node corner(int k) const {
    const Node square[] = {{0, 0}, {m, 0}, {m, m}, {0, m}}, triangle[] = {{0, 0}, {m, 0}, {0, m}};
    return corners == 4 ? square[k % 4] : triangle[k % 3];
  }
  /// Step 0 … m along the edge from corner k to corner k + 1.
  Node on_edge(int k, int64_t step) const {
    const Node a = corner(k), b = corner(k + 1);
    return {a.i + (b.i - a.i) / m * step, a.j + (b.j - a.j) / m * step};
  }
  /// Positions in the array of interior nodes, row after row, and of edge nodes, edge after edge.
  std::vector<int32_t> interior_positions() const {
    std::vector<int32_t> positions;
    for (int64_t j = 1; j < m; ++j)
      for (int64_t i = 1; i < m; ++i)
        if (is_inside(i, j)) positions.push_back(static_cast<int32_t>(at(i, j)));
    return positions;
  }
  /// Of all nodes, row after row.
  std::vector<int32_t> node_positions() const {
    std::vector<int32_t> positions;
    for (int64_t j = 0; j <= m; ++j)
      for (int64_t i = 0; i <= m; ++i)
        if (has(i, j)) positions.push_back(static_cast<int32_t>(at(i, j)));
    return positions;
  }
  std::vector<int32_t> edge_positions() const {
    std::vector<int32_t> positions;
    for (int k = 0; k < corners; ++k)
      for (int64_t step = 1; step < m; ++step) {
        const Node node = on_edge(k, step);
        positions.push_back(static_cast<int32_t>(at(node.i, node.j)));
      }
    return positions;
  }
};

// The change to the hierarchical basis (Yserentant): S = S_j … S_1, where each factor adds to the nodes of a finer
// lattice what their parents on the coarser one interpolate, eqs. (2) and (3). The functions treat the nodes of one
// spacing, in any order; S goes through s = m/2, m/4 … 1, its transpose through s = 1, 2 … m/2. Values V are numbers,
// or packs of them for several columns; indices I of 32 bits are cheaper on a GPU.

/// The value that node (i, j), new at spacing s, takes from its parents at spacing 2 s; 0 for a node that is not new.
template <class T, class V, class I>
GRIDIRON_HOST_DEVICE T from_parents(const CellLattice& cell, const V& v, I i, I j, I s) {
  using Number = ColumnType<T>;
  const bool x = i / s % 2 == 1, y = j / s % 2 == 1;
  if (!x && !y) return T{};
  if (x && y) {
    const T across = v[cell.at(i + s, j - s)] + v[cell.at(i - s, j + s)];
    return cell.corners == 3 ? Number(0.5) * across
                             : Number(0.25) * (across + (v[cell.at(i - s, j - s)] + v[cell.at(i + s, j + s)]));
  }
  return x ? Number(0.5) * (v[cell.at(i - s, j)] + v[cell.at(i + s, j)])
           : Number(0.5) * (v[cell.at(i, j - s)] + v[cell.at(i, j + s)]);
}

/// Adds what from_parents() gives to all new nodes in the square of 2 s × 2 s from (i, j) on, with its last row and
/// column at the end of the lattice: every corner is read once.
template <class V, class I>
GRIDIRON_HOST_DEVICE void add_parents(const CellLattice& cell, const V& v, I i, I j, I s) {
  if (!cell.has(i, j)) return;
  using T = std::remove_cvref_t<decltype(v[0])>;
  using Number = ColumnType<T>;
  const Number half(0.5);
  const I m = static_cast<I>(cell.m);
  if (cell.corners == 3) {
    if (i + j == m) return;  // on the long side, whose nodes belong to squares before it
    const T a = v[cell.at(i, j)], b = v[cell.at(i + 2 * s, j)], c = v[cell.at(i, j + 2 * s)];
    v[cell.at(i + s, j)] += half * (a + b);
    v[cell.at(i, j + s)] += half * (a + c);
    v[cell.at(i + s, j + s)] += half * (b + c);
    return;
  }
  const T a = v[cell.at(i, j)], b = v[cell.at(i + 2 * s, j)], c = v[cell.at(i, j + 2 * s)],
          d = v[cell.at(i + 2 * s, j + 2 * s)];
  v[cell.at(i + s, j)] += half * (a + b);
  v[cell.at(i, j + s)] += half * (a + c);
  v[cell.at(i + s, j + s)] += Number(0.25) * ((b + c) + (a + d));
  if (i + 2 * s == m) v[cell.at(m, j + s)] += half * (b + d);
  if (j + 2 * s == m) v[cell.at(i + s, m)] += half * (c + d);
}

/// The transpose: what node (i, j) at spacing 2 s collects from the nodes that are new at spacing s.
template <class T, class V, class I>
GRIDIRON_HOST_DEVICE T from_children(const CellLattice& cell, const V& v, I i, I j, I s) {
  using Number = ColumnType<T>;
  T straight{}, across{};
  if (cell.is_inside(i, j)) {
    const I at = cell.at(i, j), up = s * cell.at(I(0), I(1));
    straight = (v[at - s] + v[at + s]) + (v[at - up] + v[at + up]);
    across = v[at + s - up] + v[at - s + up];
    if (cell.corners == 4) across += v[at - s - up] + v[at + s + up];
  } else {
    const auto take = [&](T& sum, I di, I dj) {
      if (cell.has(i + di, j + dj)) sum += v[cell.at(i + di, j + dj)];
    };
    take(straight, -s, 0);
    take(straight, s, 0);
    take(straight, 0, -s);
    take(straight, 0, s);
    take(across, s, -s);
    take(across, -s, s);
    if (cell.corners == 4) {
      take(across, -s, -s);
      take(across, s, s);
    }
  }
  return Number(0.5) * straight + Number(cell.corners == 3 ? 0.5 : 0.25) * across;
}

}  // namespace gridiron::psc
