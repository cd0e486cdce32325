// SPDX-License-Identifier: Apache-2.0
#include "regularize/grid_shape.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

std::vector<int32_t> metals_of(const PartSurvey& part) {
  std::vector<int32_t> metals;
  for (int32_t layer = -1; layer < kMostLayers; ++layer)
    if (part.layers >> (layer + 1) & 1) metals.push_back(layer);
  return metals;
}

/// Steps from cell to cell per unit of length, in a box of w by h units of which one is 1 and none is larger, such that
/// (w u + 1) (h u + 1) = cells.
double steps_per_unit(double w, double h, double cells) {
  if (cells <= 1) return 0;
  const double more = cells - 1;
  return 2 * more / (w + h + std::sqrt((w + h) * (w + h) + 4 * w * h * more));
}

/// The cell width follows from the distance of the outermost nodes, which are at the centres of the outermost cells; 0
/// if they coincide.
double pitch_of(double extent_um, int32_t cells) { return cells > 1 ? extent_um / (cells - 1) : extent_um; }

double start_of(double first_um, double last_um, int32_t cells, double pitch_um) {
  return first_um + (last_um - first_um) / 2 - cells * pitch_um / 2;
}

int32_t padded(int32_t used, int tile) { return used == 1 ? 1 : (used + tile - 1) / tile * tile; }

}  // namespace

GridTables empty_grid(const PartSurvey& part, const RegularizeOptions& options) {
  constexpr double kMostSteps = 1e9;
  GridTables grid;
  grid.net = part.net;
  grid.metal = options.single_plane ? std::vector<int32_t>{-1} : metals_of(part);
  grid.layers = static_cast<int32_t>(grid.metal.size());

  const double width = part.right - part.left, height = part.top - part.bottom, unit = std::max(width, height);
  const double nodes = options.single_plane ? part.places : part.nodes;
  if (unit > 0) {
    const double w = width / unit, h = height / unit;
    const double u = steps_per_unit(w, h, options.grid_scale * nodes / grid.layers);
    grid.used_nx = static_cast<int32_t>(1 + std::min(std::round(w * u), kMostSteps));
    grid.used_ny = static_cast<int32_t>(1 + std::min(std::round(h * u), kMostSteps));
  } else {
    grid.used_nx = grid.used_ny = 1;
  }
  grid.nx = padded(grid.used_nx, options.tile);
  grid.ny = padded(grid.used_ny, options.tile);

  grid.pitch_x_um = pitch_of(width, grid.used_nx);
  grid.pitch_y_um = pitch_of(height, grid.used_ny);
  if (grid.pitch_x_um == 0) grid.pitch_x_um = grid.pitch_y_um > 0 ? grid.pitch_y_um : 1;
  if (grid.pitch_y_um == 0) grid.pitch_y_um = grid.pitch_x_um;
  grid.x0_um = start_of(part.left, part.right, grid.used_nx, grid.pitch_x_um);
  grid.y0_um = start_of(part.bottom, part.top, grid.used_ny, grid.pitch_y_um);
  return grid;
}

}  // namespace gridiron
