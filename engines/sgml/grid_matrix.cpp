// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/grid_matrix.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "grid/finite_volumes.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron::sgml {
namespace {

constexpr int64_t kLinesPerTask = 64;
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

bool is_rounded(double value, double expected) { return std::abs(value - expected) <= kRounding * std::abs(expected); }

/// Calls f(line, y, z) for every line of unknowns.
void for_each_line(const Lattice& lattice, auto&& f) {
  parallel_each(
      lattice.lines(), [&](int64_t line) { f(line, lattice.y_of(line), lattice.z_of(line)); }, kLinesPerTask);
}

/// Calls f(row, x, y, z) for every unknown.
template <class F>
void for_each_unknown(const Lattice& lattice, F&& f) {
  const int64_t nx = lattice.unknowns(0);
  for_each_line(lattice, [&](int64_t line, int64_t y, int64_t z) {
    for (int64_t x = 0; x < nx; ++x) f(line * nx + x, x, y, z);
  });
}

bool is_unknown(const Lattice& l, int64_t x, int64_t y, int64_t z) {
  return x >= 0 && x < l.unknowns(0) && y >= 0 && y < l.unknowns(1) && z >= 0 && z < l.unknowns(2);
}

double share(const Lattice& l, int64_t x, int64_t y, int64_t z) {
  return l.share(0, x) * l.share(1, y) * l.share(2, z);
}

RegularGrid::Index point(const Lattice& l, int64_t x, int64_t y, int64_t z) {
  return {l.point_of(0, x), l.point_of(1, y), l.point_of(2, z)};
}

double cell(const RegularGrid& grid) { return grid.spacing[0] * grid.spacing[1] * grid.spacing[2]; }

/// Σ over all neighbours of an inner point.
double sum_around(const StencilData& data) {
  double sum = 0;
  for (unsigned axes = 1; axes < kAxisSets; ++axes) sum += (1 << std::popcount(axes)) * data.weight[axes];
  return sum;
}

/// A uniform stencil without its diagonal: conductances between inner points.
StencilData uniform_conductances(const RegularGrid& grid, const StencilWeights& weights) {
  StencilData data{.lattice = lattice_of(grid), .all_around = weights.all_around};
  const FiniteVolumes volumes(grid, weights);
  double to[FiniteVolumes::kMostNeighbours];
  volumes.conductances({1, 1, grid.dimensions == 3 ? 1 : 0}, to);
  for (size_t n = 0; n < volumes.neighbours().size(); ++n) data.weight[volumes.neighbours()[n].axes()] = to[n];
  return data;
}

/// Fields of a stencil that varies, all zero.
StencilData empty_fields(const Lattice& lattice, bool all_around) {
  StencilData data{.lattice = lattice, .all_around = all_around, .uniform = false};
  data.conductance.assign(half_neighbour_count(lattice.dimensions, all_around),
                          std::vector<double>(lattice.size(), 0.0));
  data.diagonals.assign(lattice.size(), 0.0);
  return data;
}

/// The problem's matrix without its ground.
struct FreeMatrix {
  const CsrMatrix& csr;
  Ground ground;
};

/// Calls off_diagonal(neighbour, a_ij) for each neighbour of an unknown, in the order of the matrix, and returns a_ii.
/// Errors: SolverError when the row has other entries.
double read_row(const FreeMatrix& free, const Lattice& l, const std::vector<StencilOffset>& neighbours, int64_t row,
                int64_t x, int64_t y, int64_t z, auto&& off_diagonal) {
  const CsrMatrix& a = free.csr;
  const int64_t nx = l.unknowns(0), nxy = nx * l.unknowns(1);
  int64_t k = a.row_ptr[row];
  const int64_t end = a.row_ptr[row + 1];
  const auto next = [&](int64_t column) {
    if (k == end || a.col[k] != column)
      throw solver_error("sgml: row {} of the matrix does not match its regular grid", row);
    return a.value[k++];
  };
  const size_t half = neighbours.size() / 2;
  double diagonal = 0;
  for (size_t n = 0; n <= neighbours.size(); ++n) {
    if (n == half) diagonal = next(row) - (row == free.ground.unknown ? free.ground.conductance : 0);
    if (n == neighbours.size()) break;
    const StencilOffset& o = neighbours[n];
    if (is_unknown(l, x + o.x, y + o.y, z + o.z)) off_diagonal(n, next(row + o.x + o.y * nx + o.z * nxy));
  }
  if (k != end) throw solver_error("sgml: row {} of the matrix has more entries than its grid allows", row);
  return diagonal;
}

/// The row of a uniform matrix shared by all unknowns of a line except the first and last.
class InnerRow {
 public:
  InnerRow(const StencilData& data, const FiniteVolumes& volumes, int64_t y, int64_t z) {
    const Lattice& l = data.lattice;
    const int64_t nx = l.unknowns(0), nxy = nx * l.unknowns(1);
    double to[FiniteVolumes::kMostNeighbours];
    volumes.conductances({1, l.point_of(1, y), l.point_of(2, z)}, to);
    const auto add = [&](int64_t column, double value) {
      column_[count_] = column;
      value_[count_++] = value;
    };
    const std::vector<StencilOffset>& neighbours = volumes.neighbours();
    for (size_t n = 0; n < neighbours.size(); ++n) {
      if (2 * n == neighbours.size()) add(0, data.diagonal * l.share(1, y) * l.share(2, z));
      const StencilOffset& o = neighbours[n];
      if (is_unknown(l, 0, y + o.y, z + o.z)) add(o.x + o.y * nx + o.z * nxy, -to[n]);
    }
  }
  /// Whether a row of the matrix equals this one up to rounding.
  bool is_row(const CsrMatrix& a, int64_t row) const {
    const int64_t begin = a.row_ptr[row];
    if (a.row_ptr[row + 1] - begin != count_) return false;
    bool is_same = true;
    for (int k = 0; k < count_; ++k)
      is_same &= (a.col[begin + k] == row + column_[k]) & is_rounded(a.value[begin + k], value_[k]);
    return is_same;
  }

