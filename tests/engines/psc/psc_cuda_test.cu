// SPDX-License-Identifier: Apache-2.0
// The parts of psc on a GPU. Skipped if there is no device.
#include <gtest/gtest.h>

#include "device/cuda_device.cuh"
#include "engines/psc/gemm_cuda.cuh"
#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/psc/psc_checks.hpp"

namespace gridiron {
namespace {

/// The engine's kernels are in the library already: a type of their own gives these checks copies of their own.
struct PscTestDevice : CudaDevice {};

class PscOnCuda : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(PscOnCuda, MultipliesInEveryPrecision) { test::multiplies_in_every_precision<PscTestDevice>(); }
TEST_F(PscOnCuda, InvertsLikeLapack) { test::inverts_like_lapack<PscTestDevice>({1, 7, 64, 65, 135, 333, 2000}); }
TEST_F(PscOnCuda, SolvesLikeCholmod) { test::solves_like_cholmod<PscTestDevice>(); }
TEST_F(PscOnCuda, RefinesToAnyTolerance) { test::refines_to_any_tolerance<PscTestDevice>(); }
TEST_F(PscOnCuda, BlocksAreTheirColumns) { test::blocks_are_their_columns<PscTestDevice>(); }
TEST_F(PscOnCuda, PartsAreTheBlock) { test::parts_are_the_block<PscTestDevice>(); }

/// Within the hybrid iteration, both methods and every precision against the CPU.
TEST_F(PscOnCuda, PowerGridsAgreeWithTheCpu) {
  const auto deck = test::mesh(60, 50, 5.0);
  const EngineInfo& info = find_engine("psc");
  for (const char* method : {"m1", "m3"})
    for (const char* precision : {"double", "single", "tf32", "half", "bfloat"}) {
      SCOPED_TRACE(std::string(method) + " " + precision);
      const Settings settings{{"method", method}, {"precision", precision}};
      const auto b = test::random_block(11 * deck->network.nodes, 5);
      const StopRule stop{.relative_residual = 1e-10};
      const auto on_cpu = info.make(settings), on_cuda = info.make_on_cuda(settings);
      on_cpu->setup(deck->problem);
      on_cuda->setup(deck->problem);
      const auto expected = test::solve(*on_cpu, deck->problem, b, stop),
                 got = test::solve(*on_cuda, deck->problem, b, stop);
      EXPECT_TRUE(got.stats.converged);
      EXPECT_NEAR(got.stats.iterations, expected.stats.iterations, 1);
      EXPECT_LE(test::distance(got.x, expected.x), 1e-7);
    }
}

}  // namespace
}  // namespace gridiron
