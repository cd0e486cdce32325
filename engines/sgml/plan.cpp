// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron::sgml {
namespace {

constexpr std::int64_t kLinesPerTask = 64;
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

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

bool is_constant(const std::vector<double>& field) {
  return std::all_of(field.begin(), field.end(), [&](double v) { return v == field[0]; });
}

Coefficients coefficients_of(const RegularGrid& grid) {
  const bool uniform = is_constant(grid.sigma[0]);
  Coefficients c{.lattice = lattice_of(grid)};
  if (!uniform) c.sigma = grid.sigma[0];
  const double volume = grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  for (int axis = 0; axis < grid.dimensions; ++axis)
    c.unit[axis] = (uniform ? grid.sigma[axis][0] : 1.0) * volume / (grid.spacing[axis] * grid.spacing[axis]);
  c.reaction = {-grid.shift * volume};
  return c;
}

/// Entries of a matrix that couples every unknown with all its neighbours.
std::int64_t entries_of(const Lattice& lattice, bool all_around) {
  std::int64_t all = 1, along_axes = lattice.unknowns();
  for (int axis = 0; axis < 3; ++axis) {
    all *= 3 * lattice.unknowns(axis) - 2;
    along_axes += 2 * (lattice.unknowns() - lattice.unknowns() / lattice.unknowns(axis));
  }
  return all_around ? all : along_axes;
}

bool couples_all_around(const Problem& problem, const Lattice& lattice) {
  return problem.matrix.nonzeros() != entries_of(lattice, false);
}

std::vector<Offset> all_neighbours(int dimensions, bool all_around) {
  const std::vector<Offset> half = half_neighbours(dimensions, all_around);
  std::vector<Offset> all;
  for (auto o = half.rbegin(); o != half.rend(); ++o) all.push_back({-o->x, -o->y, -o->z});
  all.insert(all.end(), half.begin(), half.end());
  return all;
}

std::int64_t point_index(const Lattice& lattice, std::int64_t x, std::int64_t y, std::int64_t z) {
  return (z * lattice.points[1] + y) * lattice.points[0] + x;
}

using Weights = std::array<double, kAxisSets>;

/// Σ over all neighbours of an inner point.
double sum_around(const Weights& weight) {
  double sum = 0;
  for (unsigned axes = 1; axes < kAxisSets; ++axes) sum += (1 << std::popcount(axes)) * weight[axes];
  return sum;
}

bool is_isotropic(const Coefficients& c) {
  const auto [low, high] = std::minmax_element(c.unit.begin(), c.unit.begin() + c.lattice.dimensions);
  return *high <= *low * (1 + 1e-9);
}

Weights weights_along_axes(const Coefficients& c) {
  Weights weight{};
  for (int axis = 0; axis < c.lattice.dimensions; ++axis) weight[1 << axis] = c.unit[axis];
  return weight;
}

/// Eq. (5) with the factor that makes it consistent.
Weights radial_weights(const Coefficients& c) {
  const double s = radial_factor(c.lattice.dimensions);
  Weights weight{};
  for (unsigned axes = 1; axes < (1u << c.lattice.dimensions); ++axes)
    weight[axes] = c.unit[0] * s / std::sqrt(std::popcount(axes));
  return weight;
}

/// All around, for a fine grid that couples along the axes only. Eq. (5) suits a fine grid with the same stencil; here
/// modes along axes and along diagonals are wrong by the same share after full weighting and linear interpolation when
/// (edges + 2 corners) = 1, in shares of the Laplacian. In 3-D that takes 7-point problems from 20- to 40-fold
/// reduction per cycle.
Weights balanced_weights(const Coefficients& c) {
  Weights weight{};
  for (unsigned axes = 1; axes < (1u << c.lattice.dimensions); ++axes) {
    const int distance = std::popcount(axes);
    if (c.lattice.dimensions == 2)
      weight[axes] = c.unit[0] * (distance == 1 ? 0.5 : 0.25);
    else
      weight[axes] = c.unit[0] * (distance == 1 ? 0.4 : distance == 2 ? 0.05 : 0.1);
  }
  return weight;
}

/// Part of a conductance that depends on where it is: a point on a face owns half a cell there.
double share_along(const Lattice& lattice, const Offset& o, std::int64_t x, std::int64_t y, std::int64_t z) {
  return (o.x == 0 ? lattice.share(0, x) : 1) * (o.y == 0 ? lattice.share(1, y) : 1) *
         (o.z == 0 ? lattice.share(2, z) : 1);
}

enum class Mean { arithmetic, harmonic };

double mean_of(Mean mean, double p, double q) { return mean == Mean::arithmetic ? (p + q) / 2 : harmonic_mean(p, q); }

/// Conductances as a discretisation of ∇·(σ∇u) has them: to neighbours that are unknowns or known, none beyond a
/// Neumann face.
class Discretisation {
 public:
  static constexpr std::size_t kMostNeighbours = 26;