 private:
  int count_ = 0;
  int64_t column_[27];
  double value_[27];
};

/// The problem's matrix as a uniform stencil, if it is one.
std::optional<StencilData> uniform_stencil(const FreeMatrix& a, const RegularGrid& grid, const StencilWeights& weights,
                                           Reaction& reaction) {
  StencilData data = uniform_conductances(grid, weights);
  const FiniteVolumes volumes(grid, weights);
  const Lattice& l = data.lattice;
  const double around = sum_around(data), of_grid = reaction.density * cell(grid);
  const int64_t middle = l.unknowns() / 2, nx = l.unknowns(0), middle_line = middle / nx;
  const int64_t x0 = middle % nx, y0 = l.y_of(middle_line), z0 = l.z_of(middle_line);
  data.diagonal =
      read_row(a, l, volumes.neighbours(), middle, x0, y0, z0, [](size_t, double) {}) / share(l, x0, y0, z0);
  if (!(data.diagonal > 0)) return std::nullopt;
  const bool is_of_grid = std::abs(data.diagonal - around - of_grid) <= kRounding * data.diagonal;
  if (is_of_grid) data.diagonal = around + of_grid;

  const auto row_fits = [&](int64_t row, int64_t x, int64_t y, int64_t z) {
    double to[FiniteVolumes::kMostNeighbours];
    volumes.conductances(point(l, x, y, z), to);
    bool fits = true;
    const double diagonal = read_row(a, l, volumes.neighbours(), row, x, y, z,
                                     [&](size_t n, double value) { fits = fits && is_rounded(-value, to[n]); });
    return fits && is_rounded(diagonal, data.diagonal * share(l, x, y, z));
  };
  std::atomic<bool> fits = true;
  for_each_line(l, [&](int64_t line, int64_t y, int64_t z) {
    if (!fits.load(std::memory_order_relaxed)) return;
    const InnerRow inner(data, volumes, y, z);
    for (int64_t x = 0; x < nx; ++x) {
      const int64_t row = line * nx + x;
      const bool is_inner = x > 0 && x + 1 < nx;
      if (!(is_inner && inner.is_row(a.csr, row)) && !row_fits(row, x, y, z)) fits = false;
    }
  });
  if (!fits) return std::nullopt;
  if (!is_of_grid) reaction.density = (data.diagonal - around) / cell(grid);
  return data;
}

/// The problem's matrix as fields of conductances; what its diagonal has beyond those given by σ is reaction.
StencilData variable_stencil(const FreeMatrix& a, const RegularGrid& grid, const StencilWeights& weights,
                             Reaction& reaction) {
  const FiniteVolumes volumes(grid, weights);
  StencilData data = empty_fields(lattice_of(grid), weights.all_around);
  const Lattice& l = data.lattice;
  const size_t half = data.conductance.size();
  std::vector<double> reactions(l.unknowns());
  std::atomic<bool> is_of_grid = true;
  for_each_unknown(l, [&](int64_t row, int64_t x, int64_t y, int64_t z) {
    const int64_t at = l.at(x, y, z);
    const double diagonal = read_row(a, l, volumes.neighbours(), row, x, y, z, [&](size_t n, double value) {
      if (n >= half) data.conductance[n - half][at] = -value;
    });
    if (!(diagonal > 0))
      throw solver_error("sgml: diagonal entry {} of the matrix is {}, must be positive", row, diagonal);
    data.diagonals[at] = diagonal;
    double to[FiniteVolumes::kMostNeighbours];
    const RegularGrid::Index p = point(l, x, y, z);
    const double beyond = diagonal - volumes.conductances(p, to), rounding = kRounding * diagonal;
    if (std::abs(beyond - reaction.density * volumes.volume_of(p)) > rounding) is_of_grid = false;
    reactions[row] = std::abs(beyond) <= rounding ? 0.0 : beyond;
  });
  if (!is_of_grid) reaction.integrated = std::move(reactions);
  return data;
}

}  // namespace

