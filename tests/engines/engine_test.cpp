// SPDX-License-Identifier: Apache-2.0
// The contract of the Engine interface, checked for every engine in the registry.
#include "engines/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <span>
#include <stop_token>
#include <thread>

#include "examples/jacobi_cg/jacobi_cg_engine.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {

void PrintTo(const EngineInfo& info, std::ostream* out) { *out << info.name; }

namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class EveryEngine : public testing::TestWithParam<EngineInfo> {
 protected:
  /// A direct engine is exact up to rounding whatever the stop rule; an iterative one reaches the requested accuracy.
  static bool is_direct() { return GetParam().is_direct(); }
  static inline const StopRule kTight{.relative_residual = 1e-13};
  static double accuracy() { return is_direct() ? 1e-13 : 1e-10; }

  std::unique_ptr<Engine> make(const Settings& settings = {}) const { return GetParam().make(settings); }

  /// Error against dense elimination in long double, relative to the largest entry of the solution.
  static double error(const Problem& problem, std::span<const double> b, std::span<const double> x) {
    const auto expected = test::dense_reference(problem.matrix, b);
    double worst = 0, largest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      worst = std::max(worst, std::abs(x[i] - expected[i]));
      largest = std::max(largest, std::abs(expected[i]));
    }
    return worst / largest;
  }

  void expect_solves(const Problem& problem, int64_t columns, double rhs_scale = 1.0) {
    const auto engine = make();
    engine->setup(problem);
    const int64_t n = problem.matrix.rows;
    const auto b = test::random_block(n * columns, 5, rhs_scale);
    const auto [x, stats] = test::solve(*engine, problem, b, kTight);
    EXPECT_TRUE(stats.converged);
    EXPECT_LE(stats.relative_residual, 1e-13);
    for (int64_t j = 0; j < columns; ++j) {
      const size_t first = j * n, count = n;
      EXPECT_LE(error(problem, std::span(b).subspan(first, count), std::span(x).subspan(first, count)), accuracy())
          << "n = " << n << ", column " << j;
    }
  }
};

TEST_P(EveryEngine, SolvesOneByOne) {
  const Problem problem = test::problem_of({{{0, 4.0}}});
  const auto engine = make();
  engine->setup(problem);
  EXPECT_THAT(test::solve(*engine, problem, {2.0}).x, testing::ElementsAre(0.5));
}

TEST_P(EveryEngine, SolvesNothingAtAll) {
  const Problem problem = test::problem_of({});
  const auto engine = make();
  engine->setup(problem);
  EXPECT_TRUE(test::solve(*engine, problem, {}).stats.converged);
  engine->update(problem);
  EXPECT_TRUE(test::solve(*engine, problem, {}).stats.converged);
}

TEST_P(EveryEngine, SolvesADiagonalOverManyDecades) {
  test::Rows rows(25);
  for (int i = 0; i < 25; ++i) rows[i][i] = std::pow(10.0, i - 12);
  const Problem problem = test::problem_of(rows);
  const auto engine = make();
  engine->setup(problem);
  const auto x = test::solve(*engine, problem, std::vector<double>(25, 1.0), kTight).x;
  for (int i = 0; i < 25; ++i) EXPECT_NEAR(x[i] * rows[i][i], 1, accuracy());
}

TEST_P(EveryEngine, SolvesPoissonOfNeighbouringSizes) {
  for (const int32_t n : {1, 2, 3, 8, 9, 10, 15, 16, 17, 18}) expect_solves(test::poisson(n), 1);
}

TEST_P(EveryEngine, SolvesTinyAndHugeScales) {
  for (const double scale : {1e-12, 1.0, 1e12}) {
    for (const double rhs_scale : {1e-12, 1e12}) expect_solves(test::poisson(12, scale), 1, rhs_scale);
  }
}

TEST_P(EveryEngine, SolvesBlocksOfRightHandSides) {
  for (const int64_t columns : {1, 2, 7, 64}) expect_solves(test::poisson(9), columns);
}

TEST_P(EveryEngine, SolvesGridsOfTwelveDecades) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Problem problem = test::random_grid(120, 6, seed);
    const auto engine = make();
    engine->setup(problem);
    const auto b = test::random_block(120, seed);
    EXPECT_TRUE(test::solve(*engine, problem, b).stats.relative_residual < 1e-8) << seed;
  }
}

