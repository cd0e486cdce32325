// SPDX-License-Identifier: Apache-2.0
#include "grid/coarsening.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "grid/finite_volumes.hpp"
#include "tests/grid/grids.hpp"

namespace gridiron {
namespace {

TEST(Coarsening, HalvesOrEmbeds) {
  EXPECT_EQ(coarser(9), 5);
  EXPECT_EQ(coarser(5), 3);
  EXPECT_EQ(coarser(7), 4);
  EXPECT_EQ(coarser(8), 5);
  EXPECT_EQ(coarser(100), 65);
}

/// Axes with a coupling below 0.3 of the strongest are kept; axes of three points always are.
TEST(Coarsening, WeakAxesWait) {
  RegularGrid grid = test::cube(3, 9);
  grid.size[2] = 3;
  EXPECT_TRUE(is_isotropic(grid));
  grid.spacing[1] *= 2;
  EXPECT_FALSE(is_isotropic(grid));
  AxisMaps maps = coarsening(grid);
  EXPECT_EQ(maps[0].coarse, 5);
  EXPECT_EQ(maps[1].coarse, 9);
  EXPECT_EQ(maps[2].coarse, 3);
  grid = restricted(grid, maps);
  EXPECT_EQ(grid.size, (RegularGrid::Index{5, 9, 3}));
  EXPECT_DOUBLE_EQ(grid.spacing[0], grid.spacing[1]);
  maps = coarsening(grid);
  EXPECT_EQ(maps[0].coarse, 3);
  EXPECT_EQ(maps[1].coarse, 5);
}

TEST(Coarsening, StrengthIsThatOfSigmaOverTheSquaredSpacing) {
  RegularGrid grid = test::cube(2, 9);
  grid.spacing[1] *= 2;
  grid.sigma[1] = {4.0};
  EXPECT_TRUE(is_isotropic(grid));
  EXPECT_EQ(coarsening(grid)[1].coarse, 5);
}

TEST(Coarsening, KeepsTheBoxAndItsConditions) {
  for (const int64_t points : {9, 12, 17, 40}) {
    RegularGrid fine = test::cube(2, points);
    fine.shift = -2;
    test::set_faces(fine, 0b0110);
    const RegularGrid coarse = restricted(fine, coarsening(fine));
    for (int axis = 0; axis < 2; ++axis)
      EXPECT_DOUBLE_EQ(coarse.spacing[axis] * static_cast<double>(coarse.size[axis] - 1), 1);
    EXPECT_EQ(coarse.boundary, fine.boundary);
    EXPECT_EQ(coarse.shift, -2);
    EXPECT_EQ(coarse.sigma[1], std::vector<double>{1.0});
  }
}

/// Eqs. (3) and (4) of the paper: weights 1, ½, ¼, ⅛ by distance, over 4 or 8, mirror images beyond every face.
TEST(Coarsening, SigmaIsFullyWeighted) {
  for (const int dimensions : {2, 3}) {
    RegularGrid fine = test::box(dimensions, {9, 5, dimensions == 3 ? 9 : 1}, 0.125);
    fine.sigma.fill(test::random_sigma(fine, 6));
    const AxisMaps maps{AxisMap{9, 5}, AxisMap{5, 3}, dimensions == 3 ? AxisMap{9, 5} : AxisMap{1, 1}};
    const RegularGrid coarse = restricted(fine, maps);
    const auto mirrored = [&](int axis, int64_t i) {
      const int64_t last = fine.size[axis] - 1;
      return i < 0 ? -i : i > last ? 2 * last - i : i;
    };
    ASSERT_EQ(static_cast<int64_t>(coarse.sigma[0].size()), coarse.points());
    for (int64_t k = 0; k < coarse.points(); ++k) {
      const RegularGrid::Index at = coarse.point(k);
      double sum = 0;
      for (int dz = dimensions == 3 ? -1 : 0; dz <= (dimensions == 3 ? 1 : 0); ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            sum += std::pow(0.5, std::abs(dx) + std::abs(dy) + std::abs(dz)) *
                   fine.sigma[0][fine.number(
                       {mirrored(0, 2 * at[0] + dx), mirrored(1, 2 * at[1] + dy), mirrored(2, 2 * at[2] + dz)})];
      EXPECT_NEAR(coarse.sigma[0][k], sum / (dimensions == 2 ? 4 : 8), 1e-14);
    }
    EXPECT_EQ(coarse.sigma[1], coarse.sigma[0]);
  }
}

/// σ that differs between the axes is weighted for each of them.
TEST(Coarsening, SigmaOfEachAxis) {
  RegularGrid fine = test::cube(2, 5);
  fine.sigma[0] = test::random_sigma(fine, 1);
  fine.sigma[1] = fine.sigma[0];
  for (double& value : fine.sigma[1]) value *= 2;
  const RegularGrid coarse = restricted(fine, {AxisMap{5, 3}, AxisMap{5, 3}, AxisMap{1, 1}});
  for (int64_t k = 0; k < coarse.points(); ++k) EXPECT_DOUBLE_EQ(coarse.sigma[1][k], 2 * coarse.sigma[0][k]);
}

/// Between Neumann faces integrals are conserved, on nested and embedded grids.
TEST(Coarsening, WhatIsIntegratedStaysWhole) {
  for (const RegularGrid::Index& size : {RegularGrid::Index{9, 12, 1}, {17, 6, 1}}) {
    RegularGrid fine = test::box(2, size, 0.1);
    test::set_faces(fine, 0b1111);
    const std::vector<double> integrated = test::random_sigma(fine, 2);
    const AxisMaps maps = coarsening(fine);
    const std::vector<double> gathered = restricted(integrated, fine, maps);
    EXPECT_EQ(static_cast<int64_t>(gathered.size()), restricted(fine, maps).unknowns());
    const double sum = std::accumulate(integrated.begin(), integrated.end(), 0.0);
    EXPECT_NEAR(std::accumulate(gathered.begin(), gathered.end(), 0.0), sum, 1e-12 * sum);
  }
}

/// A uniform density stays the same on the coarse grid, except where a hat reaches a Dirichlet face.
TEST(Coarsening, AUniformDensityStaysOne) {
  RegularGrid fine = test::cube(2, 9);
  const FiniteVolumes volumes(fine);
  std::vector<double> integrated(fine.unknowns());
  for (int64_t i = 0; i < fine.unknowns(); ++i) integrated[i] = 5 * volumes.volume_of(volumes.index_of(i));
  const AxisMaps maps = coarsening(fine);
  const std::vector<double> gathered = restricted(integrated, fine, maps);
  const RegularGrid coarse = restricted(fine, maps);
  const FiniteVolumes coarse_volumes(coarse);
  const RegularGrid::Index middle{2, 2, 0};
  EXPECT_DOUBLE_EQ(gathered[coarse_volumes.unknown_at(middle)], 5 * coarse_volumes.volume_of(middle));
}

}  // namespace
}  // namespace gridiron