Lattice lattice_of(const RegularGrid& grid) {
  Lattice lattice;
  lattice.dimensions = grid.dimensions;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    lattice.points[axis] = grid.size[axis];
    for (int end = 0; end < 2; ++end)
      lattice.fixed[axis][end] = grid.boundary[axis][end] == RegularGrid::Boundary::dirichlet;
  }
  return lattice;
}

int64_t entries_of(const Lattice& lattice, bool all_around) {
  int64_t all = 1, along_axes = lattice.unknowns();
  for (int axis = 0; axis < 3; ++axis) {
    all *= 3 * lattice.unknowns(axis) - 2;
    along_axes += 2 * (lattice.unknowns() - lattice.unknowns() / lattice.unknowns(axis));
  }
  return all_around ? all : along_axes;
}

Ground ground_of(const Problem& problem) {
  const int64_t unknown = problem.regular_grid()->grounded_unknown();
  if (unknown < 0) return {};
  const CsrMatrix& a = problem.matrix;
  double diagonal = 0, sum = 0;
  for (int64_t k = a.row_ptr[unknown]; k < a.row_ptr[unknown + 1]; ++k) {
    sum += a.value[k];
    if (a.col[k] == unknown) diagonal = a.value[k];
  }
  if (std::abs(sum - diagonal / 2) > kRounding * diagonal) return {};
  return {unknown, diagonal / 2};
}

StencilData stencil_of(const RegularGrid& grid, const StencilWeights& weights, const Reaction& reaction) {
  if (is_uniform(grid) && reaction.integrated.empty()) {
    StencilData data = uniform_conductances(grid, weights);
    data.diagonal = sum_around(data) + reaction.density * cell(grid);
    return data;
  }
  const FiniteVolumes volumes(grid, weights);
  StencilData data = empty_fields(lattice_of(grid), weights.all_around);
  const Lattice& l = data.lattice;
  const size_t half = data.conductance.size();
  for_each_unknown(l, [&](int64_t row, int64_t x, int64_t y, int64_t z) {
    const int64_t at = l.at(x, y, z);
    const RegularGrid::Index p = point(l, x, y, z);
    double to[FiniteVolumes::kMostNeighbours];
    const double around = volumes.conductances(p, to);
    for (size_t k = 0; k < half; ++k) data.conductance[k][at] = to[half + k];
    data.diagonals[at] =
        around + (reaction.integrated.empty() ? reaction.density * volumes.volume_of(p) : reaction.integrated[row]);
  });
  return data;
}

StencilData stencil_of(const Problem& problem, Reaction& reaction) {
  const RegularGrid& grid = *problem.regular_grid();
  const bool along_axes = problem.matrix.nonzeros() == entries_of(lattice_of(grid), false);
  const StencilWeights weights =
      along_axes ? weights_along_axes(StencilWeights::Mean::harmonic) : radial_weights(grid.dimensions);
  const FreeMatrix matrix{problem.matrix, ground_of(problem)};
  reaction = {-grid.shift, {}};
  if (is_uniform(grid))
    if (auto uniform = uniform_stencil(matrix, grid, weights, reaction)) return std::move(*uniform);
  return variable_stencil(matrix, grid, weights, reaction);
}

}  // namespace gridiron::sgml
