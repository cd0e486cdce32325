// SPDX-License-Identifier: Apache-2.0
// The same checks on a GPU, and the engines there against the same engines on the CPU. Skipped if there is no device.
#include <gtest/gtest.h>

#include "device/cuda_device.cuh"
#include "tests/engines/anisotropic.hpp"
#include "tests/engines/device/device_checks.hpp"
#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/hybrid/regularize_checks.hpp"
#include "tests/engines/linalg/sell_checks.hpp"
#include "tests/engines/linalg/weak_checks.hpp"
#include "tests/engines/regular_grids.hpp"
#include "tests/engines/stokes/stokes_checks.hpp"

namespace gridiron {
namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(Cuda, CopiesThereAndBack) { test::copies_there_and_back<CudaDevice>(); }
TEST_F(Cuda, ReportsWhileMoreWorkFollows) { test::reports_while_more_work_follows<CudaDevice>(); }
TEST_F(Cuda, QueuesOfTwoThreadsAreApart) { test::queues_of_two_threads_are_apart<CudaDevice>(); }
TEST_F(Cuda, ForEachVisitsEveryIndexOnce) { test::for_each_visits_every_index_once<CudaDevice>(); }
TEST_F(Cuda, LinesAreVisitedAndSummed) { test::lines_are_visited_and_summed<CudaDevice>(); }
TEST_F(Cuda, SumsSeveralValuesAtOnce) { test::sums_several_values_at_once<CudaDevice>(); }
TEST_F(Cuda, MaximumSeesNan) { test::maximum_sees_nan<CudaDevice>(); }
TEST_F(Cuda, MaximumIsFoundAnywhere) { test::maximum_is_found_anywhere<CudaDevice>(); }
TEST_F(Cuda, ScansAndGroups) { test::scans_and_groups<CudaDevice>(); }
TEST_F(Cuda, GroupsByManyKeys) { test::groups_by_many_keys<CudaDevice>(); }
TEST_F(Cuda, AddsRuns) { test::adds_runs<CudaDevice>(); }
TEST_F(Cuda, FindsWeakClusters) { test::finds_weak_clusters<CudaDevice>(); }
TEST_F(Cuda, MultipliesDenseMatrices) { test::multiplies_dense_matrices<CudaDevice>(); }
TEST_F(Cuda, InvertsDenseMatrices) { test::inverts_dense_matrices<CudaDevice>(); }
TEST_F(Cuda, RefusesInversesWithoutAccuracy) { test::refuses_inverses_without_accuracy<CudaDevice>(); }
TEST_F(Cuda, TakesTheTimeOfAPart) { test::takes_the_time_of_a_part<CudaDevice>(); }
TEST_F(Cuda, ReplaysRecordingsUnderConditions) { test::replays_recordings_under_conditions<CudaDevice>(); }
TEST_F(Cuda, TilesShareScratchBetweenPhases) { test::tiles_share_scratch_between_phases<CudaDevice>(); }
TEST_F(Cuda, TilesHoldValuesOfCells) { test::tiles_hold_values_of_cells<CudaDevice>(); }
TEST_F(Cuda, PartsRunSideBySide) { test::parts_run_side_by_side<CudaDevice>(); }
TEST_F(Cuda, ErrorsJoinWhatRunsBeside) { test::errors_join_what_runs_beside<CudaDevice>(); }
TEST_F(Cuda, SendsWhatMemoryHeld) { test::sends_what_memory_held<CudaDevice>(); }
TEST_F(Cuda, SendsWhileAnotherQueueReceives) { test::sends_while_another_queue_receives<CudaDevice>(); }
TEST_F(Cuda, TilesGoOverLines) { test::tiles_go_over_lines<CudaDevice>(); }
TEST_F(Cuda, ProductIsThatOfTheRows) { test::product_is_that_of_the_rows<CudaDevice>(); }
TEST_F(Cuda, ProductOfDifferencesIsThatOfTheRows) { test::product_of_differences_is_that_of_the_rows<CudaDevice>(); }
TEST_F(Cuda, ShortCopiesHaveProductsOfRoundedEntries) {
  test::short_copies_have_products_of_rounded_entries<CudaDevice>();
}
TEST_F(Cuda, ProductOfManyRows) { test::product_is_that_of_the_rows<CudaDevice>({140'000}); }

TEST_F(Cuda, StokesOperatorIsTheMatrix) { test::stokes_operator_is_the_matrix<CudaDevice>(); }
TEST_F(Cuda, StokesSchurComplementIsThatOfTheMatrix) {
  test::stokes_schur_complement_is_that_of_the_matrix<CudaDevice>();
}
TEST_F(Cuda, StokesVankaSolvesPatchesOfTheMatrix) { test::stokes_vanka_solves_patches_of_the_matrix<CudaDevice>(); }
TEST_F(Cuda, StokesTransfersAreThoseOfElements) { test::stokes_transfers_are_those_of_elements<CudaDevice>(); }
TEST_F(Cuda, StokesCoarsestLevelIsSolved) { test::stokes_coarsest_level_is_solved<CudaDevice>(); }

TEST_F(Cuda, RegularizesEveryShapeOfGrid) { test::regularizes_decks_like_the_host<CudaDevice>(); }
TEST_F(Cuda, RegularizesLargeGrids) { test::regularizes_large_decks_like_the_host<CudaDevice>(); }
TEST_F(Cuda, StampsInTurnsAreTheSame) { test::stamps_in_turns_are_the_same<CudaDevice>(); }

/// The same number of iterations up to rounding and the same solution as on the CPU, for every engine that runs on
/// both. On CPUs aggamg may eliminate unknowns first, which its note tells, and takes other iterations then.
TEST_F(Cuda, EnginesAgreeWithTheCpu) {
  test::Deck layered, flat;  // for gpuhmd
  test::add_mesh(layered, 90, 60, 0.3, 0);
  test::add_mesh(flat, 60, 70, 30, 0);
  for (test::Deck* deck : {&layered, &flat}) deck->finish();
  const auto pins = test::mesh_with_pins(90, 60, 0.3, 5);
  const Problem problems[] = {test::poisson(1),
                              test::poisson(2),
                              test::poisson(40),
                              test::poisson(300),
                              test::random_grid(5000, 2, 3),
                              test::unsymmetric(3000, 4),
                              layered.problem,
                              flat.problem,
                              pins->problem};
  for (const EngineInfo& info : engines()) {
    if (!info.make_on_cuda || info.devices == "cuda") continue;
    for (const Problem& problem : problems) {
      if (info.declines(problem)) continue;
      SCOPED_TRACE(std::string(info.name) + ", " + std::to_string(problem.matrix.rows) + " unknowns");
      const auto b = test::random_block(2 * problem.matrix.rows, 5);
      const StopRule stop{.relative_residual = 1e-10};
      const auto on_cuda = info.make_on_cuda({});
      Settings settings;
      if (info.name == "aggamg")  // whose defaults depend on the device
        for (const Param& param : on_cuda->parameters()) settings[param.name] = param.value;
      const auto on_cpu = info.make(settings);
      on_cpu->setup(problem);
      on_cuda->setup(problem);
      test::solve(*on_cuda, problem, b, {.relative_residual = 1e-3});
      on_cuda->update(problem);  // recordings must be made anew
      const auto expected = test::solve(*on_cpu, problem, b, stop), got = test::solve(*on_cuda, problem, b, stop);
      EXPECT_TRUE(got.stats.converged);
      if (on_cuda->note() == on_cpu->note()) {
        EXPECT_NEAR(got.stats.iterations, expected.stats.iterations, 1);
      }
      double largest = 0;
      for (const double v : expected.x) largest = std::max(largest, std::abs(v));
      for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-7 * largest);
    }
  }
}

/// Large enough for couplings in 16 bits, one column and a pack of them, also after an update.
TEST_F(Cuda, CyclesInHalfPrecisionAgreeWithSingle) {
  Problem problem = test::poisson(760), doubled = problem;
  for (double& value : doubled.matrix.value) value *= 2;
  const StopRule stop{.relative_residual = 1e-10};
  const auto half = find_engine("aggamg").make_on_cuda({}),
             single = find_engine("aggamg").make_on_cuda({{"precision", "single"}});
  half->setup(problem);
  single->setup(problem);
  EXPECT_GT(half->bytes(), single->bytes() + 4 * problem.matrix.nonzeros());
  for (const Problem* now : {&problem, &doubled}) {
    if (now == &doubled) {
      half->update(doubled);
      single->update(doubled);
    }
    for (const int64_t columns : {1, 5}) {
      const auto b = test::random_block(columns * problem.matrix.rows, 5);
      const auto expected = test::solve(*single, *now, b, stop), got = test::solve(*half, *now, b, stop);
      EXPECT_TRUE(got.stats.converged);
      EXPECT_NEAR(got.stats.iterations, expected.stats.iterations, 1);
      double largest = 0;
      for (const double v : expected.x) largest = std::max(largest, std::abs(v));
      for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-7 * largest);
    }
  }
}

/// A power grid that is slow with the one K-level that it begins with: the cycle gets others in the midst of a solve,
/// in the same way each time, and recordings of all of them are made anew by an update.
TEST_F(Cuda, AdaptiveCyclesRepeat) {
  Problem problem = test::anisotropic(298, 0.01), doubled = problem;
  problem.structure = doubled.structure = PowerGrid{};
  for (double& value : doubled.matrix.value) value *= 2;
  const StopRule stop{.relative_residual = 1e-8};
  const auto engine_with = [](const char* k_levels) {
    return find_engine("aggamg").make_on_cuda({{"coarse_size", "200"}, {"k_levels", k_levels}});
  };
  const auto one_level = engine_with("1");
  one_level->setup(problem);
  for (const int64_t columns : {1, 16}) {
    const auto b = test::random_block(columns * problem.matrix.rows, 7);
    const auto engine = engine_with("3"), fresh = engine_with("3");
    engine->setup(problem);
    const auto first = test::solve(*engine, problem, b, stop), again = test::solve(*engine, problem, b, stop);
    EXPECT_EQ(first.x, again.x);
    EXPECT_LT(first.stats.iterations, test::solve(*one_level, problem, b, stop).stats.iterations);
    engine->update(doubled);
    fresh->setup(doubled);
    const auto updated = test::solve(*engine, doubled, b, stop), expected = test::solve(*fresh, doubled, b, stop);
    EXPECT_EQ(updated.x, expected.x);
    EXPECT_TRUE(updated.stats.converged);
  }
}

/// SGML accepts only grids: both schedules and precisions, uniform and variable, nested and embedded sizes.
TEST_F(Cuda, SgmlAgreesWithTheCpu) {
  const EngineInfo& info = find_engine("sgml");
  for (const int dimensions : {2, 3})
    for (const int64_t points : {3, 9, 20, 33})
      for (const bool varies : {false, true})
        for (const auto neighbours : {test::Neighbours::along_axes, test::Neighbours::all_around})
          for (const Settings& settings :
               {Settings{}, Settings{{"precision", "double"}}, Settings{{"schedule", "faithful"}}}) {
            if (settings.count("schedule") && points == 20) continue;
            RegularGrid grid = test::unit_grid(dimensions, points);
            test::set_faces(grid, 0, RegularGrid::Boundary::neumann);
            if (varies)
              test::set_sigma(grid, [](double x, double y, double z) { return test::capacitor_sigma(x, y, z, 1); });
            const Problem problem = test::problem_on(grid, neighbours);
            SCOPED_TRACE(std::to_string(dimensions) + "-D, " + std::to_string(points) + " points");
            const auto b = test::random_block(2 * problem.matrix.rows, 5);
            const StopRule stop{.relative_residual = 1e-10};
            const auto on_cpu = info.make(settings), on_cuda = info.make_on_cuda(settings);
            on_cpu->setup(problem);
            on_cuda->setup(problem);
            const auto expected = test::solve(*on_cpu, problem, b, stop), got = test::solve(*on_cuda, problem, b, stop);
            EXPECT_TRUE(got.stats.converged);
            EXPECT_NEAR(got.stats.iterations, expected.stats.iterations, 1);
            double largest = 0;
            for (const double v : expected.x) largest = std::max(largest, std::abs(v));
            for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-7 * largest);
          }
}

/// Conjugate gradients around the cycle, and a box whose mean is determined by the reaction.
TEST_F(Cuda, SgmlAgreesWithTheCpuOnRoughProblems) {
  const EngineInfo& info = find_engine("sgml");
  for (const bool insulated : {false, true}) {
    RegularGrid grid = test::unit_grid(2, 65);
    grid.shift = -1;
    if (insulated)
      for (const int axis : {0, 1}) test::set_faces(grid, axis, RegularGrid::Boundary::neumann);
    test::set_sigma(grid, [](double x, double y, double) { return (x < 0.5) == (y < 0.5) ? 1 : 100; });
    const Problem problem = test::problem_on(grid);
    const auto b = test::random_block(problem.matrix.rows, 5);
    const StopRule stop{.relative_residual = 1e-9};
    const auto on_cpu = info.make({}), on_cuda = info.make_on_cuda({});
    on_cpu->setup(problem);
    on_cuda->setup(problem);
    const auto expected = test::solve(*on_cpu, problem, b, stop), got = test::solve(*on_cuda, problem, b, stop);
    EXPECT_TRUE(got.stats.converged);
    EXPECT_NEAR(got.stats.iterations, expected.stats.iterations, 2);
    double largest = 0;
    for (const double v : expected.x) largest = std::max(largest, std::abs(v));
    for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-6 * largest);
  }
}

