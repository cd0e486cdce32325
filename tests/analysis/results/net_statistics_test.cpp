// SPDX-License-Identifier: Apache-2.0
// What parts know is taken together as if there were one.
#include "analysis/results/net_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

#include "linalg/shares.hpp"

namespace gridiron {
namespace {

/// Processes that are threads: each adds what it passes to one array.
class SharingThreads : public Shares {
 public:
  explicit SharingThreads(ptrdiff_t count) : together_(count) {}
  void sum(std::span<double> values) const override {
    {
      const std::lock_guard lock(mutex_);
      sums_.resize(values.size());
      std::ranges::transform(sums_, values, sums_.begin(), std::plus());
    }
    together_.arrive_and_wait();
    std::ranges::copy(sums_, values.begin());
    together_.arrive_and_wait();
    {
      const std::lock_guard lock(mutex_);
      sums_.clear();
    }
    together_.arrive_and_wait();
  }
  void largest(std::span<double>) const override { FAIL(); }
  int64_t others() const override { return 0; }
  void exchange(std::span<double>) const override { FAIL(); }

 private:
  mutable std::barrier<> together_;
  mutable std::mutex mutex_;
  mutable std::vector<double> sums_;
};

TEST(Statistics, OfPartsAreThoseOfAllInAnyOrder) {
  Statistics low, high, all;
  for (const auto& [value, at] : {std::pair(0.5, 3), {2.0, 7}, {-1.0, 4}}) low.add(value, at), all.add(value, at);
  for (const auto& [value, at] : {std::pair(2.0, 5), {0.25, 9}}) high.add(value, at), all.add(value, at);
  for (const auto& [first, second] : {std::pair(low, high), {high, low}}) {
    Statistics joined;
    for (const Statistics& part : {first, Statistics(), second}) joined.take(part);
    EXPECT_EQ(joined.count, 5);
    EXPECT_EQ(joined.sum, all.sum);
    EXPECT_EQ(joined.average(), 0.75);
    EXPECT_EQ(joined.least, -1);
    EXPECT_EQ(joined.largest.value, 2);
    EXPECT_EQ(joined.largest.at, 5) << "the lowest of those that have it";
  }
}

TEST(Percentiles, OfPartsAreThoseOfAll) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0.0, 0.01);
  for (const size_t count : {0, 1, 2, 7, 1000}) {
    std::vector<double> drops(count);
    for (double& drop : drops) drop = std::max(-0.005, normal(random));
    const Percentiles one = percentiles_of(drops);
    std::vector<Percentiles> found(3);
    const SharingThreads all(3);
    const size_t ends[] = {0, 0, count / 3, count};  // the first part is empty
    std::vector<std::thread> threads;
    for (size_t p = 0; p < 3; ++p)
      threads.emplace_back(
          [&, p] { found[p] = percentiles_of(std::span(drops).subspan(ends[p], ends[p + 1] - ends[p]), &all); });
    for (std::thread& thread : threads) thread.join();
    std::ranges::sort(drops);
    for (const Percentiles& p : found) {
      EXPECT_EQ(p.p50, one.p50);
      EXPECT_EQ(p.p95, one.p95);
      EXPECT_EQ(p.p99, one.p99);
      EXPECT_EQ(p.p999, one.p999);
      EXPECT_EQ(p.p999, count == 0 ? 0 : drops[static_cast<size_t>(std::ceil(0.999 * count)) - 1]);
    }
  }
}

}  // namespace
}  // namespace gridiron
