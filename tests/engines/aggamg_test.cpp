// SPDX-License-Identifier: Apache-2.0
// Aggregation AMG: each step of the setup against its definition, iterations against the checked figures, the checking
// device against the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engines/aggamg/aggamg_on.hpp"
#include "engines/device/checking_device.hpp"
#include "engines/device/cpu_device.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using aggamg::AggAmgOn;
using aggamg::Aggregates;

template <class D>
class AggAmgSetup : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(AggAmgSetup, Devices);

/// Five-point operator with ε in front of the second direction.
Problem anisotropic(std::int32_t n, double epsilon) {
  test::Rows rows(n * n);
  for (std::int32_t i = 0; i < n * n; ++i) {
    rows[i][i] = 2 + 2 * epsilon;
    if (i % n > 0) rows[i][i - 1] = rows[i - 1][i] = -1;
    if (i >= n) rows[i][i - n] = rows[i - n][i] = -epsilon;
  }
  return test::problem_of(rows);
}

TYPED_TEST(AggAmgSetup, StrongCouplingsFollowEquation3) {
  using D = TypeParam;
  const Problem problem = anisotropic(9, 0.1);
  const DeviceCsr<D, double> a(problem.matrix);
  const auto graph = aggamg::strong_graph<D, double>(a.view(), 0.25);
  const auto row_ptr = graph.row_ptr.to_host();
  const auto col = graph.col.to_host();
  for (std::int32_t i = 0; i < 81; ++i) {
    std::set<std::int32_t> expected;
    if (i % 9 > 0) expected.insert(i - 1);
    if (i % 9 < 8) expected.insert(i + 1);
    EXPECT_EQ(std::set<std::int32_t>(col.begin() + row_ptr[i], col.begin() + row_ptr[i + 1]), expected);
  }
}

TYPED_TEST(AggAmgSetup, RootsAreIndependentAndMaximalAtDistanceTwo) {
  using D = TypeParam;
  for (const std::int32_t n : {1, 2, 5, 16, 33}) {
    const Problem problem = test::poisson(n);
    const DeviceCsr<D, double> a(problem.matrix);
    const auto graph = aggamg::strong_graph<D, double>(a.view(), 0.25);
    const auto root = aggamg::independent_set(graph).to_host();
    const auto neighbours = [&](std::int32_t i) {
      std::set<std::int32_t> near;
      for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k)
        if (problem.matrix.col[k] != i) near.insert(problem.matrix.col[k]);
      return near;
    };
    for (std::int32_t i = 0; i < n * n; ++i) {
      std::set<std::int32_t> within_two = neighbours(i);
      for (const std::int32_t j : neighbours(i)) within_two.merge(neighbours(j));
      within_two.erase(i);
      int roots = 0;
      for (const std::int32_t j : within_two) roots += root[j];
      if (root[i])
        EXPECT_EQ(roots, 0) << "node " << i;
      else
        EXPECT_GE(roots, 1) << "node " << i;
    }
  }
}

TYPED_TEST(AggAmgSetup, GalerkinProductSumsOverAggregatesAndUpdates) {
  using D = TypeParam;
  Problem problem = test::random_grid(200, 2, 5);
  DeviceCsr<D, double> a(problem.matrix);
  const Aggregates<D> aggregates = aggamg::aggregate(aggamg::strong_graph<D, double>(a.view(), 0.25));
  const auto of_node = aggregates.of_node.to_host();
  ASSERT_LT(aggregates.count, 100);
  aggamg::GalerkinPlan<D> plan;
  DeviceCsr<D, double> coarse = aggamg::galerkin_product<D, double>(a.view(), aggregates, plan);
  for (int round = 0; round < 2; ++round) {
    std::map<std::pair<std::int32_t, std::int32_t>, double> expected;
    for (std::int32_t i = 0; i < 200; ++i)
      for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k)
        expected[{of_node[i], of_node[problem.matrix.col[k]]}] += problem.matrix.value[k];
    const auto row_ptr = coarse.row_ptr.to_host();
    const auto col = coarse.col.to_host();
    const auto value = coarse.value.to_host();
    ASSERT_EQ(value.size(), expected.size());
    for (std::int64_t i = 0; i < coarse.rows; ++i)
      for (auto k = row_ptr[i]; k < row_ptr[i + 1]; ++k) {
        if (k > row_ptr[i]) EXPECT_LT(col[k - 1], col[k]);
        EXPECT_NEAR(value[k], (expected.at({static_cast<std::int32_t>(i), col[k]})), 1e-12);
      }
    for (double& v : problem.matrix.value) v *= 1.5;
    a.copy_values(problem.matrix);
    aggamg::coarse_values<D, double>(plan, std::as_const(a).value.view(), coarse.value.view());
  }
}

SolveStats iterate(Engine& engine, const Problem& problem, double rtol) {
  engine.setup(problem);
  return test::solve(engine, problem, std::vector<double>(problem.matrix.rows, 1.0), {.relative_residual = rtol}).stats;
}

