// SPDX-License-Identifier: Apache-2.0
// What is particular to engine hypre; the contract of every engine is in engine_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>

#include "engines/engine.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class Hypre : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = find_engine("hypre").declines(test::poisson(2))) GTEST_SKIP() << *reason;
  }

  static std::unique_ptr<Engine> make(const Settings& settings = {}) { return find_engine("hypre").make(settings); }

  static std::string message_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  /// The solution of a solve that converges within so many iterations.
  static std::vector<double> solved(Engine& engine, const Problem& problem, const std::vector<double>& b, int most) {
    const auto [x, stats] = test::solve(engine, problem, b, {.relative_residual = 1e-10});
    EXPECT_TRUE(stats.converged);
    EXPECT_LE(stats.iterations, most);
    return x;
  }

  /// n × n unknowns in the plane, which know their places; numbered at random.
  static Problem placed(int32_t n) {
    const int64_t count = int64_t{n} * n;
    std::vector<int32_t> number(count);
    for (int64_t i = 0; i < count; ++i) number[i] = static_cast<int32_t>(i * 7919 % count);
    const CsrMatrix plain = test::poisson(n).matrix;
    test::Rows rows(count);
    for (int64_t i = 0; i < count; ++i)
      for (auto k = plain.row_ptr[i]; k < plain.row_ptr[i + 1]; ++k)
        rows[number[i]][number[plain.col[k]]] = plain.value[k];
    Problem problem = test::problem_of(rows);
    PowerGrid grid{std::make_shared<MergedNetwork>(), {}};
    grid.geometry.x_um.resize(count);
    grid.geometry.y_um.resize(count);
    for (int64_t i = 0; i < count; ++i) {
      grid.geometry.x_um[number[i]] = static_cast<double>(i % n);
      grid.geometry.y_um[number[i]] = static_cast<double>(i / n);
    }
    problem.structure = grid;
    return problem;
  }
};

TEST_F(Hypre, NeedsAFewIterationsOnAnySizeOfGrid) {
  for (const int32_t n : {50, 100, 300}) {
    const Problem problem = test::poisson(n);
    const auto engine = make();
    engine->setup(problem);
    solved(*engine, problem, test::random_block(int64_t{n} * n, 1), 14);
    EXPECT_GE(engine->levels().size(), 4u);
    EXPECT_EQ(engine->levels().front().unknowns, int64_t{n} * n);
    EXPECT_EQ(engine->levels().front().nonzeros, problem.matrix.nonzeros());
  }
}

TEST_F(Hypre, EveryParameterIsPassedOn) {
  const Problem problem = test::poisson(60);
  const auto b = test::random_block(3600, 2);
  const auto expected = test::solve(
                            *[&] {
                              auto engine = find_engine("cholmod").make({});
                              engine->setup(problem);
                              return engine;
                            }(),
                            problem, b)
                            .x;
  const auto levels_with = [&](const Settings& settings) {
    const auto engine = make(settings);
    engine->setup(problem);
    const auto x = solved(*engine, problem, b, 100);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6);
    return engine->levels();
  };
  const auto usual = levels_with({});
  const auto describe = [](const std::vector<LevelSummary>& levels) {
    std::vector<int64_t> figures;
    for (const auto& level : levels) figures.insert(figures.end(), {level.unknowns, level.nonzeros});
    return figures;
  };
  for (const char* coarsening : {"pmis", "falgout", "cljp", "ruge-stueben"})
    EXPECT_NE(describe(levels_with({{"coarsening", coarsening}})), describe(usual)) << coarsening;
  for (const char* interpolation : {"extended", "standard", "classical", "direct", "multipass"})
    EXPECT_NE(describe(levels_with({{"interpolation", interpolation}})), describe(usual)) << interpolation;
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"max_elements", "2"},
                                                                  {"truncation", "0.3"},
                                                                  {"strength", "0.3"},
                                                                  {"aggressive_levels", "1"},
                                                                  {"max_levels", "3"},
                                                                  {"coarse_size", "200"}})
    EXPECT_NE(describe(levels_with({{name, value}})), describe(usual)) << name;

  const auto history_with = [&](const Settings& settings) {
    const auto engine = make(settings);
    engine->setup(problem);
    return test::solve(*engine, problem, b, {.relative_residual = 1e-10}).stats.history;
  };
  const auto usually = history_with({});
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"smoother", "symmetric-gauss-seidel"},
                                                                  {"smoother", "l1-gauss-seidel"},
                                                                  {"smoother", "chebyshev"},
                                                                  {"smoother", "l1-jacobi"},
                                                                  {"sweeps", "2"},
                                                                  {"cycle", "w"},
                                                                  {"krylov", "gmres"}})
    EXPECT_NE(history_with({{name, value}}), usually) << name << "=" << value;
  EXPECT_NE(history_with({{"smoother", "jacobi"}, {"relax_weight", "0.6"}}),
            history_with({{"smoother", "jacobi"}, {"relax_weight", "0.7"}}));
  EXPECT_NE(history_with({{"krylov", "gmres"}, {"restart", "2"}}), history_with({{"krylov", "gmres"}}));
}