  Discretisation(const Coefficients& c, bool all_around, const Weights& weight, Mean mean)
      : c_(c), neighbours_(all_neighbours(c.lattice.dimensions, all_around)), mean_(mean) {
    for (const Offset& o : neighbours_) {
      weight_.push_back(weight[o.axes()]);
      step_.push_back(c.sigma.size() > 1 ? point_index(c.lattice, o.x, o.y, o.z) : 0);
    }
  }

  const std::vector<Offset>& neighbours() const { return neighbours_; }

  /// From unknown (x, y, z) to each of its neighbours, 0 where there is none; returns their sum.
  double conductances(std::int64_t x, std::int64_t y, std::int64_t z, double (&to)[kMostNeighbours]) const {
    const Lattice& l = c_.lattice;
    const std::int64_t p[3] = {l.point_of(0, x), l.point_of(1, y), l.point_of(2, z)};
    bool is_inside = true;
    for (int axis = 0; axis < l.dimensions; ++axis) is_inside &= p[axis] > 0 && p[axis] + 1 < l.points[axis];
    const double* const sigma = c_.sigma.data() + (c_.sigma.size() > 1 ? point_index(l, p[0], p[1], p[2]) : 0);
    double sum = 0;
    for (std::size_t n = 0; n < neighbours_.size(); ++n) {
      const Offset& o = neighbours_[n];
      to[n] = 0;
      if (is_inside || is_point(l, p, o))
        to[n] = mean_of(mean_, sigma[0], sigma[step_[n]]) * weight_[n] * (is_inside ? 1 : share_along(l, o, x, y, z));
      sum += to[n];
    }
    return sum;
  }

 private:
  static bool is_point(const Lattice& l, const std::int64_t (&p)[3], const Offset& o) {
    const std::int64_t q[3] = {p[0] + o.x, p[1] + o.y, p[2] + o.z};
    for (int axis = 0; axis < 3; ++axis)
      if (q[axis] < 0 || q[axis] >= l.points[axis]) return false;
    return true;
  }

  const Coefficients& c_;
  std::vector<Offset> neighbours_;
  std::vector<double> weight_;
  std::vector<std::int64_t> step_;  ///< to the neighbour's σ
  Mean mean_;
};

/// Calls f(row, x, y, z) for every unknown.
template <class F>
void for_each_unknown(const Lattice& lattice, F&& f) {
  const std::int64_t nx = lattice.unknowns(0);
  parallel_ranges(
      lattice.lines(),
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t line = first; line < last; ++line)
          for (std::int64_t x = 0; x < nx; ++x) f(line * nx + x, x, lattice.y_of(line), lattice.z_of(line));
      },
      kLinesPerTask);
}

bool is_unknown(const Lattice& l, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && x < l.unknowns(0) && y >= 0 && y < l.unknowns(1) && z >= 0 && z < l.unknowns(2);
}

/// The problem's matrix without its ground.
struct FreeMatrix {
  const CsrMatrix& csr;
  Ground ground;
};

/// Calls off_diagonal(offset index, a_ij) for each neighbour of an unknown, in the order of the matrix, and returns
/// a_ii. Errors: SolverError when the row has other entries.
template <class F>
double read_row(const FreeMatrix& free, const Lattice& l, const std::vector<Offset>& neighbours, std::int64_t row,
                std::int64_t x, std::int64_t y, std::int64_t z, F&& off_diagonal) {
  const CsrMatrix& a = free.csr;
  const std::int64_t nx = l.unknowns(0), nxy = nx * l.unknowns(1);
  std::int64_t k = a.row_ptr[row];
  const std::int64_t end = a.row_ptr[row + 1];
  const auto next = [&](std::int64_t column) {
    if (k == end || a.col[k] != column)
      throw SolverError(fmt::format("sgml: row {} of the matrix does not fit the grid it is said to come from", row));
    return a.value[k++];
  };
  const std::size_t half = neighbours.size() / 2;
  double diagonal = 0;
  for (std::size_t n = 0; n <= neighbours.size(); ++n) {
    if (n == half) diagonal = next(row) - (row == free.ground.unknown ? free.ground.conductance : 0);
    if (n == neighbours.size()) break;
    const Offset& o = neighbours[n];
    if (is_unknown(l, x + o.x, y + o.y, z + o.z)) off_diagonal(n, next(row + o.x + o.y * nx + o.z * nxy));
  }
  if (k != end)
    throw SolverError(fmt::format("sgml: row {} of the matrix has more entries than the grid gives it", row));
  return diagonal;
}

