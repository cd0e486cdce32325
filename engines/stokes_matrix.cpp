// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes_matrix.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

using Index = StokesGrid::Index;
using Row = std::vector<std::pair<int32_t, double>>;  ///< column, value

/// The elements that a point of the lattice belongs to, with its number 3 J + I in each.
void for_each_element_at(const StokesGrid& grid, const Index& at, auto f) {
  const auto range = [&](int axis) {
    const int64_t x = at[axis], last = grid.elements[axis] - 1;
    return std::pair{std::max<int64_t>(x % 2 == 0 ? x / 2 - 1 : x / 2, 0), std::min(x / 2, last)};
  };
  const auto [first_x, last_x] = range(0);
  const auto [first_y, last_y] = range(1);
  for (int64_t j = first_y; j <= last_y; ++j)
    for (int64_t i = first_x; i <= last_x; ++i) f(i, j, static_cast<int>(3 * (at[1] - 2 * j) + at[0] - 2 * i));
}

/// Sums over the elements around one row, by place relative to it.
class Gatherer {
 public:
  explicit Gatherer(const Index& at) : at_(at) {}

  /// Value of the pair of this row and node `a` of element (i, j).
  void add_velocity(int component, int64_t i, int64_t j, int a, double value) {
    velocity_[component][2 * j + a / 3 - at_[1] + 2][2 * i + a % 3 - at_[0] + 2] += value;
  }
  void add_pressure(int64_t i, int64_t j, int corner, double value) {
    pressure_[j + corner / 2 - (at_[1] >> 1) + 1][i + corner % 2 - (at_[0] >> 1) + 1] += value;
  }

  /// `keeps_zeros`: where velocities couple, so that the pattern does not depend on values.
  Row row(const StokesGrid& grid, int component_of_row) const {
    Row row;
    for (int c = 0; c < 2; ++c)
      for (int dj = -2; dj <= 2; ++dj)
        for (int di = -2; di <= 2; ++di) {
          const double value = velocity_[c][dj + 2][di + 2];
          const int64_t column = grid.velocity(c, {at_[0] + di, at_[1] + dj});
          if (column >= 0 && (value != 0 || (c == component_of_row && couples(di, dj))))
            row.emplace_back(static_cast<int32_t>(column), value);
        }
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di)
        if (const double value = pressure_[dj + 1][di + 1]; value != 0)
          row.emplace_back(static_cast<int32_t>(grid.pressure((at_[0] >> 1) + di, (at_[1] >> 1) + dj)), value);
    std::ranges::sort(row);
    return row;
  }

 private:
  bool couples(int di, int dj) const {
    const auto within = [](int64_t x, int d) { return x % 2 == 0 || (d >= -1 && d <= 1); };
    return within(at_[0], di) && within(at_[1], dj);
  }

  Index at_;
  double velocity_[2][5][5] = {}, pressure_[3][3] = {};
};

Row velocity_row(const StokesGrid& grid, int component, const Index& at) {
  Gatherer sums(at);
  for_each_element_at(grid, at, [&](int64_t i, int64_t j, int a) {
    for (int b = 0; b < 9; ++b)
      sums.add_velocity(component, i, j, b, stokes_element_velocity(grid, grid.viscosity_of(i, j), a, b));
    for (int corner = 0; corner < 4; ++corner)
      sums.add_pressure(i, j, corner, stokes_element_divergence(grid, component, corner, a));
  });
  return sums.row(grid, component);
}

Row pressure_row(const StokesGrid& grid, int64_t x, int64_t y) {
  const Index at{2 * x, 2 * y};
  Gatherer sums(at);
  for_each_element_at(grid, at, [&](int64_t i, int64_t j, int a) {
    const int corner = 2 * (a / 6) + a % 3 / 2;
    for (int component = 0; component < 2; ++component)
      for (int b = 0; b < 9; ++b)
        sums.add_velocity(component, i, j, b, stokes_element_divergence(grid, component, corner, b));
  });
  Row row = sums.row(grid, -1);
  if (grid.pressure(x, y) == grid.grounded_unknown())
    row.emplace_back(static_cast<int32_t>(grid.grounded_unknown()), grid.ground());
  return row;
}

}  // namespace

