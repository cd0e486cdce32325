// SPDX-License-Identifier: Apache-2.0
// GRIDIRON_RANDOM_MATRICES=10000 test_engines --gtest_filter='SuperluRandom.*' solves more than CI does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "engines/superlu/superlu_engine.hpp"
#include "support/error.hpp"
#include "tests/engines/superlu/random_matrix.hpp"

namespace gridiron {
namespace {

int matrices_to_solve() {
  const char* const given = std::getenv("GRIDIRON_RANDOM_MATRICES");
  return given ? std::atoi(given) : 200;
}

enum class Verdict { refused, missed, answered };

Verdict solve_any(const test::RandomMatrix& matrix, bool symmetric_positive_definite, std::vector<double>& x) {
  try {
    const auto engine = find_engine("superlu").make({});
    engine->setup(matrix.problem(symmetric_positive_definite));
    const int64_t n = matrix.n;
    x.assign(n, 0.0);
    const SolveStats stats = engine->solve({matrix.b.data(), n}, {x.data(), n}, {.relative_residual = 1e-10});
    return stats.converged ? Verdict::answered : Verdict::missed;
  } catch (const SolverError&) {
    return Verdict::refused;
  }
}

/// The largest error relative to the largest entry of the solution.
double error_of(const std::vector<double>& x, const std::vector<test::Rational>& exact) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto e = (test::Rational(x[i]) - exact[i]).convert_to<double>();
    if (!(std::abs(e) <= worst)) worst = std::abs(e);
    largest = std::max(largest, std::abs(exact[i].convert_to<double>()));
  }
  return largest > 0 ? worst / largest : worst;
}

TEST(SuperluRandom, AnswersRightOrRefuses) {
  const int count = matrices_to_solve();
  int regular = 0, singular = 0, refused = 0;
  for (int seed = 0; seed < count; ++seed) {
    const test::RandomMatrix matrix(seed);
    const std::vector<test::Rational> exact = test::exact_solution(matrix);
    const bool is_regular = !exact.empty();
    ++(is_regular ? regular : singular);
    for (const bool as_definite : {false, true}) {
      if (as_definite && !matrix.is_symmetric) continue;
      std::vector<double> x;
      const Verdict verdict = solve_any(matrix, as_definite, x);
      if (!is_regular) {
        EXPECT_NE(verdict, Verdict::answered) << "seed " << seed << " is singular" << (as_definite ? ", definite" : "");
      } else if (verdict == Verdict::answered) {
        EXPECT_LT(error_of(x, exact), 1e-6) << "seed " << seed << (as_definite ? ", definite" : "");
      } else {
        ++refused;
      }
    }
  }
  std::cout << regular << " regular matrices, " << refused << " refusals of them; " << singular << " singular\n";
  EXPECT_GT(regular, count / 4);
  EXPECT_GT(singular, count / 8);
  EXPECT_LE(refused, regular / 10) << "only those that are nearly singular";
}

}  // namespace
}  // namespace gridiron
