// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engines/superlu/superlu_engine.hpp"
#include "support/error.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

struct Situation {
  const char* what;
  test::Rows rows;
};

/// Where SuperLU 5.3 writes out of bounds, complains of arguments or answers 1.6e-322.
std::vector<Situation> singular_situations() {
  test::Rows mostly_empty(100);
  mostly_empty[0][0] = mostly_empty[99][99] = 2;
  return {
      {"the first row is empty", {{}, {{1, 2.0}}, {{2, 2.0}}}},
      {"a row in the middle is empty", {{{0, 2.0}}, {}, {{2, 2.0}}}},
      {"the last row is empty", {{{0, 2.0}}, {{1, 2.0}}, {}}},
      {"most rows are empty", mostly_empty},
      {"a hub without a diagonal and its leaves", {{{1, 0.3}, {2, 0.2}}, {{0, 0.3}}, {{0, 0.2}}}},
      {"two rows have one column", {{{0, 1.0}}, {{0, 1.0}}, {{1, 1.0}, {2, 1.0}}}},
      {"two columns have one row", {{{0, 1.0}, {1, 1.0}}, {{2, 1.0}}, {{2, 1.0}}}},
      {"a stored zero is no entry", {{{0, 0.0}, {1, 1.0}}, {{0, 0.0}, {1, 1.0}}}},
      {"two equal rows", {{{0, 1.0}, {1, 1.0}}, {{0, 1.0}, {1, 1.0}}}},
      {"rows that add up to another",
       {{{0, 0.1}, {1, 0.7}, {2, 0.3}}, {{0, 0.6}, {1, -0.2}, {2, 0.9}}, {{0, 0.7}, {1, 0.5}, {2, 1.2}}}},
  };
}

TEST(SuperluSingular, EveryKindIsRefused) {
  for (const auto& [what, rows] : singular_situations())
    for (const bool symmetric_positive_definite : {false, true})
      for (const char* ordering : {"auto", "amd", "mmd", "colamd"}) {
        const auto engine = find_engine("superlu").make({{"ordering", ordering}});
        try {
          engine->setup(test::problem_of(rows, symmetric_positive_definite));
          ADD_FAILURE() << what << ", " << ordering;
        } catch (const SingularMatrix& error) {
          EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("singular"), HasSubstr("unknown"))) << what;
          EXPECT_LT(error.unknown, std::ssize(rows)) << what;
          EXPECT_GE(error.unknown, 0) << what;
        }
        const Problem healthy = test::poisson(3);
        engine->setup(healthy);
        EXPECT_TRUE(test::solve(*engine, healthy, std::vector<double>(9, 1.0)).stats.converged) << what;
      }
}

TEST(SuperluSingular, AnUpdateIsJudgedToo) {
  for (const bool symmetric_positive_definite : {false, true}) {
    const auto engine = find_engine("superlu").make({});
    const auto with = [&](double v) {
      return test::problem_of({{{0, 2.0}, {1, v}}, {{0, v}, {1, 2.0}}}, symmetric_positive_definite);
    };
    engine->setup(with(1));
    EXPECT_THROW(engine->update(with(2)), SingularMatrix);
    engine->update(with(3));  // indefinite
    EXPECT_NEAR(test::solve(*engine, with(3), {5.0, 5.0}).x[0], 1.0, 1e-14);
  }
}

/// Symmetric with eigenvalues of both signs, as mass matrices of waveguides with an unfortunate sign.
Problem waveguide(bool zeros_on_the_diagonal) {
  constexpr int kUnknowns = 398;
  const auto random = test::random_block(3 * kUnknowns, 11);
  test::Rows rows(kUnknowns);
  for (int i = 0; i < kUnknowns; ++i) {
    if (!zeros_on_the_diagonal || i % 3 != 0) rows[i][i] = (i % 2 == 0 ? 1 : -1) * (1e-5 + 1e-6 * std::abs(random[i]));
    for (const int other : {i + 1, i + 20})
      if (other < kUnknowns)
        rows[i][other] = rows[other][i] = 4e-6 * random[kUnknowns + i + (other == i + 1 ? 0 : kUnknowns)];
  }
  return test::problem_of(rows, true);
}

TEST(SuperluSingular, SymmetricIndefiniteMatricesArePivoted) {
  for (const bool zeros_on_the_diagonal : {false, true}) {
    const Problem problem = waveguide(zeros_on_the_diagonal);
    const auto b = test::random_block(problem.matrix.rows, 5);
    const auto expected = test::dense_reference(problem.matrix, b);
    const auto engine = find_engine("superlu").make({});
    engine->setup(problem);
    for (int round = 0; round < 2; ++round) {
      const auto [x, stats] = test::solve(*engine, problem, b);
      EXPECT_TRUE(stats.converged);
      for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9 * std::abs(expected[i]) + 1e-4);
      engine->update(problem);
    }
  }
}

TEST(SuperluSingular, WorkIsLimitedByEveryOrdering) {
  const Problem expander = test::random_grid(2000, 0, 1);
  for (const char* ordering : {"auto", "amd", "mmd", "colamd"})
    for (const bool symmetric_positive_definite : {false, true}) {
      Problem problem = expander;
      problem.symmetric_positive_definite = symmetric_positive_definite;
      const auto engine = find_engine("superlu").make({{"ordering", ordering}, {"most_operations", "1e6"}});
      try {
        engine->setup(problem);
        ADD_FAILURE() << ordering;
      } catch (const SolverError& error) {
        EXPECT_THAT(error.what(), HasSubstr("raise most_operations")) << ordering;
      }
    }
}

TEST(SuperluOrdering, VoltageSourcesFollowTheirNodes) {
  // A grid whose nodes along one side are held by branches without a diagonal entry.
  constexpr int kSide = 60, kNodes = kSide * kSide;
  test::Rows rows(kNodes + kSide);
  const auto edge = [&](int i, int j) {
    rows[i][i] += 1;
    rows[j][j] += 1;
    rows[i][j] = rows[j][i] = -1;
  };
  for (int i = 0; i < kNodes; ++i) {
    if (i % kSide > 0) edge(i, i - 1);
    if (i >= kSide) edge(i, i - kSide);
  }
  for (int k = 0; k < kSide; ++k) {
    const int branch = kNodes + k;
    rows[k][branch] = 1;
    rows[branch][k] = 1;
    rows[branch][kNodes / 2 + k] = -0.5;  // controlled by a node far away
  }
  const Problem problem = test::problem_of(rows, false);
  const auto automatic = find_engine("superlu").make({}),
             by_columns = find_engine("superlu").make({{"ordering", "colamd"}});
  automatic->setup(problem);
  by_columns->setup(problem);
  EXPECT_LT(automatic->bytes(), 0.8 * static_cast<double>(by_columns->bytes()));
  const auto b = test::random_block(problem.matrix.rows, 3);
  const auto x = test::solve(*automatic, problem, b).x, y = test::solve(*by_columns, problem, b).x;
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-9);
}

}  // namespace
}  // namespace gridiron