TEST_P(EveryEngine, ZeroRightHandSideGivesZero) {
  const Problem problem = test::poisson(6);
  const auto engine = make();
  engine->setup(problem);
  const auto [x, stats] = test::solve(*engine, problem, std::vector<double>(36, 0.0));
  EXPECT_THAT(x, Each(0.0));
  EXPECT_TRUE(stats.converged);
  EXPECT_EQ(stats.relative_residual, 0.0);
}

TEST_P(EveryEngine, OneZeroColumnAmongOthersDoesNoHarm) {
  const Problem problem = test::poisson(6);
  const auto engine = make();
  engine->setup(problem);
  auto b = test::random_block(3 * 36, 1);
  std::fill(b.begin() + 36, b.begin() + 72, 0.0);
  const auto [x, stats] = test::solve(*engine, problem, b);
  EXPECT_TRUE(stats.converged);
  EXPECT_THAT(std::vector<double>(x.begin() + 36, x.begin() + 72), Each(0.0));
}

/// Also in blocks, each column is the solution for its own right-hand side, after the iterations it takes alone.
TEST_P(EveryEngine, BlocksAreTheirColumns) {
  const Problem problem = test::random_grid(900, 2, 21);
  const int64_t n = problem.matrix.rows;
  const auto engine = make();
  engine->setup(problem);
  for (const int64_t columns : {1, 7, 8, 9, 17}) {
    const auto b = test::random_block(n * columns, 13);
    const auto [x, stats] = test::solve(*engine, problem, b, kTight);
    ASSERT_THAT(stats.columns, SizeIs(columns));
    for (int64_t j = 0; j < columns; ++j) {
      const auto [alone, own] = test::solve(*engine, problem, {b.begin() + j * n, b.begin() + (j + 1) * n}, kTight);
      EXPECT_TRUE(stats.columns[j].converged);
      EXPECT_NEAR(stats.columns[j].iterations, own.iterations, 1) << j << " of " << columns;
      double largest = 0;
      for (const double v : alone) largest = std::max(largest, std::abs(v));
      for (int64_t i = 0; i < n; ++i) ASSERT_NEAR(x[j * n + i], alone[i], 1e-11 * largest) << j << ", " << i;
    }
  }
}

/// Exact initial guesses, columns of zeros, currents of every magnitude: each column stops independently.
TEST_P(EveryEngine, ColumnsOfVeryDifferentDifficulty) {
  const Problem problem = test::poisson(20);
  constexpr int64_t n = 400, columns = 21;
  const auto engine = make();
  engine->setup(problem);
  auto b = test::random_block(n * columns, 17);
  std::vector<double> x(b.size(), 0.0);
  for (int64_t j = 0; j < columns; ++j) {
    const std::span<double> column = std::span(b).subspan(j * n, n);
    for (double& v : column) v *= j % 3 == 0 ? 0.0 : std::pow(10.0, static_cast<double>(j) - 10);
    if (j % 3 == 1) std::ranges::copy(test::dense_reference(problem.matrix, column), x.begin() + j * n);
  }
  const StopRule stop{.relative_residual = 1e-10};
  const SolveStats stats = engine->solve({b.data(), n, columns}, {x.data(), n, columns}, stop);
  EXPECT_TRUE(stats.converged);
  for (int64_t j = 0; j < columns; ++j) {
    const std::span<const double> column = std::span(b).subspan(j * n, n), answer = std::span(x).subspan(j * n, n);
    if (j % 3 == 0)
      EXPECT_THAT(answer, Each(0.0));
    else
      EXPECT_LE(error(problem, column, answer), 1e-8) << j;
    if (j % 3 < 2 && !is_direct()) {
      EXPECT_EQ(stats.columns[j].iterations, 0) << j;
    }
    EXPECT_THAT(stats.columns[j].history, SizeIs(stats.columns[j].iterations + 1));
  }
}

