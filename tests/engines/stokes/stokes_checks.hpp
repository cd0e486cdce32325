// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of the Stokes engine's parts that every device must pass: against the assembled matrix and dense algebra.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <ostream>

#include "engines/stokes/multigrid.hpp"
#include "engines/stokes/operator.hpp"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/stokes_matrix.hpp"
#include "linalg/dense_inverse.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Elements of 1 × `longer`, nx × ny of them.
inline StokesGrid stokes_elements(int64_t nx, int64_t ny, double longer = 1, double viscosity = 1,
                                  double reaction = 0) {
  StokesGrid grid;
  grid.elements = {nx, ny};
  grid.spacing = {0.25, 0.25 * longer};
  grid.viscosity = {viscosity};
  grid.reaction = reaction;
  return grid;
}

inline const StokesGrid kStokesShapes[] = {stokes_elements(2, 2),
                                           stokes_elements(2, 5, 0.5),
                                           stokes_elements(3, 4, 2, 0.1),
                                           stokes_elements(4, 4),
                                           stokes_elements(4, 6, 3),
                                           stokes_elements(8, 5, 1, 10, 7),
                                           stokes_elements(13, 9, 0.7, 1e-3, 40),
                                           stokes_elements(35, 7, 1, 1, 2)};

inline std::string name_of(const StokesGrid& grid) {
  return std::to_string(grid.elements[0]) + " x " + std::to_string(grid.elements[1]);
}

/// The matrix of a small grid, dense, without the ground.
inline DenseMatrix dense_stokes(const StokesGrid& grid) {
  const CsrMatrix a = stokes_matrix(grid);
  DenseMatrix dense(a.rows, LongVector(a.rows, 0));
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) dense[i][a.col[k]] = a.value[k];
  dense[grid.grounded_unknown()][grid.grounded_unknown()] = 0;
  return dense;
}

/// A vector of unknowns in the layout of a level, and back. Nothing but unknowns may differ from zero.
template <class D, class T>
Array<D, T> in_layout(const StokesGrid& grid, const stokes::Layout& layout, const std::vector<double>& unknowns) {
  std::vector<T> planes(layout.size(), T(0));
  const auto entries = stokes::entries_of_unknowns(grid, layout);
  for (size_t i = 0; i < unknowns.size(); ++i) planes[entries[i]] = static_cast<T>(unknowns[i]);
  return Array<D, T>(planes);
}
template <class D, class T>
std::vector<double> out_of_layout(const StokesGrid& grid, const stokes::Layout& layout, const Array<D, T>& array) {
  std::vector<T> planes = array.to_host();
  std::vector<double> unknowns;
  for (const int64_t entry : stokes::entries_of_unknowns(grid, layout)) {
    unknowns.push_back(planes[entry]);
    planes[entry] = 0;
  }
  for (const T rest : planes) EXPECT_EQ(rest, T(0)) << "boundary velocities and the rim stay zero";
  return unknowns;
}

inline void expect_close(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0;
  for (const double v : expected) largest = std::max(largest, std::abs(v));
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], tolerance * largest) << "entry " << i;
}

inline std::vector<double> product(const DenseMatrix& a, const std::vector<double>& x) {
  std::vector<double> y(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    long double sum = 0;
    for (size_t j = 0; j < x.size(); ++j) sum += a[i][j] * x[j];
    y[i] = static_cast<double>(sum);
  }
  return y;
}

/// The shapes, with constant viscosities and with varying ones.
inline std::vector<StokesGrid> stokes_grids() {
  std::vector<StokesGrid> grids(std::begin(kStokesShapes), std::end(kStokesShapes));
  for (StokesGrid grid : kStokesShapes) {
    const std::vector<double> exponents = random_block(grid.elements[0] * grid.elements[1], 9);
    grid.viscosity.clear();
    for (const double e : exponents) grid.viscosity.push_back(std::pow(10, e));
    grids.push_back(grid);
  }
  return grids;
}

