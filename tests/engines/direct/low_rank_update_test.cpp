// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/low_rank_update.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/error.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron {
namespace {

ApplyInverse inverse_of(const Problem& problem) {
  return [&problem](Block<const double> b, Block<double> x) {
    for (int64_t j = 0; j < b.columns; ++j) {
      const std::vector<double> solution = test::dense_reference(problem.matrix, b.column(j));
      std::copy(solution.begin(), solution.end(), x.column(j).begin());
    }
  };
}

/// Adds `siemens` to the conductance between two unknowns that are coupled already, or to the pad of one (i == j).
Problem with_conductance(Problem problem, int32_t i, int32_t j, double siemens) {
  CsrMatrix& a = problem.matrix;
  const auto add = [&](int32_t row, int32_t col, double value) {
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
      if (a.col[k] == col) a.value[k] += value;
  };
  add(i, i, siemens);
  if (i == j) return problem;
  add(j, j, siemens);
  add(i, j, -siemens);
  add(j, i, -siemens);
  return problem;
}

/// Largest difference between the updated and the dense answer to three right-hand sides, relative to the answer.
double error_after(const Problem& before, const Problem& now) {
  const ApplyInverse inverse = inverse_of(before);
  const auto update = LowRankUpdate::find(before.matrix, now.matrix, inverse);
  if (!update) return std::numeric_limits<double>::infinity();
  const int64_t n = now.matrix.rows;
  const std::vector<double> b = test::random_block(3 * n, 5);
  std::vector<double> x(b.size());
  inverse({b.data(), n, 3}, {x.data(), n, 3});
  update->apply({x.data(), n, 3});
  double error = 0, largest = 0;
  for (int64_t j = 0; j < 3; ++j) {
    const auto exact = test::dense_reference(now.matrix, std::span(b).subspan(static_cast<size_t>(j * n), n));
    for (int64_t i = 0; i < n; ++i) {
      error = std::max(error, std::abs(x[j * n + i] - exact[i]));
      largest = std::max(largest, std::abs(exact[i]));
    }
  }
  return error / largest;
}

TEST(LowRankUpdate, GivesTheAnswerOfTheEditedMatrix) {
  const Problem before = test::poisson(12);
  EXPECT_EQ(error_after(before, before), 0);
  for (const double siemens : {-0.9, -0.1, 1e-6, 3.0, 1e3}) {
    EXPECT_LT(error_after(before, with_conductance(before, 40, 41, siemens)), 1e-12) << siemens;
    EXPECT_LT(error_after(before, with_conductance(before, 7, 7, std::abs(siemens))), 1e-12) << siemens;
  }
}

TEST(LowRankUpdate, TakesSeveralEditsUpToItsLimit) {
  const Problem before = test::poisson(12);
  Problem now = before;
  for (int32_t k = 0; k < LowRankUpdate::kMostUnknowns / 2; ++k)
    now = with_conductance(now, 12 * k, 12 * k + 1, 0.5 + k);
  EXPECT_LT(error_after(before, now), 1e-12);
  now = with_conductance(now, 143, 143, 1);
  EXPECT_FALSE(LowRankUpdate::find(before.matrix, now.matrix, inverse_of(before)));
}

TEST(LowRankUpdate, LeavesNearlySingularAndIndefiniteMatricesToAFactorization) {
  const Problem before = with_conductance(test::poisson(6), 3, 3, 1e-3);
  const auto find = [&](const Problem& now) {
    return LowRankUpdate::find(before.matrix, now.matrix, inverse_of(before)).has_value();
  };
  EXPECT_TRUE(find(with_conductance(before, 3, 3, -1e-3)));
  EXPECT_FALSE(find(with_conductance(before, 3, 3, -10)));
  EXPECT_FALSE(find(with_conductance(before, 3, 4, std::numeric_limits<double>::quiet_NaN())));

  // A chain with a single pad, which is all but dropped.
  test::Rows rows(9);
  for (int32_t i = 0; i < 9; ++i) rows[i][i] = i == 8 ? 1 : 2;
  for (int32_t i = 1; i < 9; ++i) rows[i][i - 1] = rows[i - 1][i] = -1;
  const Problem chain = test::problem_of(rows);
  for (const double left : {0.0, 1e-15, 1e-8}) {
    const Problem loose = with_conductance(chain, 0, 0, left - 1);
    EXPECT_FALSE(LowRankUpdate::find(chain.matrix, loose.matrix, inverse_of(chain))) << left;
  }
  EXPECT_LT(error_after(chain, with_conductance(chain, 0, 0, 1e-4 - 1)), 1e-9);
}

// ---- as cholmod uses it

TEST(LowRankUpdate, KeepsCholmodOnTheFactorsThatItHas) {
  const Problem before = test::poisson(30);
  for (const char* factorization : {"simplicial", "supernodal"}) {
    const auto engine = find_engine("cholmod").make({{"factorization", factorization}});
    engine->setup(before);
    const std::vector<double> b = test::random_block(before.matrix.rows, 3);
    const auto bytes = engine->bytes();
    Problem now = before;
    for (const double siemens : {2.0, -0.5, 1e5}) {  // each relative to the first, which was factored
      now = with_conductance(now, 100, 130, siemens);
      engine->update(now);
      const auto [x, stats] = test::solve(*engine, now, b, {.relative_residual = 1e-12});
      EXPECT_TRUE(stats.converged) << siemens;
      EXPECT_LT(test::error(now, b, x), 1e-12) << siemens;
    }
    EXPECT_GE(engine->bytes(), bytes + 2 * 900 * 8);
    engine->update(before);
    EXPECT_LT(test::error(before, b, test::solve(*engine, before, b).x), 1e-12);
    EXPECT_THROW(engine->update(with_conductance(before, 100, 100, -100)), SolverError);
    engine->update(now);
    EXPECT_LT(test::error(now, b, test::solve(*engine, now, b, {.relative_residual = 1e-14}).x), 1e-12);
  }
}

}  // namespace
}  // namespace gridiron