bool is_rounded(double value, double expected) { return std::abs(value - expected) <= kRounding * std::abs(expected); }

/// The row of a uniform matrix that all unknowns of a line share but its first and last.
class InnerRow {
 public:
  InnerRow(const StencilData& data, const std::vector<Offset>& neighbours, std::int64_t y, std::int64_t z) {
    const Lattice& l = data.lattice;
    const std::int64_t nx = l.unknowns(0), nxy = nx * l.unknowns(1);
    const auto add = [&](std::int64_t column, double value) {
      column_[count_] = column;
      value_[count_++] = value;
    };
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      if (2 * n == neighbours.size()) add(0, data.diagonal * l.share(1, y) * l.share(2, z));
      const Offset& o = neighbours[n];
      if (is_unknown(l, 0, y + o.y, z + o.z))
        add(o.x + o.y * nx + o.z * nxy,
            -data.weight[o.axes()] * (o.y == 0 ? l.share(1, y) : 1) * (o.z == 0 ? l.share(2, z) : 1));
    }
  }
  /// Whether a row of the matrix is this one, to rounding.
  bool is_row(const CsrMatrix& a, std::int64_t row) const {
    const std::int64_t begin = a.row_ptr[row];
    if (a.row_ptr[row + 1] - begin != count_) return false;
    bool is_same = true;
    for (int k = 0; k < count_; ++k)
      is_same &= (a.col[begin + k] == row + column_[k]) & is_rounded(a.value[begin + k], value_[k]);
    return is_same;
  }

 private:
  int count_ = 0;
  std::int64_t column_[27];
  double value_[27];
};

/// The problem's matrix as a uniform stencil, where it is one to rounding; sets `c.reaction` where the matrix has
/// another one than the grid.
std::optional<StencilData> read_uniform(const FreeMatrix& a, Coefficients& c, bool all_around, const Weights& weight) {
  const Lattice& l = c.lattice;
  StencilData data{.lattice = l, .all_around = all_around, .weight = weight};
  for (double& w : data.weight) w *= c.sigma[0];
  const double around = sum_around(data.weight);
  const std::vector<Offset> neighbours = all_neighbours(l.dimensions, all_around);
  const std::int64_t middle = l.unknowns() / 2, nx = l.unknowns(0), line = middle / nx;
  const auto share = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return l.share(0, x) * l.share(1, y) * l.share(2, z);
  };
  const auto diagonal_of = [&](std::int64_t row, std::int64_t x, std::int64_t y, std::int64_t z) {
    return read_row(a, l, neighbours, row, x, y, z, [](std::size_t, double) {});
  };
  const std::int64_t x0 = middle % nx, y0 = l.y_of(line), z0 = l.z_of(line);
  data.diagonal = diagonal_of(middle, x0, y0, z0) / share(x0, y0, z0);
  if (!(data.diagonal > 0)) return std::nullopt;
  if (std::abs(data.diagonal - around - c.reaction[0]) <= kRounding * data.diagonal)
    data.diagonal = around + c.reaction[0];

  const auto row_fits = [&](std::int64_t row, std::int64_t x, std::int64_t y, std::int64_t z) {
    bool fits = true;
    const double diagonal = read_row(a, l, neighbours, row, x, y, z, [&](std::size_t n, double value) {
      const Offset& o = neighbours[n];
      fits = fits && is_rounded(-value, data.weight[o.axes()] * share_along(l, o, x, y, z));
    });
    return fits && is_rounded(diagonal, data.diagonal * share(x, y, z));
  };
  std::atomic<bool> fits = true;
  parallel_ranges(
      l.lines(),
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t line = first; line < last && fits.load(std::memory_order_relaxed); ++line) {
          const std::int64_t y = l.y_of(line), z = l.z_of(line);
          const InnerRow inner(data, neighbours, y, z);
          for (std::int64_t x = 0; x < nx; ++x) {
            const std::int64_t row = line * nx + x;
            const bool is_inner = x > 0 && x + 1 < nx;
            if (!(is_inner && inner.is_row(a.csr, row)) && !row_fits(row, x, y, z)) fits = false;
          }
        }
      },
      kLinesPerTask);
  if (!fits) return std::nullopt;
  if (data.diagonal != around + c.reaction[0]) c.reaction = {data.diagonal - around};
  return data;
}