template <class D>
void stokes_operator_is_the_matrix() {
  for (const StokesGrid& grid : stokes_grids()) {
    SCOPED_TRACE(name_of(grid));
    const std::vector<double> x = random_block(grid.unknowns(), 3), b = random_block(grid.unknowns(), 4);
    const std::vector<double> expected = product(dense_stokes(grid), x);
    const stokes::StokesOperator<D> a(grid);
    const Array<D, double> z = in_layout<D, double>(grid, a.layout(), x),
                           rhs = in_layout<D, double>(grid, a.layout(), b);
    Array<D, double> copy = a.template vector<double>(), w = a.template vector<double>();
    a.template product<double>(z.view(), copy.view(), w.view());
    expect_close(out_of_layout(grid, a.layout(), w), expected, 1e-14);
    expect_close(out_of_layout(grid, a.layout(), copy), x, 0);
    std::vector<double> rest = b;
    for (size_t i = 0; i < b.size(); ++i) rest[i] -= expected[i];
    a.residual(rhs.view(), z.view(), w.view());
    expect_close(out_of_layout(grid, a.layout(), w), rest, 1e-14);

    Array<D, double> packed(grid.unknowns());
    stokes::collect<D>(grid, a.layout(), z.view(), packed.view());
    expect_close(packed.to_host(), x, 0);
    stokes::spread<D>(grid, a.layout(), std::as_const(packed).view(), copy.view());
    expect_close(out_of_layout(grid, a.layout(), copy), x, 0);
  }
}

/// S = B D⁻¹ Bᵀ from the assembled matrix, next to boundaries and on grids of fewer than four elements too.
template <class D>
void stokes_schur_complement_is_that_of_the_matrix() {
  for (const StokesGrid& grid : kStokesShapes) {
    SCOPED_TRACE(name_of(grid));
    const DenseMatrix a = dense_stokes(grid);
    const int64_t first = 2 * grid.velocities(), n = grid.pressures();
    DenseMatrix s(n, LongVector(n, 0));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k < first; ++k) s[i][j] += a[first + i][k] * a[first + j][k] / a[k][k];
    const stokes::Stencil<double> stencil(grid.viscosity[0], grid.spacing[0], grid.spacing[1], grid.reaction);
    const stokes::LevelGrid<D, double> level(grid, stencil);
    const stokes::SchurComplement<D, double> schur(level, stencil);

    const std::vector<double> p = random_block(n, 5), b = random_block(n, 6), sp = product(s, p);
    constexpr double kWeight = 0.7;
    std::vector<double> expected(n), got;
    for (int64_t i = 0; i < n; ++i) expected[i] = p[i] + kWeight * (b[i] - sp[i]) / static_cast<double>(s[i][i]);
    const stokes::Layout& layout = level.layout;
    const auto plane = [&](const std::vector<double>& values) {
      std::vector<double> entries(layout.plane, 0.0);
      for (int64_t i = 0; i < n; ++i) entries[layout.at(i % (layout.nx + 1), i / (layout.nx + 1))] = values[i];
      return Array<D, double>(entries);
    };
    const Array<D, double> dp = plane(p), rhs = plane(b);
    Array<D, double> out = plane(std::vector<double>(n, 0.0));
    schur.sweep(kWeight, rhs.view(), dp.view(), out.view());
    const std::vector<double> entries = out.to_host();
    for (int64_t i = 0; i < n; ++i) got.push_back(entries[layout.at(i % (layout.nx + 1), i / (layout.nx + 1))]);
    expect_close(got, expected, 1e-13);
  }
}

