// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/name_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gridiron {
namespace {

/// As the reader leaves it: merged from other tables, without an index yet.
NameTable merged_table(int names) {
  NameTable part, merged;
  for (int i = 0; i < names; ++i) part.intern("n" + std::to_string(i));
  const std::array<NameTable*, 1> parts = {&part};
  merge_names(parts, merged);
  return merged;
}

TEST(NameTable, ThreadsThatLookUpFirstFindEveryName) {
  constexpr int kNames = 50'000, kThreads = 4;
  for (int round = 0; round < 5; ++round) {
    const NameTable table = merged_table(kNames);
    std::barrier start(kThreads);
    std::atomic<int> missed = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int i = kNames - 1; i >= 0; i -= 997) missed += table.find("N" + std::to_string(i)) != i;
      });
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(missed, 0);
  }
}

TEST(NameTable, GrowsAfterItWasMergedAndAfterItWasLookedUp) {
  NameTable table = merged_table(1000);
  EXPECT_EQ(table.find("N999"), 999);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(table.intern("m" + std::to_string(i)), 1000 + i);
  const NameTable copy = table, moved = std::move(table);
  for (const NameTable* other : {&copy, &moved}) {
    EXPECT_EQ(other->find("n0"), 0);
    EXPECT_EQ(other->find("M4999"), 5999);
    EXPECT_EQ(other->find("m5000"), -1);
  }
}

TEST(NameTable, FindsAFewWithoutAnIndex) {
  NameTable table = merged_table(1000);
  const std::string far(100, 'x'), other(99, 'x');
  table.append(far);
  const std::vector<std::string_view> names = {"N7", far, "n1000", "n999", other, "", "n7"};
  EXPECT_EQ(table.find_few(names), (std::vector<int32_t>{7, 1000, -1, 999, -1, -1, 7}));
}

}  // namespace
}  // namespace gridiron