/// The problem's matrix as fields of conductances; what its diagonal has beyond those that σ explains is reaction:
/// that of the grid, to rounding, or `c.reaction` is set.
StencilData read_variable(const FreeMatrix& a, Coefficients& c, bool all_around, const Weights& weight) {
  const Lattice& l = c.lattice;
  const Discretisation expected(c, all_around, weight, all_around ? Mean::arithmetic : Mean::harmonic);
  StencilData data{.lattice = l, .all_around = all_around, .uniform = false};
  const std::size_t half = half_neighbour_count(l.dimensions, all_around);
  data.conductance.assign(half, std::vector<double>(l.size(), 0.0));
  data.diagonals.assign(l.size(), 0.0);
  std::vector<double> reactions(std::max<std::int64_t>(2, l.unknowns()));
  std::atomic<bool> is_of_grid = true;
  for_each_unknown(l, [&](std::int64_t row, std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t at = l.at(x, y, z);
    const double diagonal = read_row(a, l, expected.neighbours(), row, x, y, z, [&](std::size_t n, double value) {
      if (n >= half) data.conductance[n - half][at] = -value;
    });
    if (!(diagonal > 0))
      throw SolverError(fmt::format("sgml: diagonal entry {} of the matrix is {}, must be positive", row, diagonal));
    data.diagonals[at] = diagonal;
    double to[Discretisation::kMostNeighbours];
    const double reaction = diagonal - expected.conductances(x, y, z, to);
    const double of_grid = c.reaction[0] * l.share(0, x) * l.share(1, y) * l.share(2, z);
    const double rounding = kRounding * diagonal;
    if (std::abs(reaction - of_grid) > rounding) is_of_grid = false;
    reactions[row] = std::abs(reaction) <= rounding ? 0.0 : reaction;
  });
  if (!is_of_grid) c.reaction = std::move(reactions);
  return data;
}

/// Axes that couple much less than the strongest wait until those have caught up.
std::array<AxisMap, 3> coarsening(const Coefficients& c) {
  constexpr double kWeak = 0.3;
  double strongest = 0;
  for (int axis = 0; axis < c.lattice.dimensions; ++axis)
    if (c.lattice.points[axis] > 3) strongest = std::max(strongest, c.unit[axis]);
  std::array<AxisMap, 3> maps;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t points = c.lattice.points[axis];
    const bool coarsens = axis < c.lattice.dimensions && points > 3 && c.unit[axis] > kWeak * strongest;
    maps[axis] = {points, coarsens ? coarser(points) : points};
  }
  return maps;
}

/// Where high frequencies begin and the spectrum ends; measured, but for axes that are not alike.
Band band_of(const StencilData& stencil, bool isotropic) {
  const bool flat = stencil.lattice.dimensions == 2;
  if (stencil.all_around) return flat ? Band{0.67, 1.42} : Band{0.6, 1.45};
  if (!isotropic) return {0.25, 2.0};
  return flat ? Band{0.4, 2.0} : Band{0.18, 2.0};
}

}  // namespace

std::int64_t coarser(std::int64_t points) {
  if (points % 2 == 1) return (points + 1) / 2;
  std::int64_t intervals = 2;
  while (5 * (points - 1) >= 12 * intervals) intervals *= 2;  // coarser by 1.2 to 2.4
  return intervals + 1;
}

std::string embedding_note(const std::vector<LevelPlan>& levels) {
  for (const LevelPlan& level : levels)
    for (int axis = 0; axis < 3; ++axis) {
      const AxisMap& map = level.to_next[axis];
      if (map.is_nested()) continue;
      return fmt::format(
          "{} points along {} are not 2^n+1: {} of them are embedded in {} coarse ones, which costs some iterations",
          levels[0].to_next[axis].fine, "xyz"[axis], map.fine, map.coarse);
    }
  return {};
}