/// One relaxation from zero is Σ Vᵀ W (V A Vᵀ)⁻¹ V of the assembled matrix, patch by patch; with shared inverses and
/// with one per patch.
template <class D>
void stokes_vanka_solves_patches_of_the_matrix() {
  for (const StokesGrid& grid : stokes_grids()) {
    SCOPED_TRACE(name_of(grid));
    const DenseMatrix a = dense_stokes(grid);
    const std::vector<double> r = random_block(grid.unknowns(), 8);
    std::vector<double> expected(grid.unknowns(), 0.0);
    constexpr double kWeight = 0.8;
    std::vector<int> shared_by(grid.unknowns(), 0);
    std::vector<std::vector<int64_t>> patches;
    for (int64_t j = 0; j <= grid.elements[1]; ++j)
      for (int64_t i = 0; i <= grid.elements[0]; ++i) {
        auto& patch = patches.emplace_back(1, grid.pressure(i, j));
        for (int component = 0; component < 2; ++component)
          for (int dj = -2; dj <= 2; ++dj)
            for (int di = -2; di <= 2; ++di)
              if (const int64_t k = grid.velocity(component, {2 * i + di, 2 * j + dj}); k >= 0) patch.push_back(k);
        for (const int64_t k : patch) ++shared_by[k];
      }
    for (const auto& patch : patches) {
      DenseMatrix small(patch.size(), LongVector(patch.size(), 0));
      LongVector b(patch.size());
      for (size_t k = 0; k < patch.size(); ++k) {
        b[k] = r[patch[k]];
        for (size_t l = 0; l < patch.size(); ++l) small[k][l] = a[patch[k]][patch[l]];
      }
      const LongVector x = dense_solve(std::move(small), b);
      for (size_t k = 0; k < patch.size(); ++k)
        expected[patch[k]] += static_cast<double>(kWeight * x[k] / shared_by[patch[k]]);
    }
    const stokes::Stencil<double> stencil(grid.viscosity[0], grid.spacing[0], grid.spacing[1], grid.reaction);
    const stokes::LevelGrid<D, double> level(grid, stencil);
    const auto [nx, ny] = grid.elements;
    const std::vector<double> inverses = stokes::vanka_table(stencil, nx, ny, kWeight);
    const auto table = std::make_shared<const Array<D, double>>(inverses);
    const std::vector<double> rows = stokes::vanka_stencil_table(inverses, nx, ny);
    const stokes::VankaStencil<D, double> in_one_pass(level.layout, std::make_shared<const Array<D, double>>(rows),
                                                      stokes::middle_vanka_row<double>(rows, nx, ny));
    const bool varies = !grid.has_constant_viscosity();
    const auto expect_relaxation = [&](auto relax, double tolerance = 1e-11) {
      const Array<D, double> residual = in_layout<D, double>(grid, level.layout, r);
      Array<D, double> x = stokes::zero_array<D, double>(level.layout.size());
      relax(true, residual.view(), x.view());
      expect_close(out_of_layout(grid, level.layout, x), expected, tolerance);
      relax(false, residual.view(), x.view());
      std::vector<double> twice = expected;
      for (double& value : twice) value *= 2;
      expect_close(out_of_layout(grid, level.layout, x), twice, tolerance);
    };
    if (!varies)
      expect_relaxation([&](bool from_zero, View<D, const double> from, View<D, double> to) {
        in_one_pass.relax(level, from_zero, from, to);
      });
    constexpr double kOfBfloat = 1. / 256;
    const stokes::VankaTensor<D, double> of_tensors(level.layout, std::make_shared<const Array<D, double>>(rows),
                                                    stokes::middle_vanka_row<float>(rows, nx, ny));
    if (!varies)
      expect_relaxation([&](bool from_zero, View<D, const double> from,
                            View<D, double> to) { of_tensors.relax(from_zero, from, to); },
                        2 * kOfBfloat);
    for (const bool shares : {true, false}) {
      if (varies && shares) continue;
      auto vanka = varies ? stokes::Vanka<D, double>(grid, level.layout, kWeight)
                          : stokes::Vanka<D, double>(level.layout, table, shares);
      expect_relaxation([&](bool from_zero, View<D, const double> from, View<D, double> to) {
        vanka.relax(level, from_zero, from, to);
      });
    }
  }
}

