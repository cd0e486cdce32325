// SPDX-License-Identifier: Apache-2.0
#include "device/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <utility>

#include "support/context.hpp"

namespace gridiron {
namespace {

using Pairs = std::vector<std::pair<int32_t, int32_t>>;

/// Per member the lowest one of its set, by relabelling until nothing changes.
std::vector<int32_t> lowest_of(int32_t n, const Pairs& pairs) {
  std::vector<int32_t> lowest(n);
  std::iota(lowest.begin(), lowest.end(), 0);
  for (bool changed = true; std::exchange(changed, false);)
    for (const auto& [i, j] : pairs) {
      const int32_t low = std::min(lowest[i], lowest[j]);
      changed |= lowest[i] != low || lowest[j] != low;
      lowest[i] = lowest[j] = low;
    }
  return lowest;
}

void expect_lowest_roots(int32_t n, const Pairs& pairs) {
  const std::vector<int32_t> expected = lowest_of(n, pairs);
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadCount count(threads);
    DisjointSets sets(n);
    parallel_tasks(static_cast<int64_t>(pairs.size()), [&](int64_t k) { sets.unite(pairs[k].first, pairs[k].second); });
    std::vector<int32_t> found(n);
    parallel_each(n, [&](int64_t i) { found[i] = sets.find(static_cast<int32_t>(i)); });
    EXPECT_EQ(found, expected) << threads << " threads";
    for (int32_t i = 0; i < n; ++i) ASSERT_EQ(sets.is_root(i), expected[i] == i);
  }
}

TEST(DisjointSets, RootsAreTheLowestMembers) {
  expect_lowest_roots(0, {});
  expect_lowest_roots(1, {{0, 0}});
  std::mt19937 random(7);
  for (const int32_t n : {2, 100, (1 << 14) + 1, 50000}) {
    std::uniform_int_distribution<int32_t> any(0, n - 1);
    Pairs islands, hub, path;
    for (int32_t k = 0; k < n / 2; ++k) islands.emplace_back(any(random), any(random));
    for (int32_t k = 0; k < n; k += 2) hub.emplace_back(n - 1, k);
    for (int32_t k = 0; k + 1 < std::min(n, 2000); ++k) path.emplace_back(k + 1, k);
    expect_lowest_roots(n, islands);
    expect_lowest_roots(n, hub);
    expect_lowest_roots(n, path);
  }
}

}  // namespace
}  // namespace gridiron
