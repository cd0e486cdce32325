// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/coordinates.hpp"

#include <cmath>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Gives each node without a place that of the nearest node with one, in steps along couplings; the origin to those
/// that none is coupled to. `placed` holds the nodes with a place, in the order of their numbers.
void spread_places(const CsrMatrix& a, Coordinates& places, std::vector<int32_t> placed) {
  std::vector<bool> has_place(a.rows);
  for (const int32_t node : placed) has_place[node] = true;
  for (size_t k = 0; k < placed.size(); ++k) {
    const int32_t node = placed[k];
    for (int64_t e = a.row_ptr[node]; e < a.row_ptr[node + 1]; ++e) {
      const int32_t next = a.col[e];
      if (next >= a.rows || has_place[next]) continue;  // a row of another process
      has_place[next] = true;
      for (int axis = 0; axis < places.axes; ++axis) places.at[axis][next] = places.at[axis][node];
      placed.push_back(next);
    }
  }
}

std::optional<Coordinates> coordinates_of(const Geometry& geometry, const CsrMatrix& a) {
  const int64_t n = a.rows;
  if (n == 0 || std::ssize(geometry.x_um) != n) return std::nullopt;
  Coordinates places;
  for (int axis = 0; axis < 2; ++axis) places.at[axis].resize(n);
  std::vector<int32_t> placed;
  bool all = true;
  for (int64_t i = 0; i < n; ++i) {
    const float x = geometry.x_um[i], y = geometry.y_um[i];
    const bool is_placed = std::isfinite(x) && std::isfinite(y);
    if (!is_placed && all) {
      all = false;
      for (int32_t before = 0; before < i; ++before) placed.push_back(before);
    }
    if (!is_placed) continue;
    places.at[0][i] = x;
    places.at[1][i] = y;
    if (!all) placed.push_back(static_cast<int32_t>(i));
  }
  if (all) return places;
  if (2 * std::ssize(placed) < n) return std::nullopt;
  spread_places(a, places, std::move(placed));
  return places;
}

Coordinates coordinates_of(const RegularGrid& grid) {
  Coordinates places;
  places.axes = grid.dimensions;
  for (int axis = 0; axis < places.axes; ++axis) places.at[axis].resize(grid.unknowns());
  const int64_t nx = grid.unknowns(0), ny = grid.unknowns(1);
  parallel_each(grid.unknowns(), [&](int64_t i) {
    const int64_t point[3] = {i % nx, i / nx % ny, i / nx / ny};
    for (int axis = 0; axis < places.axes; ++axis) places.at[axis][i] = static_cast<float>(point[axis]);
  });
  return places;
}

Coordinates coordinates_of(const RefinedMesh& mesh) {
  Coordinates places;
  for (int axis = 0; axis < 2; ++axis) places.at[axis].resize(mesh.unknowns());
  for (int64_t cell = 0; cell < mesh.cells(); ++cell)
    for (int64_t j = 0; j <= mesh.steps(); ++j)
      for (int64_t i = 0; mesh.has(i, j); ++i) {
        const int64_t unknown = mesh.unknown(cell, i, j);
        if (unknown < 0) continue;
        const Place place = mesh.place(cell, i, j);
        for (int axis = 0; axis < 2; ++axis) places.at[axis][unknown] = static_cast<float>(place[axis]);
      }
  return places;
}

}  // namespace

std::optional<Coordinates> coordinates_of(const Problem& problem) {
  if (const auto* power = std::get_if<PowerGrid>(&problem.structure))
    return coordinates_of(power->geometry, problem.matrix);
  const RegularGrid* grid = problem.regular_grid();
  if (grid && grid->unknowns() == problem.matrix.rows) return coordinates_of(*grid);
  const RefinedMesh* mesh = problem.refined_mesh();
  if (mesh && mesh->unknowns() == problem.matrix.rows) return coordinates_of(*mesh);
  return std::nullopt;
}

}  // namespace gridiron