/// Every relaxation and preconditioner, square and long elements, short steps in time, both precisions; twice, so that
/// the recorded cycle is replayed for another right-hand side.
TEST_F(Cuda, StokesAgreesWithTheCpu) {
  const EngineInfo& info = find_engine("stokes");
  const Settings choices[] = {{},
                              {{"precision", "double"}},
                              {{"relaxation", "vanka"}},
                              {{"relaxation", "vanka"}, {"vanka", "simple"}},
                              {{"relaxation", "vanka"}, {"vanka", "tuned"}},
                              {{"relaxation", "vanka"}, {"vanka", "tensor"}},
                              {{"relaxation", "schur-uzawa"}, {"restart", "100"}},
                              {{"preconditioner", "block-triangular"}}};
  for (const StokesGrid& shape : {test::stokes_elements(4, 4), test::stokes_elements(48, 32),
                                  test::stokes_elements(64, 64, 2), test::stokes_elements(12, 40, 1, 0.1, 50)})
    for (const Settings& settings : choices) {
      SCOPED_TRACE(test::name_of(shape));
      const Problem problem = stokes_problem_without_matrix(std::make_shared<const StokesGrid>(shape));
      const auto b = test::random_block(2 * problem.matrix.rows, 5);
      const StopRule stop{.relative_residual = 1e-11};
      const auto on_cpu = info.make(settings), on_cuda = info.make_on_cuda(settings);
      on_cpu->setup(problem);
      on_cuda->setup(problem);
      test::solve(*on_cuda, problem, b, {.relative_residual = 1e-2});
      const auto expected = test::solve(*on_cpu, problem, b, stop), got = test::solve(*on_cuda, problem, b, stop);
      EXPECT_EQ(got.stats.converged, expected.stats.converged);
      EXPECT_LE(got.stats.iterations, expected.stats.iterations + 2);
      // A GPU solves 4 x 4 elements at once, without levels.
      if (shape.elements[0] > 4) EXPECT_GE(got.stats.iterations, expected.stats.iterations - 2);
      if (!expected.stats.converged) continue;  // block-triangular, where the mass term dominates
      double largest = 0;
      for (const double v : expected.x) largest = std::max(largest, std::abs(v));
      for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(got.x[i], expected.x[i], 1e-6 * largest);
    }
}

