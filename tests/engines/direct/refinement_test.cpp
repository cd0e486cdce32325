// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/refinement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::Each;
using testing::SizeIs;

/// Twice the identity, whose inverse the tests apply with an error of their choice.
const Problem& twice() {
  static const Problem problem = test::problem_of({{{0, 2.0}}, {{1, 2.0}}, {{2, 2.0}}});
  return problem;
}

ApplyInverse inverse_with_factor(double factor) {
  return [factor](Block<const double> b, Block<double> x) {
    for (int64_t i = 0; i < b.rows * b.columns; ++i) x.data[i] = factor * b.data[i] / 2;
  };
}

test::Solution refine(const CsrMatrix& a, std::vector<double> b, const StopRule& stop, const ApplyInverse& inverse) {
  const int64_t n = a.rows, k = static_cast<int64_t>(b.size()) / n;
  test::Solution solution{std::vector<double>(b.size(), 7.0), {}};
  std::vector<double> room;
  solution.stats = solve_and_refine(a, {b.data(), n, k}, {solution.x.data(), n, k}, stop, inverse, room);
  return solution;
}

TEST(Refinement, ExactInverseNeedsNoStep) {
  const auto [x, stats] = refine(twice().matrix, {2, 4, 6, 8, 10, 12}, {}, inverse_with_factor(1));
  EXPECT_THAT(x, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(stats.iterations, 0);
  EXPECT_THAT(stats.history, testing::ElementsAre(0.0));
  EXPECT_TRUE(stats.converged);
}

TEST(Refinement, EachStepMultipliesTheErrorOfTheInverse) {
  const auto [x, stats] =
      refine(twice().matrix, {2, 2, 2}, {.relative_residual = 1e-10}, inverse_with_factor(1 - 1.0 / 1024));
  EXPECT_EQ(stats.iterations, 3);
  ASSERT_THAT(stats.history, SizeIs(4));
  for (int step = 0; step < 4; ++step) EXPECT_NEAR(stats.history[step] * std::pow(1024.0, step + 1), 1.0, 1e-3);
  EXPECT_TRUE(stats.converged);
  EXPECT_THAT(x, Each(testing::DoubleNear(1.0, 1e-12)));
}

TEST(Refinement, KeepsToMaxIterations) {
  for (int most : {0, 1, 2}) {
    const auto stats =
        refine(twice().matrix, {2, 2, 2}, {.relative_residual = 0, .max_iterations = most}, inverse_with_factor(0.9))
            .stats;
    EXPECT_EQ(stats.iterations, most);
    EXPECT_FALSE(stats.converged);
  }
}

TEST(Refinement, StopsWhenNoLongerWorthIt) {
  const auto stats = refine(twice().matrix, {2, 2, 2}, {.relative_residual = 0}, inverse_with_factor(0.25)).stats;
  EXPECT_EQ(stats.iterations, 1);
  EXPECT_FALSE(stats.converged);
}

TEST(Refinement, TakesBackAStepThatMadeItWorse) {
  const auto [x, stats] = refine(twice().matrix, {2, 2, 2}, {}, inverse_with_factor(3.0));
  EXPECT_EQ(stats.iterations, 0);
  EXPECT_THAT(x, Each(3.0));
  EXPECT_EQ(stats.relative_residual, 2.0);
  EXPECT_EQ(stats.max_residual, 4.0);
  EXPECT_FALSE(stats.converged);
}

TEST(Refinement, NanIsNeverConverged) {
  const auto stats = refine(twice().matrix, {2, 2, 2}, {.absolute_max = 1e9},
                            inverse_with_factor(std::numeric_limits<double>::quiet_NaN()))
                         .stats;
  EXPECT_FALSE(stats.converged);
  EXPECT_TRUE(std::isnan(stats.relative_residual));
  EXPECT_TRUE(std::isnan(stats.max_residual));
}

TEST(Refinement, WorstColumnCounts) {
  const auto stats =
      refine(twice().matrix, {2, 2, 2, 200, 200, 200}, {.max_iterations = 0}, inverse_with_factor(0.5)).stats;
  EXPECT_EQ(stats.relative_residual, 0.5);
  EXPECT_EQ(stats.max_residual, 100.0);
}

TEST(Refinement, ResidualsKeepDigitsThatFp64WouldLose) {
  // (1 + 2^-30)^2 − (1 + 2^-29) = 2^-60: products and sums in fp64 give 0.
  const double v = 1 + std::ldexp(1.0, -30), w = 1 + std::ldexp(1.0, -29);
  const Problem problem = test::problem_of({{{0, v}, {1, -w}}, {{1, 1.0}}}, false);
  const auto solution = [v](Block<const double>, Block<double> x) { x.data[0] = v, x.data[1] = 1.0; };
  EXPECT_EQ(refine(problem.matrix, {std::ldexp(1.0, -60), 1.0}, {}, solution).stats.max_residual, 0.0);
}

TEST(Refinement, NormsOfTinyAndHugeNumbersNeitherUnderflowNorOverflow) {
  for (const double scale : {1e-200, 1e200}) {
    const auto stats =
        refine(twice().matrix, {scale, scale, scale}, {.max_iterations = 0}, inverse_with_factor(0.5)).stats;
    EXPECT_DOUBLE_EQ(stats.relative_residual, 0.5);
  }
}

}  // namespace
}  // namespace gridiron
