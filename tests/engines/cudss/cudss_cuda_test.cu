// SPDX-License-Identifier: Apache-2.0
// Engine cudss against CHOLMOD. Skipped where there is no GPU or no cuDSS.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/engine.hpp"
#include "support/error.hpp"
#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/regular_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

class CudssOnCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = find_engine("cudss").declines(test::poisson(3))) GTEST_SKIP() << *reason;
  }

  static std::unique_ptr<Engine> make(const Settings& settings = {}) {
    return find_engine("cudss").make_on_cuda(settings);
  }

  /// `reachable`: the relative residual that rounding in fp64 leaves.
  static void expect_solves(Engine& engine, const Problem& problem, int64_t columns, double reachable = 1e-13) {
    const auto cholmod = find_engine("cholmod").make({});
    cholmod->setup(problem);
    const auto b = test::random_block(columns * problem.matrix.rows, 5);
    const StopRule stop{.relative_residual = reachable};
    const auto expected = test::solve(*cholmod, problem, b, stop), got = test::solve(engine, problem, b, stop);
    EXPECT_TRUE(got.stats.converged) << got.stats.relative_residual;
    double largest = 0;
    for (const double v : expected.x) largest = std::max(largest, std::abs(v));
    for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-11 * largest);
  }
};

std::string setting(const Engine& engine, std::string_view name) {
  for (const auto& parameter : engine.parameters())
    if (parameter.name == name) return parameter.value;
  return {};
}

TEST_F(CudssOnCuda, SolvesEverySizeWithAndWithoutPlaces) {
  for (const int32_t n : {1, 2, 3, 31, 32, 33, 100, 300}) {
    SCOPED_TRACE(n);
    const auto engine = make();
    engine->setup(test::poisson(n));
    EXPECT_EQ(setting(*engine, "ordering"), "library");
    expect_solves(*engine, test::poisson(n), 2);
  }
  for (const int64_t points : {3, 9, 17, 33, 65, 257}) {
    SCOPED_TRACE(points);
    const Problem problem = test::problem_on(test::unit_grid(2, points));
    for (const char* ordering : {"geometric", "library", "auto"}) {
      const auto engine = make({{"ordering", ordering}});
      engine->setup(problem);
      expect_solves(*engine, problem, 1);
    }
  }
  const Problem space = test::problem_on(test::unit_grid(3, 33));
  const auto engine = make({{"ordering", "geometric"}});
  engine->setup(space);
  EXPECT_EQ(setting(*engine, "ordering"), "geometric");
  expect_solves(*engine, space, 3);
}

TEST_F(CudssOnCuda, SolvesPowerGrids) {
  for (const double via : {0.3, 30.0}) {
    const auto deck = test::mesh(90, 60, via);
    const auto pins = test::mesh_with_pins(90, 60, via, 5);
    for (const Problem* problem : {&deck->problem, &pins->problem}) {
      const auto engine = make();
      engine->setup(*problem);
      EXPECT_EQ(setting(*engine, "ordering"), "geometric");
      expect_solves(*engine, *problem, 2, 1e-11);
    }
  }
}

TEST_F(CudssOnCuda, BlocksOfManyColumns) {
  const Problem problem = test::problem_on(test::unit_grid(2, 40));
  const auto engine = make();
  engine->setup(problem);
  for (const int64_t columns : {1, 2, 8, 33, 256, 257}) expect_solves(*engine, problem, columns);
}

TEST_F(CudssOnCuda, UpdatesRefactor) {
  const Problem first = test::random_grid(4000, 1, 3);
  Problem second = first;
  for (double& v : second.matrix.value) v *= 3;
  const auto engine = make();
  engine->setup(first);
  expect_solves(*engine, first, 1);
  engine->update(second);
  expect_solves(*engine, second, 2);
  engine->update(test::poisson(20));
  expect_solves(*engine, test::poisson(20), 1);
}

TEST_F(CudssOnCuda, FactorsInHostMemory) {
  const Problem problem = test::problem_on(test::unit_grid(2, 129));
  const auto engine = make({{"memory", "host"}});
  engine->setup(problem);
  EXPECT_EQ(setting(*engine, "memory"), "host");
  expect_solves(*engine, problem, 2);
}

TEST_F(CudssOnCuda, VectorsOnTheDevice) {
  const Problem problem = test::problem_on(test::unit_grid(2, 65));
  const auto engine = make();
  engine->setup(problem);
  const int64_t n = problem.matrix.rows, k = 3;
  const auto b = test::random_block(k * n, 7);
  const auto expected = test::solve(*engine, problem, b, {.relative_residual = 1e-13}).x;
  double* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 2 * b.size() * sizeof(double)), cudaSuccess);
  for (const double absolute_max : {0.0, std::numeric_limits<double>::infinity()}) {
    ASSERT_EQ(cudaMemcpy(device, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(),
              cudaSuccess);  // pageable memory may still be on its way, other streams do not wait
    const StopRule stop{.relative_residual = 1e-13, .absolute_max = absolute_max};
    EXPECT_TRUE(
        engine->solve({device, n, k, Memory::device}, {device + b.size(), n, k, Memory::device}, stop).converged);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<double> x(b.size());
    ASSERT_EQ(cudaMemcpy(x.data(), device + b.size(), b.size() * sizeof(double), cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-12 * std::abs(expected[i]) + 1e-12);
  }
  cudaFree(device);
}

TEST_F(CudssOnCuda, SingularMatricesAreTold) {
  test::Rows rows(50);
  for (int32_t i = 0; i + 1 < 50; ++i) {
    rows[i][i] += 1;
    rows[i + 1][i + 1] += 1;
    rows[i][i + 1] = rows[i + 1][i] = -1;
  }
  const Problem floating = test::problem_of(rows);
  rows[7][7] = -3;
  const Problem indefinite = test::problem_of(rows);
  for (const Problem* problem : {&floating, &indefinite}) {
    const auto engine = make();
    const auto solve = [&] {
      engine->setup(*problem);
      const auto stats = test::solve(*engine, *problem, test::random_block(50, 1), {.relative_residual = 1e-10}).stats;
      if (!stats.converged) throw SolverError("not converged");
    };
    EXPECT_THROW(solve(), SolverError);
    engine->setup(test::poisson(5));
    expect_solves(*engine, test::poisson(5), 1);
  }
}

TEST_F(CudssOnCuda, NothingAtAll) {
  const auto engine = make();
  engine->setup(test::problem_of({}));
  EXPECT_TRUE(test::solve(*engine, test::problem_of({}), {}).stats.converged);
}

}  // namespace
}  // namespace gridiron
