// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "linalg/second_queue.hpp"

namespace gridiron {
namespace {

TEST(SecondQueue, TakesTheLaterHalfOfThePacks) {
  for (const auto& [columns, expected] :
       {std::pair(1, 0), {7, 0}, {8, 0}, {9, 1}, {16, 8}, {17, 1}, {24, 8}, {25, 9}, {64, 32}}) {
    EXPECT_EQ((std::max<int64_t>(0, columns_of_second_queue<CheckingDevice, 8>(columns))), expected) << columns;
    EXPECT_EQ((columns_of_second_queue<CpuDevice, 8>(columns)), 0);
  }
}

/// Both parts wait for each other, so that neither can end unless both run.
TEST(SecondQueue, WorksAtTheSameTime) {
  SecondQueue<CheckingDevice> second;
  std::atomic<bool> here = false, there = false;
  second.run(
      [&] {
        here = true;
        here.notify_all();
        there.wait(false);
      },
      [&] {
        there = true;
        there.notify_all();
        here.wait(false);
      });
}

TEST(SecondQueue, PassesErrorsOfBothOn) {
  SecondQueue<CheckingDevice> second;
  bool is_done = false;
  const auto fail = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
  EXPECT_THROW(second.run([] {}, fail("there")), std::runtime_error);
  EXPECT_THROW(second.run(fail("here"), [&] { is_done = true; }), std::runtime_error);
  EXPECT_TRUE(is_done);
}

TEST(SecondQueue, ProgressAddsUpAndColumnsKeepTheirOrder) {
  SecondQueue<CheckingDevice> second;
  constexpr int64_t kColumns = 20, kBeside = 8;
  std::vector<double> b(kColumns), x(kColumns);
  std::iota(b.begin(), b.end(), 0.0);
  double share = 0;  // as callers have it: not atomic
  StopRule stop;
  stop.advanced = [&](double more) { share += more; };
  const auto solve = [](Block<const double> from, Block<double> to, const StopRule& rule) {
    std::vector<ColumnStats> stats;
    for (int64_t j = 0; j < from.columns; ++j) {
      to.column(j)[0] = 2 * from.column(j)[0];
      for (int step = 0; step < 1000; ++step) rule.advanced(0.001);
      stats.emplace_back().iterations = static_cast<int>(from.column(j)[0]);
    }
    return stats;
  };
  const auto stats =
      solve_on_two_queues(second, kBeside, {b.data(), 1, kColumns}, {x.data(), 1, kColumns}, stop, solve, solve);
  EXPECT_NEAR(share, kColumns, 1e-9);
  ASSERT_EQ(stats.size(), static_cast<size_t>(kColumns));
  for (int j = 0; j < kColumns; ++j) {
    EXPECT_EQ(x[j], 2 * b[j]);
    EXPECT_EQ(stats[j].iterations, j);
  }
}

}  // namespace
}  // namespace gridiron
