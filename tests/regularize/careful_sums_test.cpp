// SPDX-License-Identifier: Apache-2.0
#include "regularize/careful_sums.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/context.hpp"

namespace gridiron {
namespace {

struct Items {
  std::vector<int64_t> node;  ///< −1: of none
  std::vector<double> value;
};

/// Values of many magnitudes and both signs, half of them at one node.
Items random_items(int64_t items, int64_t nodes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-12, 4);
  Items out;
  for (int64_t k = 0; k < items; ++k) {
    out.node.push_back(k % 5 == 0 ? -1 : k % 2 == 0 ? nodes / 2 : static_cast<int64_t>(random() % nodes));
    out.value.push_back((random() % 2 == 0 ? 1 : -1) * std::pow(10, exponent(random)));
  }
  return out;
}

std::vector<double> sums_of(const Items& items, std::span<const double> start) {
  std::vector<double> sums(start.size());
  sum_carefully(
      sums, [&](int64_t i) { return start[i]; }, std::ssize(items.node), [&](int64_t k) { return items.node[k]; },
      [&](int64_t k) { return items.value[k]; });
  return sums;
}

TEST(CarefulSums, AreRoundedAboutOnce) {
  for (const int64_t count : {0, 1, 1000, (1 << 14) + 1, 60000})
    for (const int64_t nodes : {1, 127, 128, 129, 50000}) {
      const Items items = random_items(count, nodes);
      std::vector<double> start(nodes, 0.0);
      start[nodes - 1] = 1e5;
      std::vector<long double> exact(start.begin(), start.end()), magnitude(exact);
      for (int64_t k = 0; k < count; ++k)
        if (items.node[k] >= 0) {
          exact[items.node[k]] += items.value[k];
          magnitude[items.node[k]] += std::abs(items.value[k]);
        }
      constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
      const ThreadCount one(1);
      const std::vector<double> sums = sums_of(items, start);
      for (int64_t i = 0; i < nodes; ++i)
        EXPECT_LE(std::abs(static_cast<double>(exact[i] - sums[i])),
                  kEpsilon * std::abs(sums[i]) + 1e-3 * kEpsilon * static_cast<double>(magnitude[i]));
      for (const int threads : {2, 3}) {
        const ThreadCount several(threads);
        EXPECT_EQ(sums, sums_of(items, start));
      }
    }
}

TEST(CarefulSums, AreTheSameWithinAParallelRegion) {
  const Items items = random_items(60000, 129);
  const std::vector<double> start(129, 0.5), plain = sums_of(items, start);
  const ThreadCount several(3);
  std::vector<std::vector<double>> sums(5);
  parallel_tasks(std::ssize(sums), [&](int64_t k) { sums[k] = sums_of(items, start); });
  for (const std::vector<double>& some : sums) EXPECT_EQ(some, plain);
}

TEST(CarefulSums, OfNoNodesAreNone) {
  const Items none = {std::vector<int64_t>(50000, -1), std::vector<double>(50000, 1.0)};
  EXPECT_TRUE(sums_of(none, {}).empty());
  EXPECT_EQ(sums_of({}, std::vector<double>(50000, 2.0)), std::vector<double>(50000, 2.0));
}

TEST(CarefulSums, KeepWhatPlainSumsLose) {
  const Items items{{0, 0, 0, 1}, {1e16, 1, -1e16, 3}};
  EXPECT_EQ(sums_of(items, std::vector<double>{0, 2}), (std::vector<double>{1, 5}));
}

}  // namespace
}  // namespace gridiron