TEST_F(Hypre, RejectsParametersOutOfRange) {
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"coarsening", "best"},
                                                                  {"interpolation", "linear"},
                                                                  {"max_elements", "-1"},
                                                                  {"truncation", "1.5"},
                                                                  {"strength", "-0.1"},
                                                                  {"max_row_sum", "2"},
                                                                  {"aggressive_levels", "-1"},
                                                                  {"smoother", "ilu"},
                                                                  {"sweeps", "0"},
                                                                  {"relax_weight", "0"},
                                                                  {"cycle", "k"},
                                                                  {"max_levels", "0"},
                                                                  {"coarse_size", "0"},
                                                                  {"krylov", "bicgstab"},
                                                                  {"restart", "0"},
                                                                  {"ordering", "hilbert"},
                                                                  {"strength", "nan"}})
    EXPECT_THAT(message_of([&, key = name, text = value] {
                  make({{key, text}});
                }),
                testing::AllOf(HasSubstr("hypre"), HasSubstr(name)));
}

TEST_F(Hypre, OrdersRowsByPlaceWhereItIsKnown) {
  const Problem problem = placed(40);
  const auto b = test::random_block(1600, 3);
  const auto expected = test::dense_reference(problem.matrix, b);
  for (const char* ordering : {"auto", "morton", "given"}) {
    const auto engine = make({{"ordering", ordering}});
    engine->setup(problem);
    const auto x = solved(*engine, problem, b, 15);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-7) << ordering;
  }
  EXPECT_THAT(message_of([] { make({{"ordering", "morton"}})->setup(test::poisson(5)); }), HasSubstr("places"));
}

TEST_F(Hypre, UpdatesAMatrixInItsOrder) {
  Problem problem = placed(30);
  const auto engine = make();
  engine->setup(problem);
  for (int64_t i = 0; i < problem.matrix.rows; ++i)
    for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k)
      if (problem.matrix.col[k] == i) problem.matrix.value[k] += 0.01 * static_cast<double>(i);
  engine->update(problem);
  const auto b = test::random_block(900, 4);
  const auto x = solved(*engine, problem, b, 15);
  const auto expected = test::dense_reference(problem.matrix, b);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-8);
}

TEST_F(Hypre, SolvesUnsymmetricSystems) {
  const Problem problem = test::unsymmetric(300, 3);
  const auto engine = make();
  engine->setup(problem);
  const auto b = test::random_block(300, 1);
  const auto x = solved(*engine, problem, b, 100);
  const auto expected = test::dense_reference(problem.matrix, b);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-8);
}

TEST_F(Hypre, SolvesIslandsAndUnknownsByThemselves) {
  test::Rows rows(1000);
  for (int i = 0; i < 1000; ++i) {
    rows[i][i] += 1e-3;
    if (i % 10 == 9 || i > 900) continue;
    rows[i][i] += 1;
    rows[i + 1][i + 1] += 1;
    rows[i][i + 1] = rows[i + 1][i] = -1;
  }
  const Problem problem = test::problem_of(rows);
  const auto engine = make();
  engine->setup(problem);
  const auto b = test::random_block(1000, 7);
  const auto x = solved(*engine, problem, b, 30);
  const auto expected = test::dense_reference(problem.matrix, b);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-6 * std::abs(expected[i]) + 1e-6);
}

TEST_F(Hypre, NamesTheUnknownThatSpoilsAMatrix) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem problem = test::poisson(10);
    problem.matrix.value[problem.matrix.row_ptr[37]] = bad;
    EXPECT_THAT(message_of([&] { make()->setup(problem); }), testing::AllOf(HasSubstr("not finite"), HasSubstr("37")));
  }
  for (const double bad : {0.0, -1.0}) {
    test::Rows rows{{{0, 2.0}}, {{1, bad}}, {{2, 1.0}}};
    EXPECT_THAT(message_of([&] { make()->setup(test::problem_of(rows)); }),
                testing::AllOf(HasSubstr("diagonal"), HasSubstr("unknown 1")));
  }
}

TEST_F(Hypre, StopsBetweenIterations) {
  const Problem problem = test::poisson(100);
  const auto engine = make();
  std::stop_source stop;
  int steps = 0;
  engine->set_context({.stop = stop.get_token(), .share_done = [&](double) {
                         if (++steps == 2) stop.request_stop();
                       }});
  engine->setup(problem);
  const auto b = test::random_block(10'000, 5);
  EXPECT_THROW(test::solve(*engine, problem, b), Stopped);
  EXPECT_EQ(steps, 2);
  engine->set_context({});
  solved(*engine, problem, b, 14);
}

TEST_F(Hypre, SolvesInSeveralThreadsAtOnce) {
  const auto solve_with = [](int32_t n, std::vector<double>& x) {
    const Problem problem = test::poisson(n);
    for (int round = 0; round < 5; ++round) {
      const auto engine = make();
      engine->setup(problem);
      x = solved(*engine, problem, test::random_block(int64_t{n} * n, 1), 14);
    }
  };
  std::vector<double> alone, together, beside;
  solve_with(60, alone);
  {
    const std::jthread one([&] { solve_with(60, together); }), other([&] { solve_with(45, beside); });
  }
  EXPECT_EQ(alone, together);
}

TEST_F(Hypre, LeavesTheProcessAsItWas) {
  make()->setup(test::poisson(3));
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) {
    struct sigaction action {};
    ASSERT_EQ(sigaction(signal, nullptr, &action), 0);
    EXPECT_TRUE(action.sa_handler == SIG_DFL) << signal;
  }
  EXPECT_EQ(std::getenv("OMPI_MCA_btl"), nullptr) << "a child that starts mpirun would inherit it";
}

}  // namespace
}  // namespace gridiron