TEST_P(EveryEngine, AStoppedSolveLeavesTheEngineUsable) {
  const Problem problem = test::poisson(150);
  const int64_t n = problem.matrix.rows;
  const auto engine = make();
  std::stop_source stop;
  engine->set_context({.stop = stop.get_token()});
  engine->setup(problem);
  const auto b = test::random_block(20 * n, 5);
  std::vector<double> x(b.size(), 0.0);
  std::jthread other([&] { stop.request_stop(); });
  // Without a limit that could be reached, an iterative method ends only on request.
  const StopRule endless{.relative_residual = 0, .max_iterations = std::numeric_limits<int>::max()};
  try {
    engine->solve({b.data(), n, 20}, {x.data(), n, 20}, endless);
  } catch (const Stopped&) {
  }
  other.join();
  EXPECT_THROW(engine->solve({b.data(), n, 20}, {x.data(), n, 20}, endless), Stopped);
  engine->set_context({});
  const std::vector<double> first(b.begin(), b.begin() + n);
  EXPECT_TRUE(test::solve(*engine, problem, first, {.max_iterations = 5000}).stats.converged);
}

TEST_P(EveryEngine, RefusesToSolveWithoutSetupOrInOtherSizes) {
  const auto engine = make();
  std::vector<double> b(20, 1.0), x(20, 0.0);
  EXPECT_THROW(engine->solve({b.data(), 9, 1}, {x.data(), 9, 1}, {}), SolverError);
  engine->setup(test::poisson(3));
  EXPECT_THROW(engine->solve({b.data(), 10, 1}, {x.data(), 10, 1}, {}), InputError);
  EXPECT_THROW(engine->solve({b.data(), 9, 2}, {x.data(), 9, 1}, {}), InputError);
  EXPECT_TRUE(engine->solve({b.data(), 9, 0}, {x.data(), 9, 0}, {}).converged);
}

TEST_P(EveryEngine, SaysWhereVectorsMayLie) {
  const Problem problem = test::poisson(3);
  const auto engine = make();
  engine->setup(problem);
  std::vector<double> b(9, 1.0), x(9, 0.0);
  EXPECT_FALSE(engine->takes_device_memory());
  EXPECT_THROW(engine->solve({b.data(), 9, 1, Memory::device}, {x.data(), 9, 1, Memory::device}, {}), InputError);
  EXPECT_THROW(engine->solve({b.data(), 9, 1}, {x.data(), 9, 1, Memory::device}, {}), InputError);
}

TEST_P(EveryEngine, UpdateSolvesTheNewNumbers) {
  Problem problem = test::poisson(10);
  const auto engine = make();
  engine->setup(problem);
  const auto b = test::random_block(100, 9);
  test::solve(*engine, problem, b);
  for (int round = 1; round <= 3; ++round) {
    for (int64_t i = 0; i < 100; ++i) {
      for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k) {
        if (problem.matrix.col[k] == i) problem.matrix.value[k] += 0.1 * static_cast<double>(i) * round;
      }
    }
    engine->update(problem);
    EXPECT_LE(error(problem, b, test::solve(*engine, problem, b, kTight).x), accuracy());
  }
}

TEST_P(EveryEngine, SetupTakesAnotherProblem) {
  const auto engine = make();
  for (const int32_t n : {5, 12, 3}) {
    const Problem problem = test::poisson(n);
    engine->setup(problem);
    const auto b = test::random_block(n * n, 2);
    EXPECT_LE(error(problem, b, test::solve(*engine, problem, b, kTight).x), accuracy());
  }
}

TEST_P(EveryEngine, EitherLimitStops) {
  const Problem problem = test::poisson(20);
  const auto engine = make();
  engine->setup(problem);
  const auto b = test::random_block(400, 3);
  StopRule impossible{.relative_residual = 0, .absolute_max = 0, .max_iterations = 200};
  EXPECT_FALSE(test::solve(*engine, problem, b, impossible).stats.converged);
  StopRule absolute = impossible;
  absolute.absolute_max = 1e-9;
  const auto stats = test::solve(*engine, problem, b, absolute).stats;
  EXPECT_TRUE(stats.converged);
  EXPECT_LE(stats.max_residual, 1e-9);
  StopRule relative = impossible;
  relative.relative_residual = 1e-9;
  EXPECT_TRUE(test::solve(*engine, problem, b, relative).stats.converged);
}

