// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

namespace gridiron {
namespace {

TEST(NodeNames, ComeBackAsTheyWereSpelledFirst) {
  const std::string longest(NameStems::kLongest - 3, 'a');
  const std::vector<std::string> names = {"0",
                                          "n1_0_0",
                                          "vdd",
                                          "n0_12345678_9",
                                          "N12_40_67108863",
                                          "_X_n3_5_6",
                                          "a",
                                          "n1_05_6",
                                          "n1_-5_6",
                                          "n1_67108864_0",
                                          "n1_0_123456789",
                                          "vdd_m1_2000_40",
                                          "x:7",
                                          longest + "_M9_67108863_10000000",
                                          longest + "a_M9_1_2",
                                          "Node_met5_10_20"};
  NodeNames table;
  for (int32_t id = 0; id < std::ssize(names); ++id) EXPECT_EQ(table.intern(names[id]), id) << names[id];
  ASSERT_EQ(table.size(), std::ssize(names));
  for (int32_t id = 0; id < table.size(); ++id) {
    EXPECT_EQ(table[id], names[id]);
    EXPECT_EQ(table.find(names[id]), id) << names[id];
    std::string upper = names[id];
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(table.intern(upper), id) << upper;
    EXPECT_EQ(table.find(upper), id) << upper;
    EXPECT_EQ(table[id], names[id]) << "the first spelling stays";
  }
  for (const char* unknown : {"n1_0_1", "n2_0_0", "n1_0_0_0", "b", "", "N1_00_0"}) EXPECT_EQ(table.find(unknown), -1);
  EXPECT_TRUE(name_key::is_text(table.key(0)));
  EXPECT_FALSE(name_key::is_text(table.key(13))) << "a stem of the largest length";
  EXPECT_TRUE(name_key::is_text(table.key(14)));
}

/// Of names spelled in letters of both cases the one that occurs first is known.
TEST(NodeNames, KnowOfOtherCases) {
  NodeNames names;
  for (const char* name : {"0", "a", "VDD", "b", "n1_5_6", "A", "vdd"}) names.intern(name);
  EXPECT_EQ(names[names.in_other_case()], "a");
  names.find("B");
  NodeNames plain, other, merged;
  for (const char* name : {"0", "x", "VDD", "n1_1_2"}) plain.intern(name);
  for (const char* name : {"0", "vdd", "y", "n1_1_2"}) other.intern(name);
  EXPECT_EQ(plain.in_other_case(), -1);
  NodeNames* const parts[] = {&plain, &other};
  merge_names(parts, merged);
  EXPECT_EQ(merged[merged.in_other_case()], "VDD");
  EXPECT_EQ(merged.stems().in_other_case(), merged.stems().size());
  merged.intern("N1_1_3");
  EXPECT_EQ(merged.stems().in_other_case(), 1u);
}

TEST(NodeNames, ASpelledNameIsText) {
  NodeNames table;
  table.intern("n1_2_3");
  table.intern("top");
  EXPECT_EQ(fmt::format("{} {}", table[0], table[1]), "n1_2_3 top");
  const SpelledName copy = table[0];
  EXPECT_EQ(copy, table[0]);
  EXPECT_EQ(copy.view(), "n1_2_3") << "a copy has its own characters";
}

TEST(NodeNames, AppendedNamesAreFound) {
  NodeNames table;
  table.intern("0");
  table.append("top");
  table.append("n1_1_1");
  EXPECT_EQ(table.find("N1_1_1"), 2);
  table.append("n1_1_2");
  table.append("b");
  table.shrink_to_fit();
  EXPECT_EQ(table.find("n1_1_2"), 3);
  EXPECT_EQ(table.find("TOP"), 1);
  EXPECT_EQ(table.find("B"), 4);
  EXPECT_EQ(table.intern("n1_1_3"), 5);
}

/// Stems that differ in case alone must not end on both sides of the limit.
TEST(NodeNames, MoreStemsThanAKeyTellsApart) {
  NodeNames table;
  constexpr int kStems = 6000;
  std::vector<std::string> names;
  for (int k = 0; k < kStems; ++k) names.push_back(fmt::format("n{}_1_2", k));
  for (int k = 0; k < kStems; ++k) ASSERT_EQ(table.intern(names[k]), k);
  for (int k = 0; k < kStems; ++k) {
    ASSERT_EQ(table[k], names[k]);
    ASSERT_EQ(table.intern(fmt::format("N{}_1_2", k)), k);
    ASSERT_EQ(table.find(names[k]), k);
  }
  EXPECT_FALSE(table.has_places());
  NodeNames appended;
  for (size_t k = 0; k < name_key::kText; ++k) appended.append(names[k]);
  appended.append("N0_5_6");
  EXPECT_EQ(appended.find("n0_5_6"), static_cast<int32_t>(name_key::kText)) << "the last stem is one too many";
  table.append("n1_2_3");
  EXPECT_EQ(table.find("n1_2_3"), kStems);
}

TEST(NodeNames, ThreadsThatLookUpFirstFindEveryName) {
  constexpr int kNames = 20'000, kThreads = 4;
  for (int round = 0; round < 5; ++round) {
    NodeNames part, table;
    for (int i = 0; i < kNames; ++i) part.intern(i % 2 == 0 ? fmt::format("n1_{}_5", i) : fmt::format("t{}", i));
    NodeNames* const parts[] = {&part};
    merge_names(parts, table);
    std::barrier start(kThreads);
    std::atomic<int> missed = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int i = kNames - 1; i >= 0; i -= 99)
          missed += table.find(i % 2 == 0 ? fmt::format("N1_{}_5", i) : fmt::format("T{}", i)) != i;
      });
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(missed, 0);
  }
}

TEST(NodeNames, PlacesAreAppendedWithoutTheirText) {
  const std::string too_long(NameStems::kLongest + 1, 'm');
  NodeNames texts, places;
  for (NodeNames* names : {&texts, &places}) names->intern("0");
  const auto add = [&](const std::string& stem, int64_t x, int64_t y) {
    texts.append(fmt::format("{}_{}_{}", stem, x, y));
    places.append(stem, x, y);
  };
  add("Node_m1", 5, 67108863);
  add("Node_m1", 6, 7);
  add("ITermNode_m1", 5, 67108863);
  add("Node_m1", -1, 7);
  add("Node_m1", 67108864, 7);
  add("Node_" + too_long, 1, 2);
  add("plain", 1, 2);
  ASSERT_EQ(places.size(), texts.size());
  for (int32_t id = 0; id < texts.size(); ++id) {
    EXPECT_EQ(places[id], texts[id].view());
    EXPECT_EQ(places.key(id), texts.key(id));
    EXPECT_EQ(places.find(texts[id]), id);
  }
  EXPECT_EQ(places.intern("node_m1_6_7"), 2);
}

}  // namespace
}  // namespace gridiron
