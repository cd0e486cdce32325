// SPDX-License-Identifier: Apache-2.0
// Aggregation AMG: each step of the setup against its definition, iterations against reference values, the checking
// device against the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "tests/engines/anisotropic.hpp"
#include "tests/engines/linalg/sell_on_host.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using aggamg::AggAmgOn;
using test::anisotropic;

template <class D>
class AggAmgSetup : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(AggAmgSetup, Devices);

/// The finest grid of a problem, in double precision.
template <class D>
aggamg::Level<D, double> finest(const SellMatrix<D>& matrix) {
  AggAmgParams params;
  params.coarse_size = std::numeric_limits<int>::max();
  aggamg::Hierarchy<D, double> hierarchy(matrix, {}, params, true);
  return std::move(hierarchy.levels()[0]);
}

/// Strong neighbours of every node, on the host.
template <class D>
std::vector<std::set<int32_t>> strong_sets(const aggamg::Level<D, double>& level, double alpha) {
  const auto bits = aggamg::strong_couplings<D, double>(level.matrix(), alpha).bits.to_host();
  const auto begin = level.pattern->begin.to_host();
  const auto col = level.pattern->col.to_host();
  std::vector<std::set<int32_t>> sets(bits.size());
  for (size_t i = 0; i < bits.size(); ++i)
    for (int k = 0; k < 64; ++k)
      if (bits[i] >> k & 1) sets[i].insert(col[32 * (begin[i / 32] + k) + i % 32]);
  return sets;
}

TYPED_TEST(AggAmgSetup, StrongCouplingsFollowEquation3) {
  for (const double sign : {1.0, -1.0}) {
    Problem problem = anisotropic(9, 0.1);
    for (double& v : problem.matrix.value) v *= sign;
    const auto strong = strong_sets(finest(SellMatrix<TypeParam>(problem.matrix)), 0.25);
    for (int32_t i = 0; i < 81; ++i) {
      std::set<int32_t> expected;
      if (i % 9 > 0) expected.insert(i - 1);
      if (i % 9 < 8) expected.insert(i + 1);
      EXPECT_EQ(strong[i], expected);
    }
  }
}

TYPED_TEST(AggAmgSetup, RootsAreIndependentAndMaximalAtDistanceTwo) {
  using D = TypeParam;
  for (const int32_t n : {1, 2, 5, 16, 33}) {
    const SellMatrix<D> matrix(test::poisson(n).matrix);
    const auto level = finest(matrix);
    const auto strong = aggamg::strong_couplings<D, double>(level.matrix(), 0.25);
    const auto neighbours = strong_sets(level, 0.25);
    const auto root = aggamg::independent_set(strong.view(*level.pattern)).to_host();
    for (int32_t i = 0; i < n * n; ++i) {
      std::set<int32_t> within_two = neighbours[i];
      for (const int32_t j : neighbours[i]) within_two.insert(neighbours[j].begin(), neighbours[j].end());
      within_two.erase(i);
      int roots = 0;
      for (const int32_t j : within_two) roots += root[j];
      if (root[i])
        EXPECT_EQ(roots, 0) << "node " << i;
      else
        EXPECT_GE(roots, 1) << "node " << i;
    }
  }
}

/// The values of a level with its diagonal brought back, row → column → value.
template <class D>
std::vector<std::map<int32_t, double>> entries_of(const aggamg::Level<D, double>& level) {
  const auto value = level.value.to_host(), diagonal = level.diagonal.to_host();
  std::vector<std::map<int32_t, double>> rows(level.rows());
  const auto pattern = test::host_pattern(*level.pattern);
  for (int64_t i = 0; i < level.rows(); ++i) {
    rows[i][static_cast<int32_t>(i)] = diagonal[i];
    for (const int64_t e : pattern.view().entries(i))
      if (pattern.col[e] != i) rows[i][pattern.col[e]] += value[e] * diagonal[i];
  }
  return rows;
}