/// Interpolation reproduces biquadratic velocities and bilinear pressures, restriction is its transpose, and nothing
/// reaches boundary velocities of the coarse level (unmasked residuals there cost up to one iteration, silently).
template <class D>
void stokes_transfers_are_those_of_elements() {
  using namespace stokes;
  for (const bool halve_x : {true, false})
    for (const bool halve_y : {true, false}) {
      if (!halve_x && !halve_y) continue;
      SCOPED_TRACE(std::string(halve_x ? "x" : "") + (halve_y ? "y" : ""));
      StokesGrid coarse = stokes_elements(3, 4), fine = coarse;
      const bool halved[2] = {halve_x, halve_y};
      for (int axis = 0; axis < 2; ++axis)
        if (halved[axis]) fine.elements[axis] *= 2, fine.spacing[axis] /= 2;
      const Stencil<double> any(1, 1, 1, 0);
      const LevelGrid<D, double> coarse_level(coarse, any), fine_level(fine, any);
      const Transfer transfer{halve_x, halve_y, 0.5};
      const auto values = [&](const StokesGrid& grid, double pressure_factor) {
        std::vector<double> unknowns(grid.unknowns());
        const double lx = static_cast<double>(coarse.elements[0]) * coarse.spacing[0];
        const double ly = static_cast<double>(coarse.elements[1]) * coarse.spacing[1];
        for (int64_t y = 1; y < 2 * grid.elements[1]; ++y)
          for (int64_t x = 1; x < 2 * grid.elements[0]; ++x) {
            const double px = static_cast<double>(x) * grid.spacing[0] / 2,
                         py = static_cast<double>(y) * grid.spacing[1] / 2;
            const double bump = px * (lx - px) * py * (ly - py);
            unknowns[grid.velocity(0, {x, y})] = bump;
            unknowns[grid.velocity(1, {x, y})] = -3 * bump;
          }
        for (int64_t j = 0; j <= grid.elements[1]; ++j)
          for (int64_t i = 0; i <= grid.elements[0]; ++i) {
            const double px = static_cast<double>(i) * grid.spacing[0], py = static_cast<double>(j) * grid.spacing[1];
            unknowns[grid.pressure(i, j)] = pressure_factor * (1 + px - 2 * py + px * py);
          }
        return unknowns;
      };
      Array<D, double> to = zero_array<D, double>(fine_level.layout.size());
      interpolate_from<D, double>(coarse_level, fine_level.layout, transfer,
                                  std::as_const(*std::make_unique<Array<D, double>>(in_layout<D, double>(
                                                    coarse, coarse_level.layout, values(coarse, 1))))
                                      .view(),
                                  to.view());
      expect_close(out_of_layout(fine, fine_level.layout, to), values(fine, 0.5), 1e-14);

      const std::vector<double> c = random_block(coarse.unknowns(), 1), f = random_block(fine.unknowns(), 2);
      const Array<D, double> from_coarse = in_layout<D, double>(coarse, coarse_level.layout, c),
                             from_fine = in_layout<D, double>(fine, fine_level.layout, f);
      Array<D, double> interpolated = zero_array<D, double>(fine_level.layout.size()),
                       restricted = zero_array<D, double>(coarse_level.layout.size());
      interpolate_from<D, double>(coarse_level, fine_level.layout, transfer, from_coarse.view(), interpolated.view());
      restrict_to<D, double>(coarse_level, fine_level.layout, transfer, from_fine.view(), restricted.view());
      const std::vector<double> pc = out_of_layout(fine, fine_level.layout, interpolated),
                                rf = out_of_layout(coarse, coarse_level.layout, restricted);
      double one = 0, other = 0;
      for (size_t i = 0; i < f.size(); ++i) one += pc[i] * f[i];
      for (size_t i = 0; i < c.size(); ++i) other += rf[i] * c[i];
      EXPECT_NEAR(one, other, 1e-12 * std::abs(one) + 1e-13);
    }
}

/// The coarsest level: A⁺ A x is x without the mean of its pressure.
template <class D>
void stokes_coarsest_level_is_solved() {
  for (const StokesGrid& grid : {stokes_elements(2, 2), stokes_elements(3, 2, 2), stokes_elements(5, 5, 1, 1, 3)}) {
    SCOPED_TRACE(name_of(grid));
    const stokes::Layout layout(grid.elements[0], grid.elements[1]);
    std::vector<double> x = random_block(grid.unknowns(), 3);
    const Array<D, double> f = in_layout<D, double>(grid, layout, product(dense_stokes(grid), x));
    stokes::CoarsestLevel<D, double> coarsest(grid, layout, true);
    Array<D, double> solved = stokes::zero_array<D, double>(layout.size());
    coarsest.solve(f.view(), solved.view());
    double mean = 0;
    for (int64_t i = 2 * grid.velocities(); i < grid.unknowns(); ++i) mean += x[i];
    for (int64_t i = 2 * grid.velocities(); i < grid.unknowns(); ++i)
      x[i] -= mean / static_cast<double>(grid.pressures());
    expect_close(out_of_layout(grid, layout, solved), x, 1e-11);
  }
}

}  // namespace gridiron::test