/// Blocks that lie on the device, also with a guess, give what those on the host give.
TEST_F(Cuda, StokesTakesBlocksOnTheDevice) {
  const auto grid = std::make_shared<const StokesGrid>(test::stokes_elements(48, 32));
  const Problem problem = stokes_problem_without_matrix(grid);
  const int64_t n = grid->unknowns(), columns = 5;
  const auto b = test::random_block(columns * n, 3), guess = test::random_block(columns * n, 4);
  const auto engine = find_engine("stokes").make_on_cuda({});
  engine->setup(problem);
  ASSERT_TRUE(engine->takes_device_memory());
  const StopRule stop{.relative_residual = 1e-10};
  std::vector<double> expected = guess, got(b.size());
  const SolveStats on_host = engine->solve({b.data(), n, columns}, {expected.data(), n, columns}, stop);
  double* device = nullptr;
  const size_t bytes = b.size() * sizeof(double);
  ASSERT_EQ(cudaMalloc(&device, 2 * bytes), cudaSuccess);
  double* const x = device + b.size();
  ASSERT_EQ(cudaMemcpy(device, b.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(x, guess.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(),
            cudaSuccess);  // pageable memory may still be on its way, other streams do not wait
  const SolveStats on_device =
      engine->solve({device, n, columns, Memory::device}, {x, n, columns, Memory::device}, stop);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(got.data(), x, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  cudaFree(device);
  EXPECT_TRUE(on_host.converged);
  EXPECT_TRUE(on_device.converged);
  ASSERT_EQ(on_device.columns.size(), static_cast<size_t>(columns));
  for (int64_t j = 0; j < columns; ++j)
    EXPECT_EQ(on_device.columns[j].iterations, on_host.columns[j].iterations) << "column " << j;
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace gridiron