/// Also with a hub, whose coarse row is too long for the fast path.
TYPED_TEST(AggAmgSetup, GalerkinProductSumsOverAggregatesAndUpdates) {
  using D = TypeParam;
  const int32_t n = 600;
  test::Rows hub(n);
  for (int32_t i = 0; i < n; ++i) {
    hub[i][i] = 3;
    if (i > 0) hub[i][i - 1] = hub[i - 1][i] = -1;
  }
  for (int32_t i = 2; i < n; ++i) hub[0][i] = hub[i][0] = -1e-3;
  for (Problem problem : {test::random_grid(n, 2, 5), test::problem_of(hub)}) {
    SellMatrix<D> matrix(problem.matrix);
    AggAmgParams params;
    params.coarse_size = n - 1;
    aggamg::Hierarchy<D, double> hierarchy(matrix, {}, params, true);
    ASSERT_EQ(hierarchy.levels().size(), 2u);
    const auto of_node = hierarchy.levels()[0].aggregates.of_node.to_host();
    for (int round = 0; round < 2; ++round) {
      std::map<std::pair<int32_t, int32_t>, double> expected;
      for (int32_t i = 0; i < n; ++i)
        for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k)
          expected[{of_node[i], of_node[problem.matrix.col[k]]}] += problem.matrix.value[k];
      const auto rows = entries_of(hierarchy.levels()[1]);
      size_t entries = 0;
      for (size_t i = 0; i < rows.size(); ++i)
        for (const auto& [j, value] : rows[i]) {
          ++entries;
          EXPECT_NEAR(value, (expected.at({static_cast<int32_t>(i), j})), 1e-11);
        }
      EXPECT_EQ(entries, expected.size());
      EXPECT_EQ(hierarchy.levels()[1].pattern->nonzeros, static_cast<int64_t>(expected.size()));
      for (double& v : problem.matrix.value) v *= 1.5;
      matrix.copy_values(problem.matrix);
      hierarchy.update(matrix, {});
    }
  }
}