TEST_P(EveryEngine, StatsTellTheTrueResidual) {
  const Problem problem = test::poisson(20);
  const auto engine = make();
  engine->setup(problem);
  const auto b = test::random_block(400, 3);
  const auto [x, stats] = test::solve(*engine, problem, b);
  std::vector<long double> r(b.begin(), b.end());
  long double squares = 0, rhs_squares = 0, largest = 0;
  for (int64_t i = 0; i < 400; ++i) {
    for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k) {
      r[i] -= static_cast<long double>(problem.matrix.value[k]) * x[problem.matrix.col[k]];
    }
    squares += r[i] * r[i];
    rhs_squares += static_cast<long double>(b[i]) * b[i];
    largest = std::max(largest, std::abs(r[i]));
  }
  EXPECT_NEAR(stats.relative_residual / static_cast<double>(std::sqrt(squares / rhs_squares)), 1.0, 1e-6);
  EXPECT_NEAR(stats.max_residual / static_cast<double>(largest), 1.0, 1e-6);
  EXPECT_THAT(stats.history, SizeIs(stats.iterations + 1));
  EXPECT_EQ(stats.history.back(), stats.relative_residual);
}

TEST_P(EveryEngine, SingularMatrixIsAnError) {
  // Two floating nodes next to a grounded one; a floating ring whose pivots are rounding noise; an empty row.
  test::Rows ring(30);
  for (int i = 0; i < 30; ++i) {
    const int next = (i + 1) % 30;
    const double g = 0.1 + 0.7 * (i % 5);
    ring[i][i] += g;
    ring[next][next] += g;
    ring[i][next] = ring[next][i] = -g;
  }
  for (const test::Rows& rows : {test::Rows{{{0, 1.0}}, {{1, 1.0}, {2, -1.0}}, {{1, -1.0}, {2, 1.0}}}, ring,
                                 test::Rows{{{0, 1.0}}, {{1, 0.0}}}}) {
    const Problem problem = test::problem_of(rows);
    const auto engine = make();
    try {
      engine->setup(problem);
      EXPECT_FALSE(is_direct()) << "no error for a singular matrix of " << rows.size() << " rows";
      const auto b = test::random_block(problem.matrix.rows, 1);
      const auto [x, stats] = test::solve(*engine, problem, b);
      EXPECT_FALSE(stats.converged);
      for (const double v : x) EXPECT_TRUE(std::isfinite(v));
    } catch (const SolverError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(GetParam().name)));
      if (is_direct()) {
        EXPECT_THAT(error.what(), HasSubstr("unknown"));
      }
    }
    const Problem healthy = test::poisson(3);
    engine->setup(healthy);
    EXPECT_TRUE(test::solve(*engine, healthy, std::vector<double>(9, 1.0)).stats.converged);
  }
}

TEST_P(EveryEngine, CountsItsMemory) {
  const auto engine = make();
  const Problem small = test::poisson(20), large = test::poisson(60);
  engine->setup(small);
  const auto bytes = engine->bytes();
  EXPECT_GT(bytes, 100 * 8);
  engine->setup(large);
  EXPECT_GT(engine->bytes(), 5 * bytes);
}

TEST_P(EveryEngine, EchoesItsParameters) {
  const ParamList defaults = GetParam().defaults();
  const ParamList echoed = make()->parameters();
  ASSERT_EQ(defaults.size(), echoed.size());
  for (size_t i = 0; i < defaults.size(); ++i) {
    EXPECT_EQ(defaults[i].name, echoed[i].name);
    EXPECT_EQ(defaults[i].value, echoed[i].value);
    EXPECT_FALSE(echoed[i].meaning.empty());
  }
}

TEST_P(EveryEngine, RejectsUnknownParameters) {
  try {
    make({{"no_such_key", "1"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(std::string(GetParam().name)), HasSubstr("no_such_key")));
    for (const Param& param : GetParam().defaults()) EXPECT_THAT(error.what(), HasSubstr(param.name));
  }
}

TEST_P(EveryEngine, SameBitsForEveryNumberOfThreads) {
  const Problem problem = test::poisson(150);
  const auto b = test::random_block(18 * 150 * 150, 4);  // enough columns for two threads to share them
  const int before = omp_get_max_threads();
  std::vector<std::vector<double>> solutions;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    const auto engine = make();
    engine->setup(problem);
    solutions.push_back(test::solve(*engine, problem, b, {.relative_residual = 0}).x);
  }
  omp_set_num_threads(before);
  EXPECT_EQ(solutions[0], solutions[1]);
  EXPECT_EQ(solutions[0], solutions[2]);
}