double stokes_element_velocity(const StokesGrid& grid, double viscosity, int a, int b) {
  using namespace taylor_hood;
  const auto [hx, hy] = grid.spacing;
  const int ax = a % 3, ay = a / 3, bx = b % 3, by = b / 3;
  return viscosity * (hy / hx * kStiffness[ax][bx] * kMass[ay][by] + hx / hy * kMass[ax][bx] * kStiffness[ay][by]) +
         grid.reaction * hx * hy * kMass[ax][bx] * kMass[ay][by];
}

double stokes_element_divergence(const StokesGrid& grid, int component, int corner, int a) {
  using namespace taylor_hood;
  const int qx = corner % 2, qy = corner / 2, ax = a % 3, ay = a / 3;
  return component == 0 ? -grid.spacing[1] * kGradient[qx][ax] * kMixedMass[qy][ay]
                        : -grid.spacing[0] * kMixedMass[qx][ax] * kGradient[qy][ay];
}

CsrMatrix stokes_matrix(const StokesGrid& grid) {
  CsrMatrix a;
  a.rows = grid.unknowns();
  a.row_ptr.reserve(a.rows + 1);
  a.row_ptr.push_back(0);
  const int64_t elements = grid.elements[0] * grid.elements[1];
  a.col.reserve(234 * elements);
  a.value.reserve(234 * elements);
  const auto append = [&](const Row& row) {
    for (const auto& [column, value] : row) {
      a.col.push_back(column);
      a.value.push_back(value);
    }
    a.row_ptr.push_back(std::ssize(a.col));
  };
  for (int component = 0; component < 2; ++component)
    for (int kind = 0; kind < 4; ++kind) {
      const StokesGrid::Extent extent = grid.extent(kind);
      for (int64_t j = 0; j < extent.count[1]; ++j)
        for (int64_t i = 0; i < extent.count[0]; ++i)
          append(velocity_row(grid, component,
                              {2 * (extent.first[0] + i) + (kind & 1), 2 * (extent.first[1] + j) + (kind >> 1)}));
    }
  for (int64_t j = 0; j <= grid.elements[1]; ++j)
    for (int64_t i = 0; i <= grid.elements[0]; ++i) append(pressure_row(grid, i, j));
  return a;
}

int64_t stokes_nonzeros(const StokesGrid& grid) {
  // Pairs of unknown points of two kinds along an axis of n elements, by the kinds' halfway bits.
  const auto pairs = [](int64_t n) {
    return std::array<int64_t, 4>{3 * (n - 1) - (n > 1 ? 2 : 0), 2 * (n - 1), 2 * (n - 1), n};
  };
  const auto sum = [](const auto& of) { return of[0] + of[1] + of[2] + of[3]; };
  // ∫ q v' and ∫ q v: nonzero pairs of a pressure node and unknown velocity points.
  const auto gradient = [](int64_t n) { return 2 * (n - 1) + 2 * n; };
  const auto mass = [](int64_t n) { return n - 1 + 2 * n; };
  const auto [nx, ny] = grid.elements;
  return 2 * sum(pairs(nx)) * sum(pairs(ny)) + 2 * (gradient(nx) * mass(ny) + mass(nx) * gradient(ny)) + 1;
}

Problem stokes_problem_without_matrix(std::shared_ptr<const StokesGrid> grid) {
  for (const double viscosity : grid->viscosity)
    if (!(viscosity > 0 && viscosity < HUGE_VAL))
      throw field_error("viscosity", "{}: expected a positive number", viscosity);
  Problem problem;
  problem.matrix.rows = grid->unknowns();
  problem.matrix.row_ptr.assign(problem.matrix.rows + 1, 0);
  problem.symmetric_positive_definite = false;
  problem.structure = std::move(grid);
  return problem;
}

Problem stokes_problem(std::shared_ptr<const StokesGrid> grid) {
  Problem problem = stokes_problem_without_matrix(grid);
  problem.matrix = stokes_matrix(*grid);
  return problem;
}

}  // namespace gridiron