namespace {

std::optional<double> box_reaction_of(const Coefficients& c) {
  if (c.reaction.size() > 1) return std::nullopt;
  double sum = c.reaction[0];
  for (int axis = 0; axis < c.lattice.dimensions; ++axis) {
    if (c.lattice.fixed[axis][0] || c.lattice.fixed[axis][1]) return std::nullopt;
    sum *= static_cast<double>(c.lattice.points[axis] - 1);
  }
  return sum;
}

LevelPlan plan_of(const Coefficients& c, StencilData stencil) {
  const Band band = band_of(stencil, is_isotropic(c));
  return {std::move(stencil), band, coarsening(c), box_reaction_of(c)};
}

/// The fine points under the hat of each coarse point along an axis.
class Hats {
 public:
  struct Point {
    std::int64_t fine;
    double weight;
  };
  explicit Hats(const AxisMap& map) {
    for (std::int64_t c = 0; c < map.coarse; ++c) {
      begin_.push_back(points_.size());
      for (std::int64_t p = map.support_begin(c); p <= map.support_end(c); ++p)
        if (const double weight = map.hat(c, p); weight > 0) points_.push_back({p, weight});
    }
    begin_.push_back(points_.size());
  }
  std::span<const Point> of(std::int64_t coarse) const {
    return std::span(points_).subspan(begin_[coarse], begin_[coarse + 1] - begin_[coarse]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Point> points_;
};

}  // namespace

Coefficients restricted(const Coefficients& fine, const std::array<AxisMap, 3>& maps) {
  const Lattice& from = fine.lattice;
  Coefficients coarse{.lattice = from, .unit = fine.unit};
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) {
    coarse.lattice.points[axis] = maps[axis].coarse;
    const double wider = from.points[axis] > 1
                             ? static_cast<double>(maps[axis].fine - 1) / static_cast<double>(maps[axis].coarse - 1)
                             : 1;
    volume *= wider;
    coarse.unit[axis] /= wider * wider;
  }
  for (double& unit : coarse.unit) unit *= volume;

  const Lattice& to = coarse.lattice;
  const Hats hats[3] = {Hats(maps[0]), Hats(maps[1]), Hats(maps[2])};
  /// f(weight, fine point) over the hat of a coarse point.
  const auto over_hat = [&](const std::int64_t(&c)[3], auto&& f) {
    for (const auto& [z, along_z] : hats[2].of(c[2]))
      for (const auto& [y, along_y] : hats[1].of(c[1])) {
        const double across = along_z * along_y;
        for (const auto& [x, along_x] : hats[0].of(c[0])) f(across * along_x, x, y, z);
      }
  };

  coarse.sigma = fine.sigma;
  if (fine.sigma.size() > 1) {
    const std::int64_t nx = to.points[0], ny = to.points[1], lines = ny * to.points[2];
    coarse.sigma.resize(nx * lines);
    parallel_ranges(
        lines,
        [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t line = first; line < last; ++line)
            for (std::int64_t i = 0; i < nx; ++i) {
              double sum = 0, total = 0;
              over_hat({i, line % ny, line / ny}, [&](double weight, std::int64_t x, std::int64_t y, std::int64_t z) {
                weight *= from.share_of_point(0, x) * from.share_of_point(1, y) * from.share_of_point(2, z);
                sum += weight * fine.sigma[point_index(from, x, y, z)];
                total += weight;
              });
              coarse.sigma[line * nx + i] = sum / total;
            }
        },
        kLinesPerTask);
  }

  coarse.reaction = {fine.reaction[0] * volume};
  if (fine.reaction.size() > 1) {
    coarse.reaction.assign(std::max<std::int64_t>(2, to.unknowns()), 0.0);
    for_each_unknown(to, [&](std::int64_t row, std::int64_t i, std::int64_t j, std::int64_t k) {
      double sum = 0;
      over_hat({to.point_of(0, i), to.point_of(1, j), to.point_of(2, k)},
               [&](double weight, std::int64_t px, std::int64_t py, std::int64_t pz) {
                 const std::int64_t x = from.unknown_of(0, px), y = from.unknown_of(1, py), z = from.unknown_of(2, pz);
                 if (!is_unknown(from, x, y, z)) return;
                 sum += weight * fine.reaction[(z * from.unknowns(1) + y) * from.unknowns(0) + x];
               });
      coarse.reaction[row] = sum;
    });
  }
  return coarse;
}

