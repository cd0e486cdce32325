// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "grid/refined_mesh.hpp"

namespace gridiron {

/// The shape of a cell as far as −∆ can tell: the products u·u, u·v and v·v of its sides over |u × v|. Similar cells
/// have the same.
struct CellShape {
  double uu, uv, vv;
};
CellShape shape_of(const std::array<Place, 2>& sides);

/// ∫ ∇φ_a · ∇φ_b over a cell with its first node at u = v = 0: the others at (1, 0) and (0, 1) for three corners (P1),
/// and at (1, 0), (1, 1) and (0, 1) for four (Q1).
using ElementMatrix = std::array<std::array<double, 4>, 4>;
ElementMatrix element_stiffness(int corners, const CellShape& shape);

/// Calls f(i, j, sign) for every element of a coarse cell of m × m: its corners are lattice points (i, j) + sign · (0,
/// 0), (1, 0), (1, 1) and (0, 1); of triangles (0, 0), (1, 0) and (0, 1).
void for_each_element(int corners, int64_t m, auto f) {
  for (int64_t j = 0; j < m; ++j)
    for (int64_t i = 0; i < (corners == 4 ? m : m - j); ++i) {
      f(i, j, 1);
      if (corners == 3 && j > 0) f(i + 1, j, -1);
    }
}

/// Lattice steps from an element's first node to node k.
constexpr std::array<std::array<int, 2>, 4> element_nodes(int corners) {
  if (corners == 4) return {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  return {{{0, 0}, {1, 0}, {0, 1}, {0, 0}}};
}

}  // namespace gridiron