/// Rows of the same slice have about as many entries.
TYPED_TEST(AggAmgSetup, CoarseMatricesAreHardlyFilledUp) {
  using D = TypeParam;
  const Problem problem = test::random_graph(40'000, 2, 2, 3);
  const SellMatrix<D> matrix(problem.matrix);
  AggAmgParams params;
  params.coarse_size = 4000;
  aggamg::Hierarchy<D, double> hierarchy(matrix, {}, params, true);
  ASSERT_GE(hierarchy.levels().size(), 2u);
  for (size_t k = 1; k < hierarchy.levels().size(); ++k) {
    const auto& level = hierarchy.levels()[k];
    const auto couplings = static_cast<double>(level.pattern->nonzeros - level.rows());
    EXPECT_LT(static_cast<double>(level.value.size()), 1.15 * couplings) << level.rows() << " rows";
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

/// With one damped Jacobi sweep before and after, an independent prototype takes 22 iterations to 1e-6 at 300² with the
/// K-cycle and 69 with the V-cycle.
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

/// Table 1 of the paper: the anisotropic problem coarsens at least 3.3-fold and stays below 7 nonzeros per row.
TEST(AggAmg, HierarchyOfTheAnisotropicProblem) {
  auto engine = with<CpuDevice>();
  engine.setup(anisotropic(398, 0.01));
  const auto levels = engine.levels();
  ASSERT_GE(levels.size(), 4u);
  for (size_t k = 0; k < levels.size(); ++k) {
    EXPECT_LE(static_cast<double>(levels[k].nonzeros), 7.0 * static_cast<double>(levels[k].unknowns));
    if (k == 0) continue;
    EXPECT_GE(static_cast<double>(levels[k - 1].unknowns), 3.3 * static_cast<double>(levels[k].unknowns));
  }
}

/// The GPU code path, with protected memory, bounds checks and a scattered order: bitwise identical to the CPU.
TEST(AggAmg, CheckingDeviceGivesTheSameBits) {
  for (const int32_t n : {15, 40}) {
    const Problem problem = test::poisson(n);
    const auto b = test::random_block(problem.matrix.rows, 3);
    auto cpu = with<CpuDevice>();
    auto checking = with<CheckingDevice>();
    cpu.setup(problem);
    checking.setup(problem);
    EXPECT_EQ(test::solve(cpu, problem, b).x, test::solve(checking, problem, b).x);
  }
}

/// … also for columns solved together, in blocks on the device; and each is bitwise identical to its own solve.
TEST(AggAmg, BlocksOnTheDeviceGiveTheSameBits) {
  using D = CheckingDevice;
  const Problem problem = test::poisson(30);
  constexpr int64_t n = 900, columns = 12;
  const auto b = test::random_block(n * columns, 3);
  auto cpu = with<CpuDevice>();
  auto checking = with<D>();
  cpu.setup(problem);
  checking.setup(problem);
  const std::vector<double> expected = test::solve(cpu, problem, b).x;
  EXPECT_EQ(test::solve(checking, problem, b).x, expected);
  const Array<D, double> b_device(b);
  Array<D, double> x_device(std::vector<double>(b.size(), 0.0));
  checking.solve({b_device.view().data(), n, columns, Memory::device},
                 {x_device.view().data(), n, columns, Memory::device}, {});
  EXPECT_EQ(x_device.to_host(), expected);

  Problem changed = problem;
  for (double& value : changed.matrix.value) value *= 3;
  cpu.update(changed);
  checking.update(changed);
  EXPECT_EQ(test::solve(checking, changed, b).x, test::solve(cpu, changed, b).x);
}

/// An initial guess that is not finite breaks its own column, and an indefinite matrix all of them; others converge.
TEST(AggAmg, AColumnThatCannotConvergeHoldsNobodyUp) {
  const Problem problem = test::poisson(40);
  constexpr int64_t n = 1600, columns = 20;
  const SellMatrix<CpuDevice> matrix(problem.matrix);
  AggAmgParams params;
  aggamg::Hierarchy<CpuDevice, float> hierarchy(matrix, {}, params, true);
  hierarchy.finish({});
  aggamg::Iteration<CpuDevice, float, 8> iteration(hierarchy, params, true, params.k_levels);
  const auto b = test::random_block(n * columns, 3);
  std::vector<double> x(b.size(), 0.0), undisturbed = x;
  const StopRule stop{.relative_residual = 1e-10};
  const Block<const double> rhs{b.data(), n, columns};
  const aggamg::FinestMatrix<CpuDevice, float> finest{matrix, hierarchy.levels()[0], hierarchy.row_sum()};
  const auto solve = [&](std::vector<double>& into) {
    return iteration.cg.solve(finest, rhs, Block<double>{into.data(), n, columns}, stop,
                              iteration.preconditioner<float>());
  };
  solve(undisturbed);
  x[3 * n + 7] = std::numeric_limits<double>::quiet_NaN();
  const auto stats = solve(x);
  for (int64_t j = 0; j < columns; ++j) {
    EXPECT_EQ(stats[j].converged, j != 3);
    for (int64_t i = 0; i < n && j != 3; ++i) ASSERT_NEAR(x[j * n + i], undisturbed[j * n + i], 1e-9) << j;
  }
}

/// Convection and diffusion: unsymmetric, so flexible GMRES with a GCR K-cycle.
TEST(AggAmg, UnsymmetricSystemsAgreeWithSuperLu) {
  const int32_t n = 40;
  test::Rows rows(n * n);
  for (int32_t i = 0; i < n * n; ++i) {
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
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9);
}

/// A limit on entries of the residual is met within a restart, not at its end.
TEST(AggAmg, GmresStopsWhereTheLargestResidualIsSmall) {
  const Problem problem = test::poisson(60);
  std::vector<double> b(60 * 60, 0.0);
  b[1830] = 1;
  const auto engine = find_engine("aggamg").make({{"krylov", "gmres"}, {"restart", "100"}});
  engine->setup(problem);
  const auto exact = test::solve(*engine, problem, b, {.relative_residual = 1e-12}).stats;
  for (const double limit : {1e-2, 1e-4, 1e-6}) {
    const auto [x, stats] = test::solve(*engine, problem, b, {.relative_residual = 0, .absolute_max = limit});
    EXPECT_TRUE(stats.converged) << limit;
    EXPECT_LE(stats.max_residual, limit);
    // The first step at which it holds: the norm of the residual, of which this is at most sqrt(n) and at least one
    // part, was larger before.
    const auto before = exact.history[static_cast<size_t>(stats.iterations) - 1];
    EXPECT_GT(before, limit) << stats.iterations;
  }
}

TEST(AggAmg, SlowProgressIsOfSeveralIterations) {
  const auto seen_after = [](std::vector<double> norms) {
    aggamg::SlowProgress<1> progress;
    for (size_t k = 0; k < norms.size(); ++k)
      if (progress.seen(norms[k])) return static_cast<int>(k);
    return -1;
  };
  EXPECT_EQ(seen_after({1, 0.5, 0.25, 0.125, 0.0625, 0.03, 0.015, 0.007, 0.003}), -1);
  EXPECT_EQ(seen_after({1, 0.9, 0.1, 0.05, 0.03}), -1) << "one slow step";
  EXPECT_EQ(seen_after({1, 0.8, 0.6, 0.5, 0.4}), 4);
  EXPECT_EQ(seen_after({1e-8, 1, 0.5, 0.25, 0.12, 1e-8, 1e4, 5e3}), -1) << "the next right-hand sides";

  aggamg::SlowProgress<2> two;
  bool seen = false;
  for (int k = 0; k < 5; ++k) seen = two.seen({{std::pow(0.1, k), std::pow(0.8, k)}});
  EXPECT_TRUE(seen) << "the slower of two columns";
}

/// Power grids begin with one K-level, which is too few for this one.
TEST(AggAmg, AdaptiveCyclesGetAnotherLevel) {
  Problem problem = anisotropic(298, 0.01);
  problem.structure = PowerGrid{};
  auto one = with<CpuDevice>({{"k_levels", "1"}}), three = with<CpuDevice>(),
       adaptive = with<CpuDevice>({{"k_cycle", "adaptive"}});
  const int slow = iterate(one, problem, 1e-8).iterations, fast = iterate(three, problem, 1e-8).iterations,
            between = iterate(adaptive, problem, 1e-8).iterations;
  EXPECT_LT(between, slow);
  EXPECT_LT(fast, between);
}

/// With couplings in bf16 already of matrices of this size.
template <class D>
AggAmgOn<D, float> with_half(Settings settings = {}) {
  settings["precision"] = "half";
  auto params = read_params<AggAmgParams>("aggamg", settings);
  params.fewest_short = 100'000;
  return AggAmgOn<D, float>(params);
}

/// Couplings in bf16 leave iterations as they are: also where pads are so weak that all errors that last are smooth,
/// and with degrees whose first step is the last, or not, or two. Conductances of 257 S are halfway between two of
/// bf16.
TEST(AggAmg, HalfPrecisionTakesAsManyIterations) {
  for (const double pad : {1.0, 1e-2, 1e-4}) {
    test::Rows rows(90'000);
    for (int32_t i = 0; i < 90'000; ++i) {
      const double wire = i % 2 ? 257 : 1 + i % 5 * 0.3, via = 0.1 + i % 3;
      const auto couple = [&](int32_t j, double g) {
        rows[i][i] += g;
        rows[j][j] += g;
        rows[i][j] = rows[j][i] = -g;
      };
      if (i % 300 < 299) couple(i + 1, wire);
      if (i + 300 < 90'000) couple(i + 300, via);
      if (i % 9'000 == 77) rows[i][i] += pad;
    }
    const Problem problem = test::problem_of(rows);
    const auto b = test::random_block(90'000, 4);
    for (const char* degree : {"1", "2", "3"}) {
      auto single = with<CpuDevice>({{"degree", degree}}), half = with_half<CpuDevice>({{"degree", degree}});
      single.setup(problem);
      half.setup(problem);
      const auto before = test::solve(single, problem, b).stats, now = test::solve(half, problem, b).stats;
      EXPECT_TRUE(now.converged);
      EXPECT_LE(now.iterations, before.iterations + 2) << "pads of " << pad << ", degree " << degree;
      EXPECT_GT(half.bytes(), single.bytes()) << "there is no copy";
    }
  }
}

/// Short copies follow new values, and are given up where a coupling above zero does not allow them.
TEST(AggAmg, HalfPrecisionFollowsUpdates) {
  Problem problem = test::poisson(260);
  const auto b = test::random_block(problem.matrix.rows, 4);
  auto updated = with_half<CpuDevice>();
  updated.setup(problem);
  const int64_t bytes = updated.bytes();
  const auto couple = [&](double value) {
    CsrMatrix& a = problem.matrix;
    for (const int32_t row : {7, 8})
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
        if (a.col[k] == 15 - row) a.value[k] = value;
  };
  for (double& v : problem.matrix.value) v *= 2;
  for (const double coupling : {-2.0, 0.5, -2.0}) {
    couple(coupling);
    updated.update(problem);
    const auto [x, stats] = test::solve(updated, problem, b);
    EXPECT_TRUE(stats.converged);
    if (coupling > 0) {
      EXPECT_LT(updated.bytes(), bytes);
      continue;
    }
    EXPECT_EQ(updated.bytes(), bytes);
    auto fresh = with_half<CpuDevice>();
    fresh.setup(problem);
    EXPECT_EQ(x, test::solve(fresh, problem, b).x);
  }
}

/// As on the CPU, bit by bit, in half precision.
TEST(AggAmg, CheckingDeviceGivesTheSameBitsInHalfPrecision) {
  const Problem problem = test::poisson(257);
  constexpr int64_t columns = 3;
  const auto b = test::random_block(columns * problem.matrix.rows, 3);
  const StopRule stop{.relative_residual = 1e-4};
  auto cpu = with_half<CpuDevice>();
  auto checking = with_half<CheckingDevice>();
  cpu.setup(problem);
  checking.setup(problem);
  EXPECT_EQ(test::solve(cpu, problem, b, stop).x, test::solve(checking, problem, b, stop).x);
}

/// Nothing is left of a setup that failed.
TEST(AggAmg, SingularMatricesLeaveNothing) {
  const Problem fine = test::poisson(30), singular = test::problem_of({{{0, 1}, {1, -1}}, {{0, -1}, {1, 1}}});
  auto engine = with<CpuDevice>();
  engine.setup(fine);
  EXPECT_GT(engine.bytes(), 0);
  EXPECT_THROW(engine.setup(singular), SolverError);
  EXPECT_EQ(engine.bytes(), 0);
  EXPECT_EQ(engine.bytes_per_iteration(), 0);
  EXPECT_TRUE(engine.levels().empty());
}

TEST(AggAmg, PresetsAndRanges) {
  const AggAmgParams params = aggamg::read({{"preset", "paper"}, {"degree", "3"}}, false);
  EXPECT_EQ(params.k_levels, 2);
  EXPECT_EQ(params.coarse_size, 600);
  EXPECT_EQ(params.degree, 3);
  EXPECT_EQ(aggamg::read({}, true).coarse_size, 2000);
  EXPECT_EQ(aggamg::read({}, true).k_cycle, "adaptive");
  EXPECT_EQ(aggamg::read({}, true).precision, "half");
  EXPECT_EQ(aggamg::read({}, false).precision, "single");
  EXPECT_EQ(aggamg::read({{"preset", "paper"}}, true).precision, "single");
  EXPECT_EQ(aggamg::read({{"preset", "paper"}}, true).k_cycle, "fixed");
  EXPECT_EQ(aggamg::read({{"preset", "paper"}}, true).coarse_size, 600);
  EXPECT_EQ(aggamg::read({{"coarse_size", "50"}}, true).coarse_size, 50);
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"strength", "-0.1"},
                                                                                   {"strength", "1.5"},
                                                                                   {"k_levels", "-1"},
                                                                                   {"k_cycle", "w"},
                                                                                   {"k_threshold", "2"},
                                                                                   {"precision", "quarter"},
                                                                                   {"degree", "0"},
                                                                                   {"restart", "0"},
                                                                                   {"coarse_size", "2001"}})
    EXPECT_THROW(aggamg::read({{key, value}}, true), InputError) << key << "=" << value;
}

/// Couplings within an aggregate that are a million times those that leave it: the coarse diagonal must not be formed
/// from their difference.
TEST(AggAmg, ManyDecadesOfConductance) {
  const Problem problem = test::random_grid(20'000, 6, 3);
  const auto engine = find_engine("aggamg").make({});
  engine->setup(problem);
  EXPECT_GE(engine->levels().size(), 3u);
  const auto stats = test::solve(*engine, problem, test::random_block(20'000, 4)).stats;
  EXPECT_TRUE(stats.converged);
  EXPECT_LE(stats.iterations, 250);
}

TEST(AggAmg, IsolatedRowsCoarsenToo) {
  const int32_t n = 100;
  const Problem grid = test::poisson(n);
  Problem problem = grid;
  CsrMatrix& a = problem.matrix;
  for (int32_t i = n * n; i < 2 * n * n; ++i) {
    a.col.push_back(i);
    a.value.push_back(1.0 + i % 5);
    a.row_ptr.push_back(static_cast<int64_t>(a.col.size()));
  }
  a.rows = 2 * n * n;
  const auto engine = find_engine("aggamg").make({});
  engine->setup(grid);
  const int alone = test::solve(*engine, grid, test::random_block(n * n, 4)).stats.iterations;
  engine->setup(problem);
  const auto stats = test::solve(*engine, problem, test::random_block(2 * n * n, 4)).stats;
  EXPECT_TRUE(stats.converged);
  EXPECT_LE(stats.iterations, alone + 3);
}

TEST(AggAmg, NewValuesOnManyGrids) {
  Problem problem = test::poisson(100);
  const auto engine = find_engine("aggamg").make({}), fresh = find_engine("aggamg").make({});
  const auto b = test::random_block(10'000, 4);
  engine->setup(problem);
  test::solve(*engine, problem, b);
  for (int64_t i = 0; i < 10'000; ++i)
    for (int64_t k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k) problem.matrix.value[k] *= 3;
  engine->update(problem);
  fresh->setup(problem);
  EXPECT_EQ(test::solve(*engine, problem, b).x, test::solve(*fresh, problem, b).x);
}

TEST(AggAmg, HardCasesEndWell) {
  const auto engine = find_engine("aggamg").make({});
  // Several components, isolated rows, the identity, a hub.
  test::Rows rows(1500);
  for (int32_t i = 0; i < 1500; ++i) rows[i][i] = 1.0;
  for (int32_t i = 1; i < 1000; ++i) {
    const int32_t j = i < 500 ? 0 : i - 1;
    rows[i][i] += 1;
    rows[j][j] += 1;
    rows[i][j] = rows[j][i] = -1;
  }
  test::Rows identity(600);
  for (int32_t i = 0; i < 600; ++i) identity[i][i] = 1e-12;
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