template <class D>
AggAmgOn<D, float> with(const Settings& settings = {}) {
  return AggAmgOn<D, float>(read_params<AggAmgParams>("aggamg", settings));
}

/// ALGORITHMS.md §2: with one damped Jacobi sweep each side 300² takes 22 iterations to 1e-6 by the K-cycle and 69 by
/// the V-cycle.
TEST(AggAmg, IterationsOfTheModelProblems) {
  auto jacobi = with<CpuDevice>({{"degree", "1"}});
  auto v_cycle = with<CpuDevice>({{"degree", "1"}, {"k_levels", "0"}});
  auto standard = with<CpuDevice>();
  const Problem poisson = test::poisson(298);
  EXPECT_LE(iterate(jacobi, poisson, 1e-6).iterations, 24);
  EXPECT_GE(iterate(v_cycle, poisson, 1e-6).iterations, 50);
  EXPECT_LE(iterate(standard, poisson, 1e-6).iterations, 20);
  EXPECT_LE(iterate(standard, anisotropic(298, 0.01), 1e-6).iterations, 28);
}

/// Table 1 of the paper: the anisotropic problem shrinks at least 3.3-fold and stays below 7 nonzeros per row.
TEST(AggAmg, HierarchyOfTheAnisotropicProblem) {
  auto engine = with<CpuDevice>();
  engine.setup(anisotropic(398, 0.01));
  const auto levels = engine.levels();
  ASSERT_GE(levels.size(), 4u);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    EXPECT_LE(static_cast<double>(levels[k].nonzeros), 7.0 * static_cast<double>(levels[k].unknowns));
    if (k > 0) EXPECT_GE(static_cast<double>(levels[k - 1].unknowns), 3.3 * static_cast<double>(levels[k].unknowns));
  }
}

/// What the GPU would run, with protected memory, bounds and a scattered order: the same bits as on the CPU.
TEST(AggAmg, CheckingDeviceGivesTheSameBits) {
  for (const std::int32_t n : {15, 40}) {
    const Problem problem = test::poisson(n);
    const auto b = test::random_block(problem.matrix.rows, 3);
    auto cpu = with<CpuDevice>();
    auto checking = with<CheckingDevice>();
    cpu.setup(problem);
    checking.setup(problem);
    EXPECT_EQ(test::solve(cpu, problem, b).x, test::solve(checking, problem, b).x);
  }
}

/// Convection and diffusion: unsymmetric, so flexible GMRES with a GCR K-cycle.
TEST(AggAmg, UnsymmetricSystemsAgreeWithSuperLu) {
  const std::int32_t n = 40;
  test::Rows rows(n * n);
  for (std::int32_t i = 0; i < n * n; ++i) {
    rows[i][i] = 5.0;
    if (i % n > 0) rows[i][i - 1] = -2.0;  // upwind
    if (i % n < n - 1) rows[i][i + 1] = -1.0;
    if (i >= n) rows[i][i - n] = -1.0;
    if (i < n * (n - 1)) rows[i][i + n] = -1.0;
  }
  const Problem problem = test::problem_of(rows, false);
  const auto b = test::random_block(n * n, 8);
  const StopRule stop{.relative_residual = 1e-12};
  const auto reference = find_engine("superlu").make({});
  const auto engine = find_engine("aggamg").make({});
  reference->setup(problem);
  engine->setup(problem);
  const auto expected = test::solve(*reference, problem, b, stop).x;
  const auto [x, stats] = test::solve(*engine, problem, b, stop);
  EXPECT_TRUE(stats.converged);
  EXPECT_LE(stats.iterations, 40);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9);
}

TEST(AggAmg, HardCasesEndWell) {
  const auto engine = find_engine("aggamg").make({});
  // Several components, isolated rows, the identity, a hub.
  test::Rows rows(1500);
  for (std::int32_t i = 0; i < 1500; ++i) rows[i][i] = 1.0;
  for (std::int32_t i = 1; i < 1000; ++i) {
    const std::int32_t j = i < 500 ? 0 : i - 1;
    rows[i][i] += 1;
    rows[j][j] += 1;
    rows[i][j] = rows[j][i] = -1;
  }
  test::Rows identity(600);
  for (std::int32_t i = 0; i < 600; ++i) identity[i][i] = 1e-12;
  for (const Problem& problem : {test::problem_of(rows), test::problem_of(identity)}) {
    engine->setup(problem);
    const auto b = test::random_block(problem.matrix.rows, 4);
    EXPECT_TRUE(test::solve(*engine, problem, b).stats.converged);
  }
  const auto stats = [&] {
    const Problem problem = test::poisson(60);
    engine->setup(problem);
    return test::solve(*engine, problem, test::random_block(3600, 1), {.relative_residual = 1e-8, .max_iterations = 2})
        .stats;
  }();
  EXPECT_FALSE(stats.converged);
  EXPECT_EQ(stats.iterations, 2);
  EXPECT_THAT(stats.history, testing::SizeIs(3));
}

}  // namespace
}  // namespace gridiron