StencilData discretised(const Coefficients& c, bool radial) {
  const Lattice& l = c.lattice;
  StencilData data{
      .lattice = l, .all_around = is_isotropic(c), .uniform = c.sigma.size() == 1 && c.reaction.size() == 1};
  const Weights weight = !data.all_around ? weights_along_axes(c) : radial ? radial_weights(c) : balanced_weights(c);
  if (data.uniform) {
    data.weight = weight;
    for (double& w : data.weight) w *= c.sigma[0];
    data.diagonal = sum_around(data.weight) + c.reaction[0];
    return data;
  }
  const Discretisation discretisation(c, data.all_around, weight, Mean::arithmetic);
  const std::size_t half = half_neighbour_count(l.dimensions, data.all_around);
  data.conductance.assign(half, std::vector<double>(l.size(), 0.0));
  data.diagonals.assign(l.size(), 0.0);
  for_each_unknown(l, [&](std::int64_t row, std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t at = l.at(x, y, z);
    double to[Discretisation::kMostNeighbours];
    const double around = discretisation.conductances(x, y, z, to);
    for (std::size_t k = 0; k < half; ++k) data.conductance[k][at] = to[half + k];
    data.diagonals[at] =
        around +
        (c.reaction.size() > 1 ? c.reaction[row] : c.reaction[0] * l.share(0, x) * l.share(1, y) * l.share(2, z));
  });
  return data;
}

std::vector<Offset> half_neighbours(int dimensions, bool all_around) {
  if (!all_around) {
    std::vector<Offset> along{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    along.resize(static_cast<std::size_t>(dimensions));
    return along;
  }
  std::vector<Offset> half{{1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
  if (dimensions == 3)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) half.push_back({x, y, 1});
  return half;
}

std::optional<std::string> not_a_grid_for_sgml(const Problem& problem) {
  const auto* grid = std::get_if<RegularGrid>(&problem.structure);
  if (!grid) return "needs a problem on a regular grid";
  if (!problem.symmetric_positive_definite) return "needs a symmetric positive definite matrix";
  if (grid->places != RegularGrid::Places::points) return "needs values at grid points, here they are in cells";
  for (int axis = 0; axis < grid->dimensions; ++axis)
    if (grid->size[axis] < 3) return fmt::format("needs at least 3 points along each axis, here {}", grid->size[axis]);
  const bool varies = std::any_of(grid->sigma.begin(), grid->sigma.begin() + grid->dimensions,
                                  [](const auto& field) { return !is_constant(field); });
  for (int axis = 1; varies && axis < grid->dimensions; ++axis)
    if (grid->sigma[axis] != grid->sigma[0]) return "needs the same sigma along all axes where it varies";
  const Lattice lattice = lattice_of(*grid);
  const std::int64_t entries = problem.matrix.nonzeros();
  if (problem.matrix.rows != lattice.unknowns() ||
      (entries != entries_of(lattice, false) && entries != entries_of(lattice, true)))
    return "needs a matrix that couples neighbouring grid points, along the axes or all around";
  if (couples_all_around(problem, lattice) && !is_isotropic(coefficients_of(*grid)))
    return "needs the same spacing and sigma along all axes where a matrix couples points all around";
  return std::nullopt;
}

Ground ground_of(const Problem& problem) {
  const std::int64_t unknown = std::get<RegularGrid>(problem.structure).grounded_unknown();
  if (unknown < 0) return {};
  const CsrMatrix& a = problem.matrix;
  double diagonal = 0, sum = 0;
  for (std::int64_t k = a.row_ptr[unknown]; k < a.row_ptr[unknown + 1]; ++k) {
    sum += a.value[k];
    if (a.col[k] == unknown) diagonal = a.value[k];
  }
  if (std::abs(sum - diagonal / 2) > kRounding * diagonal) return {};
  return {unknown, diagonal / 2};
}

std::vector<LevelPlan> plan_levels(const Problem& problem) {
  const auto& grid = std::get<RegularGrid>(problem.structure);
  Coefficients c = coefficients_of(grid);
  const bool radial = couples_all_around(problem, c.lattice);
  const Weights weight = radial ? radial_weights(c) : weights_along_axes(c);
  const FreeMatrix matrix{problem.matrix, ground_of(problem)};
  std::optional<StencilData> own;
  if (c.sigma.size() == 1) own = read_uniform(matrix, c, radial, weight);
  if (!own) own = read_variable(matrix, c, radial, weight);

  std::vector<LevelPlan> levels;
  levels.push_back(plan_of(c, std::move(*own)));
  while (std::any_of(levels.back().to_next.begin(), levels.back().to_next.end(),
                     [](const AxisMap& map) { return !map.is_kept(); })) {
    c = restricted(c, levels.back().to_next);
    levels.push_back(plan_of(c, discretised(c, radial)));
  }
  return levels;
}

}  // namespace gridiron::sgml
