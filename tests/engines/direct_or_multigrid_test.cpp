// SPDX-License-Identifier: Apache-2.0
// The rule by which `auto` chooses between a factorization and multigrid, against what it was measured by.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/direct_or_multigrid.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

TEST(DirectOrMultigrid, TheRuleFollowsTheMeasurements) {
  for (const MeasuredSystem& system : measured_systems()) {
    SCOPED_TRACE(std::string(system.graph) + ", " + std::to_string(system.size.unknowns));
    const bool is_direct = is_worth_factoring(system.counted, system.size, 1);
    EXPECT_EQ(is_direct ? "cholmod" : "aggamg", system.taken);
    EXPECT_LT(std::abs(std::log(predicted_direct_s(system.counted, system.size.unknowns, 1) / system.cholmod_s)),
              std::log(4));
    EXPECT_LT(system.taken == "cholmod" ? system.cholmod_s - system.aggamg_s : system.aggamg_s, 0.6);
  }
}

/// Many solves share a factor, but one that does not fit into memory serves none.
TEST(DirectOrMultigrid, GoesBySolvesAndMemory) {
  const FactorWork cube{5.05e9, 5.61e6}, large{5.05e9, 6e8};
  EXPECT_FALSE(is_worth_factoring(cube, {27'000, 183'600}, 1));
  EXPECT_TRUE(is_worth_factoring(cube, {27'000, 183'600}, 1000));
  EXPECT_FALSE(is_worth_factoring(large, {27'000, 183'600}, 1'000'000));
}

/// Within the factors that the header states.
TEST(FactorWork, EstimatesAreNearCounts) {
  for (const Problem& problem : {test::poisson(60), test::cube(16), test::cube(25), test::wheels(5, 2000)}) {
    const FactorWork estimate = estimate_factor_work(problem.matrix), counted = count_factor_work(problem.matrix);
    EXPECT_LT(estimate.operations, 6 * counted.operations);
    EXPECT_GT(estimate.operations, 0.2 * counted.operations);
    EXPECT_LT(estimate.nonzeros, 4 * counted.nonzeros);
    EXPECT_GT(estimate.nonzeros, 0.5 * counted.nonzeros);
  }
}

TEST(FactorWork, TreesAndStarsFillNothing) {
  const auto is_direct = [](const Problem& problem) { return is_worth_factoring(problem.matrix, 1); };
  EXPECT_FALSE(is_direct(test::random_graph(20'000, 1, 0, 1))) << "aggamg eliminates it";
  EXPECT_FALSE(is_direct(test::star(20'000)));
  test::Rows tree(8191);
  for (int32_t i = 0; i < 8191; ++i) {
    tree[i][i] = i < 4095 ? 3 : 1;
    if (i > 0) tree[i][(i - 1) / 2] = tree[(i - 1) / 2][i] = -1;
  }
  const FactorWork work = estimate_factor_work(test::problem_of(tree).matrix);
  EXPECT_LT(work.operations, 1e6);
}

TEST(FactorWork, RandomGraphsAndCubesAreForMultigrid) {
  EXPECT_FALSE(is_worth_factoring(test::random_graph(10'000, 3, 1, 1).matrix, 1));
  EXPECT_FALSE(is_worth_factoring(test::cube(34).matrix, 1));
}

/// Of several parts, with rows without couplings and rows that are empty.
TEST(FactorWork, TakesAnyPattern) {
  test::Rows rows(5000);
  for (int32_t i = 0; i < 5000; i += 3) rows[i][i] = 1;
  rows[0][3] = rows[3][0] = -0.5;
  const FactorWork work = estimate_factor_work(test::problem_of(rows).matrix);
  EXPECT_LT(work.operations, 1e5);
  EXPECT_EQ(estimate_factor_work(CsrMatrix{0, {0}, {}, {}}).operations, 0);
}

}  // namespace
}  // namespace gridiron
