// SPDX-License-Identifier: Apache-2.0
// Model problems with finite elements on uniformly refined meshes.
#include "analysis/pde/finite_elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/pde/pde.hpp"
#include "analysis/pde/study.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

PdeResult solve(const char* name, int64_t size, const char* engine = "cholmod", int waves = 1) {
  PdeOptions options;
  options.problem = name;
  options.choices.size = size;
  options.choices.wavenumber = waves;
  options.engine = engine;
  options.rtol = 1e-10;
  return solve_pde(options);
}

TEST(FiniteElements, Q1IsTheNinePointStencil) {
  const RefinedMesh mesh(unit_square_mesh(4, 1), 3);
  const CsrMatrix a = assemble(mesh);
  ASSERT_EQ(a.rows, 49);
  const int64_t middle = 24;
  std::vector<double> row;
  for (int64_t k = a.row_ptr[middle]; k < a.row_ptr[middle + 1]; ++k) row.push_back(a.value[k]);
  ASSERT_EQ(row.size(), 9u);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(row[k], k == 4 ? 8.0 / 3 : -1.0 / 3, 1e-15);
}

TEST(FiniteElements, P1OnRightTrianglesIsTheFivePointStencil) {
  const CsrMatrix a = assemble(RefinedMesh(unit_square_mesh(3, 8), 0));
  const int64_t middle = 24;
  for (int64_t k = a.row_ptr[middle]; k < a.row_ptr[middle + 1]; ++k) {
    const int64_t distance = std::abs(a.col[k] - middle);
    EXPECT_NEAR(a.value[k], distance == 0 ? 4 : distance == 1 || distance == 7 ? -1 : 0, 1e-15) << distance;
  }
}

/// The nonzeros that Tables 1 and 4 count relative to: (3/h − 5)² for Q1.
TEST(FiniteElements, HaveThePapersNonzeros) {
  EXPECT_EQ(assemble(RefinedMesh(unit_square_mesh(4, 1), 6)).nonzeros(), (3 * 64 - 5) * (3 * 64 - 5));
}

TEST(FiniteElements, MatricesAreSymmetricWithRowsThatSumToZeroInside) {
  const CsrMatrix a = assemble(RefinedMesh(flow_around_square_mesh(), 4));
  std::vector<double> ones(static_cast<size_t>(a.rows), 1.0), sums(ones);
  multiply(a, ones.data(), sums.data());
  int64_t zero = 0;
  for (const double sum : sums) zero += std::abs(sum) < 1e-12;
  EXPECT_GT(zero, a.rows * 8 / 10);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      const int32_t j = a.col[k];
      const auto* const begin = a.col.data() + a.row_ptr[j];
      const auto* const at = std::lower_bound(begin, a.col.data() + a.row_ptr[j + 1], static_cast<int32_t>(i));
      ASSERT_NEAR(a.value[a.row_ptr[j] + (at - begin)], a.value[k], 1e-15);
    }
}

/// Q1 with exact loads: nodes are (π h)²/12 too high, and within elements the bilinear interpolant misses (π h)²/6 of
/// the mean; with what it misses besides, that makes √(1/12² + 2/720) (π h)² in the L2 norm.
TEST(FiniteElements, Q1HasTheErrorOfTheory) {
  const double wave = std::numbers::pi / 128;
  const PdeError error = *solve("poisson2d-q1", 128).error;
  EXPECT_NEAR(error.linf, wave * wave / 12, 1e-3 * error.linf);
  EXPECT_NEAR(error.l2, 0.0986 * wave * wave, 2e-3 * error.l2);
  EXPECT_NEAR(error.l2, 5.94e-5, 0.01e-5);  // measured by an independent prototype
}

TEST(FiniteElements, TheErrorFallsAsTheSquareOfTheSpacing) {
  const auto order = [](const char* name, int64_t coarse, int64_t fine, int waves) {
    return std::log2(solve(name, coarse, "cholmod", waves).error->l2 / solve(name, fine, "cholmod", waves).error->l2);
  };
  for (const char* name : {"poisson2d-q1", "poisson2d-p1"}) {
    EXPECT_GE(order(name, 64, 128, 1), 1.95) << name;
    EXPECT_GE(order(name, 96, 192, 3), 1.95) << name;
    EXPECT_GE(order(name, 25, 50, 1), 1.95) << name;
  }
  EXPECT_GE(order("flowsquare-p1", 5, 6, 1), 1.95);
}

TEST(FiniteElements, EnginesAgree) {
  for (const char* name : {"poisson2d-q1", "poisson2d-p1", "flowsquare-p1"}) {
    const int64_t size = name[0] == 'f' ? 4 : 40;
    const PdeResult direct = solve(name, size), multigrid = solve(name, size, "aggamg");
    ASSERT_EQ(direct.unknowns, multigrid.unknowns);
    for (size_t i = 0; i < direct.solution.size(); ++i) ASSERT_NEAR(direct.solution[i], multigrid.solution[i], 1e-8);
  }
}

TEST(FiniteElements, RasterShowsTheDomain) {
  const PdeResult around = solve("flowsquare-p1", 4);
  const Slice& slice = around.slice;
  EXPECT_EQ(slice.columns, 65);
  EXPECT_EQ(slice.rows, 17);
  for (int64_t row = 0; row < slice.rows; ++row)
    for (int64_t column = 0; column < slice.columns; ++column) {
      const double x = column / 16.0, y = row / 16.0;
      const bool is_hole = x > 1.25 && x < 1.75 && y > 0.25 && y < 0.75;
      ASSERT_EQ(std::isnan(slice.at(column, row)), is_hole) << x << ", " << y;
      if (is_hole) continue;
      ASSERT_NEAR(slice.at(column, row), std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y), 0.03);
    }
  EXPECT_EQ(solve("poisson2d-q1", 8).slice.at(4, 4), solve("poisson2d-q1", 8).solution[24]);
}

TEST(FiniteElements, RefuseWhatTheyCannotDo) {
  const auto message = [](const PdeOptions& options) -> std::string {
    try {
      solve_pde(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  PdeOptions options;
  options.problem = "poisson2d-q1";
  options.choices.size = 1;
  EXPECT_THAT(message(options), HasSubstr("size 1: poisson2d-q1 needs at least 2"));
  options.choices.size = 1 << 20;
  EXPECT_THAT(message(options), HasSubstr("choose a smaller size"));
  options.choices.size = 8;
  options.choices.wavenumber = 0;
  EXPECT_THAT(message(options), HasSubstr("wavenumber 0"));
  options.choices.wavenumber = {};
  options.choices.shift = 1;
  EXPECT_THAT(message(options), HasSubstr("has no option shift"));
  options.choices.shift = {};
  options.engine = "gmd";
  EXPECT_THAT(message(options), HasSubstr("regular 2-D grids only"));
  options = {};
  options.problem = "flowsquare-p1";
  options.choices.size = 40;
  EXPECT_THAT(message(options), HasSubstr("choose a smaller size"));
}

}  // namespace
}  // namespace gridiron
