// SPDX-License-Identifier: Apache-2.0
// aggamg on trees, on what hangs from a core by branches, and on layers of wires, whose unknowns are eliminated first.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>

#include "engines/condensation.hpp"
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

/// Wires along x over wires along y, tied where they cross: every unknown has two or three couplings. Wires end in
/// pads.
Problem wires(int32_t n, unsigned seed) {
  std::mt19937 random(seed);
  test::Rows rows(2 * n * n);
  const auto couple = [&](int32_t i, int32_t j, double g) {
    rows[i][i] += g;
    rows[j][j] += g;
    rows[i][j] = rows[j][i] = -g;
  };
  const auto siemens = [&](double most) { return most * (1 + random() % 8) / 8; };
  for (int32_t x = 0; x < n; ++x)
    for (int32_t y = 0; y < n; ++y) {
      const int32_t low = x * n + y, high = n * n + low;
      couple(low, high, siemens(1));
      (x + 1 < n) ? couple(low, low + n, siemens(10)) : void(rows[low][low] += 1);
      (y + 1 < n) ? couple(high, high + 1, siemens(0.1)) : void(rows[high][high] += 1);
    }
  return test::problem_of(rows);
}

TEST(EliminatingEngine, WiresAreCondensed) {
  const Problem problem = wires(40, 3);
  const auto engine = find_engine("aggamg").make({});
  engine->setup(problem);
  EXPECT_LT(engine->levels().front().unknowns, 0.55 * problem.matrix.rows);
  for (const int64_t columns : {1, 9}) {
    const Answers answers = answers_to(problem, columns, {.relative_residual = 1e-11});
    EXPECT_LE(answers.stats.iterations, 30);
    EXPECT_LE(answers.stats.relative_residual, 1e-11);
    for (size_t i = 0; i < answers.x.size(); ++i)
      ASSERT_NEAR(answers.x[i], answers.expected[i], 1e-8 * answers.largest());
  }
}

TEST(EliminatingEngine, UpdatesOfCondensedMatricesCount) {
  const Problem first = wires(60, 3), second = wires(60, 4);
  const auto n = first.matrix.rows;
  const auto b = test::random_block(n, 4);
  const auto engine = find_engine("aggamg").make({}), anew = find_engine("aggamg").make({});
  engine->setup(first);
  engine->update(second);
  anew->setup(second);
  const StopRule stop{.relative_residual = 1e-12};
  const auto updated = test::solve(*engine, second, b, stop), expected = test::solve(*anew, second, b, stop);
  const double largest = std::abs(*std::ranges::max_element(expected.x, {}, [](double v) { return std::abs(v); }));
  EXPECT_TRUE(updated.stats.converged);
  for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(updated.x[i], expected.x[i], 1e-8 * largest);
}

TEST(Condensation, IsTheSameOnAnyThreads) {
  const Problem problem = wires(150, 5);
  const std::vector<double> pads(problem.matrix.rows, 0.01), b = test::random_block(problem.matrix.rows, 6);
  const int before = omp_get_max_threads();
  std::vector<CsrMatrix> matrices;
  std::vector<std::vector<double>> solutions;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    const Condensation condensation = condense(problem.matrix, pads);
    std::vector<double> arrived(b.size()), reduced(condensation.kept.size()), x(b.size());
    condensation.reduce(b, arrived, reduced);
    condensation.recover(arrived, reduced, x);
    matrices.push_back(condensation.matrix);
    solutions.push_back(x);
  }
  omp_set_num_threads(before);
  EXPECT_EQ(matrices[0].col, matrices[1].col);
  EXPECT_EQ(matrices[0].value, matrices[1].value);
  EXPECT_EQ(solutions[0], solutions[1]);
}

/// Rims of wheels have three couplings, one of them to a hub.
TEST(Condensation, IsSymmetricWhereThereAreHubs) {
  const Problem problem = test::wheels(3, 3000);
  const Condensation condensation = condense(problem.matrix, std::vector<double>(problem.matrix.rows, 1e-20));
  EXPECT_LT(condensation.kept.size(), 0.6 * problem.matrix.rows);
  const CsrMatrix& a = condensation.matrix;
  std::map<std::pair<int64_t, int64_t>, double> entries;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) entries[{i, a.col[k]}] = a.value[k];
  for (const auto& [at, value] : entries) ASSERT_EQ(value, (entries[{at.second, at.first}]));
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
