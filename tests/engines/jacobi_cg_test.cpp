// SPDX-License-Identifier: Apache-2.0
// Tests of the engine of docs/add_an_engine.md that engine_test.cpp does not cover.
#include "examples/jacobi_cg/jacobi_cg_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <thread>

#include "support/error.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

TEST(JacobiCg, StopRequestEndsTheSolveAndTheEngineGoesOn) {
  // With an unreachable stop rule, only the request or 2³¹ iterations end the solve.
  const Problem problem = test::poisson(200);
  const auto b = test::random_block(problem.matrix.rows, 1);
  const auto engine = make_jacobi_cg({});
  engine->setup(problem);
  std::stop_source source;
  Context context;
  context.threads = 1;
  context.stop = source.get_token();
  engine->set_context(context);
  std::vector<double> x(b.size(), 0.0);
  const std::jthread request([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    source.request_stop();
  });
  const StopRule never{.relative_residual = 0, .max_iterations = std::numeric_limits<int>::max()};
  EXPECT_THROW(engine->solve({b.data(), problem.matrix.rows}, {x.data(), problem.matrix.rows}, never), Stopped);

  context.stop = {};
  engine->set_context(context);
  EXPECT_TRUE(test::solve(*engine, problem, b, {.max_iterations = 10'000}).stats.converged);
}

TEST(JacobiCg, TheDiagonalHelpsWhereScalesDiffer) {
  const Problem problem = test::random_grid(500, 3, 2);
  const auto b = test::random_block(500, 3);
  const StopRule patient{.relative_residual = 1e-8, .max_iterations = 100'000};
  const auto iterations = [&](const char* jacobi) {
    const auto engine = make_jacobi_cg({{"jacobi", jacobi}});
    engine->setup(problem);
    const SolveStats stats = test::solve(*engine, problem, b, patient).stats;
    EXPECT_TRUE(stats.converged);
    return stats.iterations;
  };
  EXPECT_LT(2 * iterations("true"), iterations("false"));
}

TEST(JacobiCg, DeclinesWhatIsNotPositiveDefinite) {
  EXPECT_EQ(jacobi_cg_declines(test::poisson(2)), std::nullopt);
  EXPECT_EQ(jacobi_cg_declines(test::unsymmetric(5, 1)), "needs a symmetric positive definite matrix");
}

}  // namespace
}  // namespace gridiron