TEST_P(EveryEngine, BeginsAtZeroIfToldTo) {
  const Problem problem = test::random_grid(700, 3, 11);
  const int64_t n = 700;
  const auto engine = make();
  engine->setup(problem);
  StopRule stop{.relative_residual = 1e-12};
  for (const int64_t columns : {1, 9}) {
    const auto b = test::random_block(n * columns, 6);
    stop.from_zero = false;
    const auto expected = test::solve(*engine, problem, b, stop);
    std::vector<double> x(b.size(), std::numeric_limits<double>::quiet_NaN());
    stop.from_zero = true;
    const SolveStats stats = engine->solve({b.data(), n, columns}, {x.data(), n, columns}, stop);
    EXPECT_TRUE(stats.converged);
    EXPECT_EQ(stats.iterations, expected.stats.iterations);
    EXPECT_EQ(x, expected.x) << columns;
  }
}

TEST_P(EveryEngine, AgreesWithTheFirstEngine) {
  const Problem problem = test::random_grid(2000, 3, 11);
  const auto b = test::random_block(2000, 6);
  const auto first = engines().front().make({}), engine = make();
  first->setup(problem);
  engine->setup(problem);
  const StopRule stop{.relative_residual = 1e-14};
  const auto expected = test::solve(*first, problem, b, stop).x, x = test::solve(*engine, problem, b, stop).x;
  double largest = 0;
  for (const double v : expected) largest = std::max(largest, std::abs(v));
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-11 * largest);
}

/// Engines that need only a matrix; those that need structure have separate tests.
std::vector<EngineInfo> matrix_engines() {
  std::vector<EngineInfo> takers;
  for (const EngineInfo& engine : engines())
    if (engine.devices != "cuda" && !engine.declines(test::poisson(3))) takers.push_back(engine);
  return takers;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryEngine, testing::ValuesIn(matrix_engines()),
                         [](const auto& info) { return std::string(info.param.name); });

// The engine of docs/add_an_engine.md, with the row that would add it to the table.
// [row]
constexpr EngineInfo kJacobiCg = {.name = "jacobi_cg",
                                  .about = "conjugate gradients preconditioned by the diagonal",
                                  .devices = "cpu",
                                  .kind = EngineKind::algebraic,
                                  .declines = jacobi_cg_declines,
                                  .make = make_jacobi_cg,
                                  .defaults = jacobi_cg_defaults};
// [/row]
INSTANTIATE_TEST_SUITE_P(AddAnEngine, EveryEngine, testing::Values(kJacobiCg));

/// Small problems must not be solved by the coarsest grid's inverse alone.
EngineInfo many_grids() {
  EngineInfo info = find_engine("aggamg");
  info.defaults = [] {
    ParamList list = find_engine("aggamg").defaults();
    for (Param& param : list)
      if (param.name == "coarse_size") param.value = "10";
    return list;
  };
  info.make = [](const Settings& settings) {
    Settings all = settings;
    all.emplace("coarse_size", "10");
    return find_engine("aggamg").make(all);
  };
  return info;
}
INSTANTIATE_TEST_SUITE_P(ManyGrids, EveryEngine, testing::Values(many_grids()));

TEST(SummedUp, KeepsNaNWhicheverColumnHasIt) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const size_t bad : {0, 1, 2}) {
    std::vector<ColumnStats> columns(
        3, {.relative_residual = 1e-9, .max_residual = 1, .converged = true, .history = {1.0, 1e-9}});
    columns[bad] = {.relative_residual = kNaN, .max_residual = kNaN, .converged = false, .history = {kNaN}};
    const SolveStats all = summed_up(columns);
    EXPECT_TRUE(std::isnan(all.relative_residual) && std::isnan(all.max_residual)) << bad;
    EXPECT_FALSE(all.converged);
    EXPECT_THAT(all.history, SizeIs(1));
  }
}

TEST(Cholmod, DeclinesWhatIsNotPositiveDefinite) {
  const auto declines = find_engine("cholmod").declines;
  EXPECT_EQ(declines(test::poisson(2)), std::nullopt);
  EXPECT_EQ(declines(test::unsymmetric(5, 1)), "needs a symmetric positive definite matrix");
}

TEST(Cholmod, IndefiniteMatrixNamesTheUnknown) {
  for (const char* factorization : {"simplicial", "supernodal"}) {
    const Problem problem = test::problem_of({{{0, 2.0}}, {{1, 2.0}}, {{2, -2.0}}, {{3, 2.0}}});
    const auto engine = find_engine("cholmod").make({{"factorization", factorization}});
    try {
      engine->setup(problem);
      FAIL() << factorization;
    } catch (const SolverError& error) {
      EXPECT_THAT(error.what(), HasSubstr("unknown 2")) << factorization;
    }
  }
}

