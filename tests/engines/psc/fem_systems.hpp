// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "grid/element.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// The stiffness matrix of −∆ on a refined mesh, element by element.
inline Problem problem_on(CoarseMesh coarse, int levels) {
  const auto mesh = std::make_shared<const RefinedMesh>(std::move(coarse), levels);
  Rows rows(static_cast<size_t>(mesh->unknowns()));
  const auto nodes = element_nodes(mesh->corners());
  for (int64_t c = 0; c < mesh->cells(); ++c) {
    const ElementMatrix k = element_stiffness(mesh->corners(), shape_of(mesh->sides(c)));
    for_each_element(mesh->corners(), mesh->steps(), [&](int64_t i, int64_t j, int sign) {
      int64_t unknown[4];
      for (int a = 0; a < mesh->corners(); ++a)
        unknown[a] = mesh->unknown(c, i + sign * nodes[a][0], j + sign * nodes[a][1]);
      for (int a = 0; a < mesh->corners(); ++a)
        for (int b = 0; b < mesh->corners(); ++b)
          if (unknown[a] >= 0 && unknown[b] >= 0) rows[unknown[a]][static_cast<int32_t>(unknown[b])] += k[a][b];
    });
  }
  Problem problem = problem_of(rows);
  problem.structure = mesh;
  return problem;
}

/// A strip of rectangles of two shapes and one of right triangles that are no halves of squares: several groups.
inline CoarseMesh strip_of_rectangles() {
  return {4,
          {{0, 0}, {1, 0}, {3, 0}, {4, 0}, {0, 1}, {1, 1}, {3, 1}, {4, 1}, {0, 2}, {1, 2}},
          {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 9, 8}}};
}

}  // namespace gridiron::test
