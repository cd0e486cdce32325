// SPDX-License-Identifier: Apache-2.0
#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/context.hpp"

namespace gridiron {
namespace {

int64_t square(int64_t i) {
  int64_t sum = 0;  // the first take longest
  for (int64_t k = 0; k < 1000 / (i + 1); ++k) sum += k % 2;
  return i * i + sum - sum;
}

TEST(ParallelInOrder, UsesWhatWasMadeInOrder) {
  for (const int threads : {1, 2, 3, 5})
    for (const int64_t n : {0, 1, 2, 3, 1000}) {
      const ThreadCount count(threads);
      std::vector<int64_t> plain, used;
      for (int64_t i = 0; i < n; ++i) plain.push_back(i * i);
      parallel_in_order<int64_t>(
          n, [](int64_t i, int64_t& made) { made = square(i); }, [&](int64_t made) { used.push_back(made); });
      EXPECT_EQ(used, plain) << threads << " threads";
    }
}

TEST(ParallelInOrder, StopsAtTheFirstFailure) {
  for (const int threads : {1, 2, 5})
    for (const bool fails_in_use : {false, true}) {
      const ThreadCount count(threads);
      std::vector<int64_t> used;
      const auto fail_from = [](int64_t i, int64_t first) {
        if (i >= first) throw std::runtime_error(std::to_string(i));
      };
      try {
        parallel_in_order<int64_t>(
            1000,
            [&](int64_t i, int64_t& made) {
              if (!fails_in_use) fail_from(i, 40);
              made = i;
            },
            [&](int64_t made) {
              if (fails_in_use) fail_from(made, 40);
              used.push_back(made);
            });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "40") << threads << " threads";
      }
      EXPECT_EQ(used.size(), 40u);
    }
}

TEST(ScratchIndex, NumbersTheThreadsOfItsOwnersLoops) {
  const ThreadCount count(3);
  const auto expect_numbers = [](size_t threads) {
    const ScratchIndex own;
    EXPECT_EQ(own(), 0U);
    parallel_tasks(1, [&](int64_t) { EXPECT_EQ(own(), 0U); });
    std::vector<int64_t> sums(threads, 0);
    parallel_tasks(1000, [&](int64_t i) { sums.at(own()) += i; });  // not atomic: no two threads share one
    int64_t total = 0;
    for (const int64_t sum : sums) total += sum;
    EXPECT_EQ(total, 999 * 1000 / 2);
  };
  expect_numbers(3);
#pragma omp parallel num_threads(4)
  expect_numbers(1);  // loops within a team run on one thread
}

}  // namespace
}  // namespace gridiron
