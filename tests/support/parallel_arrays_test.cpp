// SPDX-License-Identifier: Apache-2.0
#include "support/parallel_arrays.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "support/context.hpp"

namespace gridiron {
namespace {

constexpr int64_t kSizes[] = {0, 1, 2, (1 << 14) - 1, 1 << 14, (1 << 14) + 1, 3 * (1 << 14) + 5, 100003};

std::vector<double> noise(int64_t n) {
  std::vector<double> values(n);
  uint64_t state = 12345;
  for (double& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(state >> 11) * 1e-12;
  }
  return values;
}

/// f() on 1, 2, 3 and 5 threads: always equal to `plain`.
template <class T, class F>
void expect_same(const T& plain, F f) {
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadCount count(threads);
    EXPECT_TRUE(f() == plain) << threads << " threads";
  }
}

TEST(ParallelArrays, ListsAreThoseOfOnePass) {
  for (const int64_t n : kSizes) {
    std::vector<int64_t> thirds;
    for (int64_t i = 0; i < n; i += 3) thirds.push_back(i);
    expect_same(thirds, [&] {
      return parallel_list<int64_t>(n, [](int64_t i, auto& list) {
        if (i % 3 == 0) list.push_back(i);
      });
    });
    expect_same(thirds, [&] {
      std::vector<int64_t> list;
      parallel_choose(
          n, [](int64_t i) { return i % 3 == 0; }, [&](int64_t count) { list.resize(count); },
          [&](int64_t i, int64_t place) { list[place] = i; });
      return list;
    });
  }
}

TEST(ParallelArrays, WhatGrowsKeepsWhatItHeld) {
  for (const int64_t n : kSizes) {
    const std::vector<double> more = noise(n);
    std::vector<double> plain = noise(20000);
    plain.insert(plain.end(), more.begin(), more.end());
    for (const bool has_room : {false, true})
      expect_same(plain, [&] {
        std::vector<double> array = noise(20000);
        if (has_room) array.reserve(array.size() + more.size() + 1);
        append_in_parallel(array, std::span<const double>(more));
        return array;
      });
  }
}

TEST(ParallelArrays, ScansAreThoseOfOnePass) {
  for (const int64_t n : kSizes) {
    std::vector<int64_t> counts(n);
    for (int64_t i = 0; i < n; ++i) counts[i] = i % 7;
    std::vector<int64_t> plain(n);
    std::exclusive_scan(counts.begin(), counts.end(), plain.begin(), int64_t{0});
    plain.push_back(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
    expect_same(plain, [&] {
      std::vector<int64_t> scanned = counts;
      scanned.push_back(parallel_scan(scanned.data(), n));
      return scanned;
    });
  }
}

TEST(ParallelArrays, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  for (const int64_t n : kSizes) {
    const std::vector<double> values = noise(n);
    double plain = 0;  // range by range
    for (int64_t begin = 0; begin < n; begin += 1 << 14)
      plain += std::accumulate(values.begin() + begin, values.begin() + std::min<int64_t>(n, begin + (1 << 14)), 0.0);
    expect_same(plain, [&] { return parallel_sum<double>(n, [&](int64_t i) { return values[i]; }); });
  }
}

TEST(ParallelArrays, ItemsOfANodeRunInOrder) {
  for (const int64_t items : kSizes)
    for (const int64_t nodes : {int64_t{1}, int64_t{100}, int64_t{128}, items + 1}) {
      const std::vector<double> values = noise(items);
      // Every fifth item is of no node, every third of the hub.
      const auto node_of = [&](int64_t k) { return k % 5 == 0 ? -1 : k % 3 == 0 ? nodes / 2 : (k * 7919) % nodes; };
      std::vector<double> plain(nodes, 0.0);
      for (int64_t k = 0; k < items; ++k)
        if (node_of(k) >= 0) plain[node_of(k)] += values[k];
      expect_same(plain, [&] {
        std::vector<double> sums(nodes, 0.0);
        for_each_by_node(items, nodes, node_of, [&](int64_t k) { sums[node_of(k)] += values[k]; });
        return sums;
      });
    }
}

TEST(ParallelArrays, GroupsKeepTheOrderOfItems) {
  for (const int64_t n : kSizes)
    for (const int64_t keys : {1, 3, 64, 5000}) {
      const auto key_of = [&](int64_t i) { return i % 11 == 0 ? -1 : (i * 7919) % keys; };
      std::vector<std::vector<int64_t>> lists(keys);
      for (int64_t i = 0; i < n; ++i)
        if (key_of(i) >= 0) lists[key_of(i)].push_back(i);
      std::vector<int64_t> plain;
      for (const auto& list : lists) plain.insert(plain.end(), list.begin(), list.end());
      expect_same(plain, [&] {
        const GroupedByKey groups(n, keys, key_of);
        std::vector<int64_t> sorted(groups.start(keys));
        groups.for_each_place(key_of, [&](int64_t i, int64_t place) { sorted[place] = i; });
        for (int64_t key = 0; key < keys; ++key)
          EXPECT_EQ(groups.start(key + 1) - groups.start(key), static_cast<int64_t>(lists[key].size()));
        return sorted;
      });
    }
}

TEST(ParallelArrays, ItemsByNodeAscend) {
  for (const int64_t items : kSizes) {
    const int64_t nodes = items / 3 + 1;
    const auto node_of = [&](int64_t k) { return k % 5 == 0 ? -1 : k % 3 == 0 ? nodes / 2 : (k * 7919) % nodes; };
    std::vector<std::vector<int64_t>> plain(nodes);
    for (int64_t k = 0; k < items; ++k)
      if (node_of(k) >= 0) plain[node_of(k)].push_back(k);
    expect_same(plain, [&] {
      const ItemsByNode<int64_t> by_node(items, nodes, node_of);
      std::vector<std::vector<int64_t>> lists;
      for (int64_t i = 0; i < nodes; ++i)
        lists.emplace_back(by_node.item.begin() + by_node.start[i], by_node.item.begin() + by_node.start[i + 1]);
      return lists;
    });
  }
}

TEST(ParallelArrays, AssignsWhatVectorsDo) {
  for (const int64_t n : kSizes) {
    expect_same(std::vector<double>(n, 2.5), [&] {
      std::vector<double> array(3, 1.0);
      assign_in_parallel(array, n, 2.5);
      return array;
    });
    expect_same(std::vector<double>(n, 2.5), [&] {
      std::vector<double> longer(n + 5, 1.0);
      assign_in_parallel(longer, n, 2.5);
      return longer;
    });
  }
}

TEST(ParallelArrays, RoomIsForEveryEntry) {
  for (const int64_t n : kSizes)
    expect_same(std::vector<double>(n, 2.5), [&] {
      std::vector<double> array(3, 1.0);
      make_room_in_parallel(array, n);
      EXPECT_EQ(std::ssize(array), n);
      std::fill(array.begin(), array.end(), 2.5);
      return array;
    });
}

TEST(ParallelArrays, ArraysAreJoinedInOrder) {
  for (const int64_t n : kSizes) {
    std::vector<int64_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    expect_same(all, [&] {
      std::vector<std::vector<int64_t>> parts(1);
      for (const int64_t i : all) {
        if (i % 1000 == 7) parts.resize(parts.size() + 2);
        parts.back().push_back(i);
      }
      return concatenated(std::move(parts));
    });
  }
  EXPECT_EQ(concatenated(std::vector<std::vector<int>>()), std::vector<int>());
}

TEST(ResizeUntouched, IsResizeButForWhatNewEntriesAre) {
  for (const size_t n : {0, 1, 2, 1000, 100'000}) {
    std::vector<int32_t> array;
    resize_untouched(array, n);
    ASSERT_EQ(array.size(), n);
    std::iota(array.begin(), array.end(), 0);
    array.push_back(-1);
    ASSERT_EQ(array.size(), n + 1);
    EXPECT_EQ(array.back(), -1);
    resize_untouched(array, n / 2);
    ASSERT_EQ(array.size(), n / 2);
    for (size_t i = 0; i < array.size(); ++i) ASSERT_EQ(array[i], static_cast<int32_t>(i));
    resize_untouched(array, 3 * n + 7);
    ASSERT_EQ(array.size(), 3 * n + 7);
    std::fill(array.begin(), array.end(), 5);
    EXPECT_EQ(array, std::vector<int32_t>(3 * n + 7, 5));
    resize_untouched(array, 0);
    EXPECT_TRUE(array.empty());
  }
}

}  // namespace
}  // namespace gridiron
