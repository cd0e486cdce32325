// SPDX-License-Identifier: Apache-2.0
// Graphs that are no grids: stars, wheels, random graphs, cubes, degrees by a power law.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engines/engine.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

struct Solution {
  std::vector<double> x;
  SolveStats stats;
};

Solution solve(const char* engine_name, const Problem& problem, const Settings& settings = {}) {
  const auto engine = make_engine(find_engine(engine_name), Context{}, settings);
  engine->setup(problem);
  const int64_t n = problem.matrix.rows;
  const std::vector<double> b(n, 1.0);
  Solution solution{std::vector<double>(n, 0.0), {}};
  solution.stats = engine->solve({b.data(), n, 1}, {solution.x.data(), n, 1}, {.relative_residual = 1e-8});
  return solution;
}

/// Solved in `iterations` at most, and to what a factorization finds.
void expect_solved_in(int iterations, const Problem& problem) {
  const Solution aggamg = solve("aggamg", problem), cholmod = solve("cholmod", problem);
  EXPECT_TRUE(aggamg.stats.converged);
  EXPECT_LE(aggamg.stats.iterations, iterations);
  double largest = 0, error = 0;
  for (size_t i = 0; i < cholmod.x.size(); ++i) {
    largest = std::max(largest, std::abs(cholmod.x[i]));
    error = std::max(error, std::abs(aggamg.x[i] - cholmod.x[i]));
  }
  EXPECT_LT(error, 1e-6 * largest);
}

/// In single precision a row of 160,000 couplings adds up to two digits, and in doubles its products to six.
TEST(AggAmgHubs, StarsAreSolvedToTheLastDigits) {
  for (const int32_t n : {64, 65, 66, 5'000, 40'000, 160'000}) {
    SCOPED_TRACE(n);
    const Solution solution = solve("aggamg", test::star(n));
    EXPECT_TRUE(solution.stats.converged);
    EXPECT_LE(solution.stats.iterations, 10);
    EXPECT_NEAR(solution.x.front(), n, 1e-6 * n);
    EXPECT_NEAR(solution.x.back() - solution.x.front(), 1, 1e-6);
  }
}

/// Hubs that little connects, each with thousands of spokes: in one aggregate they took 200 iterations.
TEST(AggAmgHubs, WheelsInAChain) {
  expect_solved_in(40, test::wheels(10, 10'000));
  expect_solved_in(40, test::wheels(40, 100));
  expect_solved_in(40, test::wheels(3, 20));
}

TEST(AggAmgHubs, RandomGraphsAndCubes) {
  expect_solved_in(40, test::random_graph(4'000, 3, 0, 1));
  expect_solved_in(40, test::random_graph(4'000, 3, 3, 2));
  expect_solved_in(40, test::cube(20));
}

/// New nodes are joined to ends of resistors at random.
Problem power_law(int32_t n, int32_t degree) {
  std::mt19937 random(7);
  test::Rows rows(n);
  std::vector<int32_t> ends{0};
  rows[0][0] = 1;
  for (int32_t i = 1; i < n; ++i)
    for (int32_t k = 0; k < degree; ++k) {
      const int32_t j = ends[random() % ends.size()];
      if (j == i) continue;
      const double g = 0.5 + 1.5 * (random() / 4294967296.0);
      rows[i][i] += g;
      rows[j][j] += g;
      rows[i][j] = rows[j][i] = rows[i][j] - g;
      ends.insert(ends.end(), {i, j});
    }
  return test::problem_of(rows);
}

TEST(AggAmgHubs, DegreesByAPowerLaw) {
  expect_solved_in(40, power_law(20'000, 2));
  expect_solved_in(40, power_law(10'000, 8));
}

TEST(AggAmgHubs, UpdatesBringNewRowSums) {
  const Problem before = test::star(1000);
  Problem after = before;
  for (double& value : after.matrix.value) value *= 3;
  after.matrix.value.front() += 1;  // the tie: four siemens instead of three
  const auto engine = make_engine(find_engine("aggamg"), Context{}, {});
  engine->setup(before);
  engine->update(after);
  const std::vector<double> b(1000, 1.0);
  std::vector<double> x(1000, 0.0);
  EXPECT_TRUE(engine->solve({b.data(), 1000, 1}, {x.data(), 1000, 1}, {.relative_residual = 1e-10}).converged);
  EXPECT_NEAR(x.front(), 250, 1e-6);
}

}  // namespace
}  // namespace gridiron
