// SPDX-License-Identifier: Apache-2.0
// The supernodal factorization on all threads, seen through the engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/regular_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

std::unique_ptr<Engine> supernodal(const char* ordering = "auto") {
  return find_engine("cholmod").make({{"factorization", "supernodal"}, {"ordering", ordering}});
}

/// Each neighbour of a hub knows the next one, too.
Problem wheel(int32_t spokes) {
  test::Rows rows(spokes + 1);
  for (int32_t i = 0; i < spokes; ++i) {
    const int32_t next = (i + 1) % spokes;
    rows[i][i] = 4;
    rows[i][next] = rows[next][i] = rows[i][spokes] = rows[spokes][i] = -1;
  }
  rows[spokes][spokes] = spokes + 1.0;
  return test::problem_of(rows);
}

std::vector<Problem> problems() {
  return {test::poisson(1),
          test::poisson(2),
          test::poisson(90),
          test::random_grid(3000, 2, 7),
          wheel(5000),
          test::problem_on(test::unit_grid(3, 24)),
          test::problem_of({{{0, 2.0}}, {{1, 3.0}}, {{2, 4.0}}})};
}

/// A panel of each width.
constexpr int64_t kColumns = 16 + 8 + 4 + 2 + 1;

TEST(Supernodal, SolvesAsSimplicialDoes) {
  for (const Problem& problem : problems()) {
    SCOPED_TRACE(problem.matrix.rows);
    const auto b = test::random_block(kColumns * problem.matrix.rows, 8);
    const auto simplicial = find_engine("cholmod").make({{"factorization", "simplicial"}});
    simplicial->setup(problem);
    const auto expected = test::solve(*simplicial, problem, b, {.relative_residual = 1e-14}).x;
    const double largest = std::abs(*std::ranges::max_element(expected, {}, [](double v) { return std::abs(v); }));
    for (const char* ordering : {"amd", "metis"}) {
      const auto engine = supernodal(ordering);
      engine->setup(problem);
      const auto [x, stats] = test::solve(*engine, problem, b, {.relative_residual = 1e-14});
      for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-11 * largest) << ordering;
    }
  }
}

TEST(Supernodal, OneStepSolvesToRounding) {
  for (const Problem& problem : {test::poisson(120), test::random_grid(5000, 0, 3)}) {
    const auto engine = supernodal();
    engine->setup(problem);
    const auto b = test::random_block(kColumns * problem.matrix.rows, 1);
    EXPECT_EQ(test::solve(*engine, problem, b, {.relative_residual = 1e-12}).stats.iterations, 0);
  }
}

TEST(Supernodal, UpdatesReplaceAllValues) {
  const Problem first = test::random_grid(3000, 1, 5);
  Problem second = first;
  for (double& value : second.matrix.value) value *= 3;
  const auto b = test::random_block(first.matrix.rows, 8);
  const auto engine = supernodal(), fresh = supernodal();
  engine->setup(first);
  engine->update(second);
  fresh->setup(second);
  EXPECT_EQ(test::solve(*engine, second, b).x, test::solve(*fresh, second, b).x);
}

TEST(Supernodal, OneEngineTakesProblemsOfAnySizeInTurn) {
  for (const char* ordering : {"amd", "auto"}) {
    const auto engine = supernodal(ordering);
    for (const int n : {30, 150, 4, 60, 250, 170}) {
      const Problem problem = test::problem_on(test::unit_grid(2, n));
      engine->setup(problem);
      for (const int64_t columns : {int64_t{1}, kColumns}) {
        const auto b = test::random_block(columns * problem.matrix.rows, 1);
        EXPECT_EQ(test::solve(*engine, problem, b, {.relative_residual = 1e-11}).stats.iterations, 0) << n;
      }
    }
  }
}

/// A zero above the diagonal and none below it: no part of the pattern that is analysed.
TEST(Supernodal, EntriesOfOneTriangleAloneDoNoHarm) {
  const int32_t n = 100;
  const Problem plain = test::poisson(n);
  test::Rows rows(plain.matrix.rows);
  for (int32_t i = 0; i < n * n; ++i) {
    for (int64_t e = plain.matrix.row_ptr[i]; e < plain.matrix.row_ptr[i + 1]; ++e)
      rows[i][plain.matrix.col[e]] = plain.matrix.value[e];
    if (i % 3 == 0) rows[i][(i + 5003) % (n * n)] += 0.0;
  }
  const Problem problem = test::problem_of(rows);
  const auto b = test::random_block(problem.matrix.rows, 1);
  for (const char* ordering : {"amd", "metis"}) {
    const auto engine = supernodal(ordering);
    engine->setup(problem);
    EXPECT_EQ(test::solve(*engine, problem, b, {.relative_residual = 1e-11}).stats.iterations, 0);
  }
}

TEST(Supernodal, EnginesOfATeamHaveScratchOfTheirOwn) {
  const Problem problem = test::poisson(60);
  for (const char* factorization : {"supernodal", "simplicial"}) {
    std::vector<double> residuals(6, 1.0);
#pragma omp parallel for num_threads(6) schedule(static, 1)
    for (int k = 0; k < 6; ++k) {
      const auto engine = find_engine("cholmod").make({{"factorization", factorization}});
      Context context;
      context.threads = 1;
      engine->set_context(context);
      engine->setup(problem);
      const auto b = test::random_block(3 * problem.matrix.rows, 1);
      residuals[k] = test::solve(*engine, problem, b, {.relative_residual = 1e-11}).stats.relative_residual;
    }
    for (const double residual : residuals) EXPECT_LT(residual, 1e-11);
  }
}

TEST(Supernodal, SameBitsForEveryNumberOfThreads) {
  for (const Problem& problem : {test::problem_on(test::unit_grid(2, 200)), test::problem_on(test::unit_grid(3, 34))}) {
    SCOPED_TRACE(problem.matrix.rows);
    const auto b = test::random_block(kColumns * problem.matrix.rows, 4);
    const int before = omp_get_max_threads();
    std::vector<std::vector<double>> solutions;
    for (const int threads : {1, 2, 4}) {
      omp_set_num_threads(threads);
      const auto engine = supernodal();
      engine->setup(problem);
      solutions.push_back(test::solve(*engine, problem, b, {.relative_residual = 0}).x);
    }
    omp_set_num_threads(before);
    EXPECT_EQ(solutions[0], solutions[1]);
    EXPECT_EQ(solutions[0], solutions[2]);
  }
}

TEST(Supernodal, IndefiniteMatricesNameTheSameUnknownForEveryNumberOfThreads) {
  Problem problem = test::poisson(80);
  for (const int32_t unknown : {1000, 4321})  // in different subtrees
    for (int64_t e = problem.matrix.row_ptr[unknown]; e < problem.matrix.row_ptr[unknown + 1]; ++e)
      if (problem.matrix.col[e] == unknown) problem.matrix.value[e] = -1;
  const int before = omp_get_max_threads();
  std::vector<std::string> messages;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    const auto engine = supernodal();
    try {
      engine->setup(problem);
    } catch (const SolverError& error) {
      messages.emplace_back(error.what());
    }
    engine->setup(test::poisson(80));
    const auto b = test::random_block(6400, 4);
    EXPECT_TRUE(test::solve(*engine, test::poisson(80), b, {.relative_residual = 1e-12}).stats.converged);
  }
  omp_set_num_threads(before);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_THAT(messages[0], testing::HasSubstr("not positive definite"));
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_EQ(messages[0], messages[2]);
}

}  // namespace
}  // namespace gridiron
