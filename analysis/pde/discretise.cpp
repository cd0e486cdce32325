// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/discretise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "grid/finite_volumes.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Sources and inflow must cancel. A quadrature with spacing h misses compatible data by a multiple of h²; where the
/// data are not known to be compatible, a coarse grid is no excuse. Distributes the imbalance evenly and returns it as
/// a fraction of the total flow.
double balance(const RegularGrid& grid, bool is_known_compatible, std::span<double> b) {
  constexpr double kQuadrature = 4, kMostUnexplained = 0.01;
  double sum = 0, magnitude = 0, step = 0, box = 1;
  for (const double value : b) sum += value, magnitude += std::abs(value);
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const double steps = grid.steps(axis);
    step = std::max(step, 1 / steps);
    box *= steps * grid.spacing[axis];
  }
  const double quadrature = kQuadrature * step * step;
  const double allowed = is_known_compatible ? quadrature : std::min(quadrature, kMostUnexplained);
  if (std::abs(sum) > std::max(1e-12, allowed) * magnitude)
    throw input_error(
        "Neumann conditions on all faces: inflow and sources must cancel, but {:.6g} is left, "
        "{:.2g} % of all that flows; change a flux, make a face Dirichlet, or give a shift",
        sum, 100 * std::abs(sum) / magnitude);
  const FiniteVolumes volumes(grid);
  for (int64_t i = 0; i < volumes.unknowns(); ++i) b[i] -= sum / box * volumes.volume_of(volumes.index_of(i));
  return magnitude > 0 ? std::abs(sum) / magnitude : 0;
}

double least(const std::vector<double>& values) { return *std::ranges::min_element(values); }

}  // namespace

CsrMatrix assemble(const RegularGrid& grid) {
  const FiniteVolumes volumes(grid);
  CsrMatrix matrix;
  matrix.rows = volumes.unknowns();
  matrix.row_ptr.assign(matrix.rows + 1, 0);
  parallel_each(matrix.rows, [&](int64_t row) {
    int64_t entries = 1;
    volumes.for_each_face(volumes.index_of(row),
                          [&](const FiniteVolumes::Face& face) { entries += face.neighbour >= 0; });
    matrix.row_ptr[row + 1] = entries;
  });
  for (int64_t row = 0; row < matrix.rows; ++row) matrix.row_ptr[row + 1] += matrix.row_ptr[row];
  matrix.col.resize(matrix.nonzeros());
  matrix.value.resize(matrix.nonzeros());
  parallel_each(matrix.rows, [&](int64_t row) {
    const RegularGrid::Index at = volumes.index_of(row);
    double diagonal = -grid.shift * volumes.volume_of(at);
    int64_t next = matrix.row_ptr[row], diagonal_at = next;
    volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
      diagonal += face.conductance;
      if (face.neighbour < 0) return;
      const bool is_lower = face.neighbour < row;
      diagonal_at += is_lower;
      const int64_t k = next++ + !is_lower;
      matrix.col[k] = static_cast<int32_t>(face.neighbour);
      matrix.value[k] = -face.conductance;
    });
    matrix.col[diagonal_at] = static_cast<int32_t>(row);
    matrix.value[diagonal_at] = diagonal;
  });
  if (const int64_t grounded = grid.grounded_unknown(); grounded >= 0)
    for (int64_t k = matrix.row_ptr[grounded]; k < matrix.row_ptr[grounded + 1]; ++k)
      if (matrix.col[k] == grounded) matrix.value[k] *= 2;
  return matrix;
}

double eigenvalue_bound(const RegularGrid& grid) {
  // The lowest mode spans half a wavelength between two Dirichlet faces, and a quarter if one face is a Neumann face.
  std::array<double, 3> cosine{1, 1, 1};
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const int fixed = (grid.boundary[axis][0] == RegularGrid::Boundary::dirichlet) +
                      (grid.boundary[axis][1] == RegularGrid::Boundary::dirichlet);
    const double steps = grid.steps(axis);
    cosine[axis] = std::cos(std::numbers::pi / 2 * fixed / steps);
  }
  double bound = 0;
  if (grid.stencil == RegularGrid::Stencil::axes) {
    for (int axis = 0; axis < grid.dimensions; ++axis)
      bound += least(grid.sigma[axis]) * 2 * (1 - cosine[axis]) / (grid.spacing[axis] * grid.spacing[axis]);
    return bound;
  }
  for (int offset = 0; offset < (grid.dimensions == 2 ? 9 : 27); ++offset) {
    const std::array<int, 3> along{offset % 3, offset / 3 % 3,
                                   grid.dimensions == 2 ? 1 : offset / 9};  // 1 is the point itself
    int steps = 0;
    double wave = 1;
    for (int axis = 0; axis < grid.dimensions; ++axis)
      if (along[axis] != 1) ++steps, wave *= cosine[axis];
    if (steps > 0) bound += (1 - wave) / std::sqrt(steps);
  }
  const double h = grid.spacing[0];
  return bound * radial_factor(grid.dimensions) * least(grid.sigma[0]) / (h * h);
}

std::vector<double> right_hand_side(const PdeModel& model, int component, double* unbalanced) {
  const FiniteVolumes volumes(model.grid);
  std::vector<double> b(volumes.unknowns(), 0.0);
  parallel_each(volumes.unknowns(), [&](int64_t row) {
    const RegularGrid::Index at = volumes.index_of(row);
    if (model.source) b[row] = -model.source(volumes.place_of(at)) * volumes.volume_of(at);
    if (!model.spread.empty()) b[row] -= model.spread[component][model.grid.number(at)];
    if (model.flux)
      volumes.for_each_wall(at, [&](int axis, int end, double area, const Point& place) {
        b[row] += area * model.flux(place, axis, end);
      });
    if (model.boundary)
      volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
        if (face.neighbour < 0) b[row] += face.conductance * model.boundary(face.boundary);
      });
  });
  const bool is_level_free = model.grid.grounded_unknown() >= 0;
  const double left_over = is_level_free ? balance(model.grid, static_cast<bool>(model.exact), b) : 0;
  if (unbalanced) *unbalanced = left_over;
  return b;
}

void remove_mean(const RegularGrid& grid, std::span<double> solution) {
  const FiniteVolumes volumes(grid);
  double sum = 0, box = 0;
  for (int64_t i = 0; i < volumes.unknowns(); ++i) {
    const double volume = volumes.volume_of(volumes.index_of(i));
    sum += volume * solution[i];
    box += volume;
  }
  for (double& value : solution) value -= sum / box;
}

double system_bytes(const RegularGrid::Index& size, int dimensions, RegularGrid::Stencil stencil, int components,
                    int values_per_point) {
  const double points = static_cast<double>(size[0]) * size[1] * size[2];
  const double entry = sizeof(double) + sizeof(int32_t), row = sizeof(int64_t);
  const double vectors = (2.0 * components + values_per_point) * sizeof(double);
  const double entries = stencil == RegularGrid::Stencil::axes ? 2 * dimensions + 1 : dimensions == 2 ? 9 : 27;
  return points * (entries * entry + row + vectors);
}

}  // namespace gridiron
