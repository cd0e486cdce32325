// SPDX-License-Identifier: Apache-2.0
#include "support/short_waits.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <thread>

#include "support/context.hpp"

namespace gridiron {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Processor time of threads that wait at the end of a loop for one that sleeps.
double seconds_of_waiting() {
  constexpr int kLoops = 10;
  const double before = processor_seconds();
  for (int k = 0; k < kLoops; ++k) {
#pragma omp parallel
    if (omp_get_thread_num() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return processor_seconds() - before;
}

int64_t threads_here() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

class ShortWaitsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) GTEST_SKIP() << "the environment decides";
    seconds_of_waiting();  // starts the threads
  }
  ThreadCount threads_{2};
};

TEST_F(ShortWaitsTest, ThreadsSleepWhileTheyWait) {
  const double spinning = seconds_of_waiting();
  const ShortWaits waits;
  const auto sleepers_sleep = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  double sleeping = seconds_of_waiting();
  while (sleeping > spinning / 4 && std::chrono::steady_clock::now() < sleepers_sleep) sleeping = seconds_of_waiting();
  EXPECT_LT(sleeping, spinning / 4);
}

TEST_F(ShortWaitsTest, SeveralGuardsShareThreadsUntilTheLastOneEnds) {
  const int64_t before = threads_here();
  {
    const ShortWaits first;
    { const ShortWaits second, third; }
    EXPECT_GT(threads_here(), before);
    EXPECT_LE(threads_here(), before + std::max(2, omp_get_num_procs()));
  }
  for (int k = 0; k < 1000 && threads_here() > before; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(threads_here(), before);
}

TEST_F(ShortWaitsTest, ShortLoopsAndSingleThreadsNeedNone) {
  const int64_t before = threads_here();
  const ShortWaits of_short_loops(1000);
  EXPECT_EQ(threads_here(), before);
  const ThreadCount one(1);
  const ShortWaits of_one_thread;
  EXPECT_EQ(threads_here(), before);
}

}  // namespace
}  // namespace gridiron