TEST(Cholmod, EveryOrderingAndFactorizationSolves) {
  const Problem problem = test::poisson(40);
  const auto b = test::random_block(1600, 8);
  const auto expected = test::dense_reference(problem.matrix, b);
  for (const char* ordering : {"amd", "metis", "best"}) {
    for (const char* factorization : {"auto", "simplicial", "supernodal"}) {
      const auto engine = find_engine("cholmod").make({{"ordering", ordering}, {"factorization", factorization}});
      engine->setup(problem);
      engine->update(problem);
      const auto x = test::solve(*engine, problem, b).x;
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_NEAR(x[i], expected[i], 1e-11) << ordering << ", " << factorization;
      }
    }
  }
  EXPECT_THROW(find_engine("cholmod").make({{"ordering", "random"}}), InputError);
  EXPECT_THROW(find_engine("cholmod").make({{"factorization", "lu"}}), InputError);
}

TEST(Superlu, SolvesUnsymmetricSystems) {
  for (const char* ordering : {"auto", "amd", "mmd", "colamd"}) {
    const Problem problem = test::unsymmetric(200, 3);
    const auto engine = find_engine("superlu").make({{"ordering", ordering}});
    engine->setup(problem);
    const auto b = test::random_block(400, 1);
    const auto [x, stats] = test::solve(*engine, problem, b);
    EXPECT_TRUE(stats.converged);
    for (int column = 0; column < 2; ++column) {
      const auto expected = test::dense_reference(problem.matrix, std::span(b).subspan(200 * column, 200));
      for (int i = 0; i < 200; ++i) ASSERT_NEAR(x[200 * column + i], expected[i], 1e-13) << ordering;
    }
  }
}

TEST(Superlu, PivotsWhereTheDiagonalIsZero) {
  const Problem problem = test::problem_of({{{1, 2.0}}, {{0, 3.0}, {2, 1.0}}, {{0, 1.0}, {1, 1.0}}}, false);
  const auto engine = find_engine("superlu").make({});
  engine->setup(problem);
  const auto x = test::solve(*engine, problem, {4.0, 10.0, 5.0}).x;
  EXPECT_NEAR(x[0], 3.0, 1e-14);
  EXPECT_NEAR(x[1], 2.0, 1e-14);
  EXPECT_NEAR(x[2], 1.0, 1e-14);
}

TEST(Superlu, OrdersAHubInLinearTime) {
  constexpr int kSatellites = 100'000;
  test::Rows star(1 + kSatellites);
  star[0][0] = kSatellites + 1.0;
  for (int i = 1; i <= kSatellites; ++i) {
    star[i][i] = 1.0;
    star[i][0] = star[0][i] = -1.0;
  }
  const auto engine = find_engine("superlu").make({});
  const Stopwatch watch;
  engine->setup(test::problem_of(star));
  EXPECT_LT(watch.seconds(), 5.0) << "SuperLU's own minimum degree takes 12 s";
  EXPECT_LT(engine->bytes(), 100'000'000);
}

TEST(Superlu, RefusesWhatWouldTakeMinutes) {
  const Problem expander = test::random_grid(2000, 0, 1);
  EXPECT_NO_THROW(find_engine("superlu").make({})->setup(expander));
  try {
    find_engine("superlu").make({{"most_operations", "1e6"}})->setup(expander);
    FAIL() << "the last front has hundreds of rows";
  } catch (const SolverError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("nonzeros"), HasSubstr("raise most_operations")));
  }
}

TEST(Superlu, DeclinesMoreNonzerosThanItCanCount) {
  Problem problem;
  problem.matrix.rows = 1;
  problem.matrix.row_ptr = {0, int64_t{1} << 31};
  const auto reason = find_engine("superlu").declines(problem);
  ASSERT_TRUE(reason.has_value());
  EXPECT_THAT(*reason, AllOf(HasSubstr("32 bits"), HasSubstr("2147483648")));
  EXPECT_THROW(find_engine("superlu").make({})->setup(problem), SolverError);
}

}  // namespace
}  // namespace gridiron
