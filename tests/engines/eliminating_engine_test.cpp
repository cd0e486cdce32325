// SPDX-License-Identifier: Apache-2.0
// aggamg on trees and on what hangs from a core by branches, which are eliminated first.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

/// Each unknown hangs on one before it, mostly on one with many couplings; `core` more couplings close loops.
Problem grown(int32_t n, int32_t core, unsigned seed) {
  std::mt19937 random(seed);
  test::Rows rows(n);
  std::vector<int32_t> ends{0};
  const auto couple = [&](int32_t i, int32_t j, double g) {
    if (i == j) return;
    rows[i][i] += g;
    rows[j][j] += g;
    rows[i][j] = rows[j][i] = rows[i][j] - g;
    ends.insert(ends.end(), {i, j});
  };
  rows[0][0] = 1;
  for (int32_t i = 1; i < n; ++i) couple(i, ends[random() % ends.size()], 0.25 + (random() % 8));
  for (int32_t k = 0; k < core; ++k) couple(ends[random() % ends.size()], ends[random() % ends.size()], 1);
  return test::problem_of(rows);
}

struct Answers {
  std::vector<double> x, expected;
  SolveStats stats;
  double largest() const {
    return std::abs(*std::ranges::max_element(expected, {}, [](double v) { return std::abs(v); }));
  }
};

Answers answers_to(const Problem& problem, int64_t columns, const StopRule& stop) {
  const auto engine = find_engine("aggamg").make({}), reference = find_engine("cholmod").make({});
  engine->setup(problem);
  reference->setup(problem);
  const auto b = test::random_block(columns * problem.matrix.rows, 3);
  auto [x, stats] = test::solve(*engine, problem, b, stop);
  return {std::move(x), test::solve(*reference, problem, b, {.relative_residual = 1e-14}).x, std::move(stats)};
}

TEST(EliminatingEngine, TreesTakeNoIterations) {
  const Answers tree = answers_to(grown(20'000, 0, 1), 2, {.relative_residual = 1e-8});
  EXPECT_EQ(tree.stats.iterations, 0);
  EXPECT_TRUE(tree.stats.converged);
  EXPECT_LT(tree.stats.relative_residual, 1e-10);
  for (size_t i = 0; i < tree.x.size(); ++i) ASSERT_NEAR(tree.x[i], tree.expected[i], 1e-9 * tree.largest());
}

TEST(EliminatingEngine, CoresAreIteratedFor) {
  for (const int64_t columns : {1, 9}) {
    const Problem problem = grown(8000, 1000, 2);
    const Answers core = answers_to(problem, columns, {.relative_residual = 1e-10});
    EXPECT_GT(core.stats.iterations, 0);
    EXPECT_LE(core.stats.iterations, 40);
    EXPECT_LE(core.stats.relative_residual, 1e-10);
    for (size_t i = 0; i < core.x.size(); ++i) ASSERT_NEAR(core.x[i], core.expected[i], 1e-6 * core.largest());
  }
}

TEST(EliminatingEngine, UpdatesAndGuessesCount) {
  const Problem first = grown(8000, 1000, 2);
  Problem second = first;
  for (double& value : second.matrix.value) value *= 3;
  const auto n = first.matrix.rows;
  const auto b = test::random_block(n, 4);
  const auto engine = find_engine("aggamg").make({});
  engine->setup(first);
  std::vector<double> x = test::solve(*engine, first, b, {.relative_residual = 1e-10}).x;
  engine->update(second);
  for (double& value : x) value /= 3;
  const SolveStats stats = engine->solve({b.data(), n, 1}, {x.data(), n, 1}, {.relative_residual = 1e-8});
  EXPECT_EQ(stats.iterations, 0);
  EXPECT_TRUE(stats.converged);
}

TEST(EliminatingEngine, FloatingTreesAreNoWorseThanOthers) {
  Problem problem = grown(1000, 0, 5);
  problem.matrix.value[0] -= 1;  // the pad
  const auto engine = find_engine("aggamg").make({});
  const auto b = test::random_block(1000, 1);
  EXPECT_THROW(
      {
        engine->setup(problem);
        const SolveStats stats = test::solve(*engine, problem, b).stats;
        if (!stats.converged) throw SolverError("does not converge");
      },
      SolverError);
}

}  // namespace
}  // namespace gridiron
