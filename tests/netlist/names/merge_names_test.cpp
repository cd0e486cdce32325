// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "netlist/names/name_table.hpp"
#include "netlist/names/node_names.hpp"

namespace gridiron {
namespace {

/// Names that differ where comparisons could go wrong: in case, in length, behind a long beginning that they share, in
/// characters next to letters.
std::string random_name(std::mt19937& random) {
  static const std::string kCharacters = "aAzZ@[`{_0\xc3\x84";
  std::string name(std::uniform_int_distribution<>(0, 1)(random) * std::uniform_int_distribution<>(0, 40)(random), 'q');
  const int length = std::uniform_int_distribution<>(1, 3)(random);
  for (int i = 0; i < length; ++i)
    name += kCharacters[std::uniform_int_distribution<size_t>(0, kCharacters.size() - 1)(random)];
  return name;
}

/// Half of them tell a place, with stems that differ in case alone, others look as if they did.
std::string random_node(std::mt19937& random) {
  if (random() % 2 == 0) return random_name(random);
  static const std::string kStems[] = {"n1", "N1", "_X_n1", "_x_N1", "vdd_M1", "VDD_m1", "n1_0", "x", "n1_00"};
  return kStems[random() % std::size(kStems)] + "_" + std::to_string(random() % 50) + "_";
}

/// As interning name after name gives it.
struct Expected {
  std::map<std::string, int32_t> ids;
  std::vector<std::string> names;

  int32_t intern(const std::string& name) {
    std::string lower = name;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    const auto [at, is_new] = ids.emplace(lower, static_cast<int32_t>(names.size()));
    if (is_new) names.push_back(name);
    return at->second;
  }
};

template <class Table, class Name>
void expect_as_interned(const std::vector<std::string>& known, int tables, int names, std::mt19937& random,
                        const Name& name) {
  Table merged;
  Expected expected;
  for (const std::string& k : known) {
    merged.intern(k);
    expected.intern(k);
  }
  std::vector<Table> parts(tables);
  std::vector<Table*> pointers;
  std::vector<std::vector<int32_t>> map(tables);
  for (int t = 0; t < tables; ++t) {
    for (int i = 0; i < (t % 3 == 1 ? 0 : names); ++i) parts[t].intern(name(random) + std::to_string(i / 2));
    for (int32_t id = 0; id < parts[t].size(); ++id) map[t].push_back(expected.intern(std::string(parts[t][id])));
    pointers.push_back(&parts[t]);
  }
  EXPECT_EQ(merge_names(pointers, merged), map);
  ASSERT_EQ(merged.size(), static_cast<int32_t>(expected.names.size()));
  for (int32_t id = 0; id < merged.size(); ++id) {
    ASSERT_EQ(merged[id], expected.names[id]);
    ASSERT_EQ(merged.find(expected.names[id]), id);
  }
}

template <class Table, class Name>
void expect_as_interned(const std::vector<std::string>& known, const Name& name) {
  const int threads = omp_get_max_threads();
  std::mt19937 random(1);
  for (const int t : {1, 2, 3}) {
    omp_set_num_threads(t);
    expect_as_interned<Table>(known, 0, 0, random, name);
    expect_as_interned<Table>(known, 1, 1, random, name);
    expect_as_interned<Table>(known, 5, 40, random, name);
    expect_as_interned<Table>(known, 4, 20'000, random, name);
  }
  omp_set_num_threads(threads);
}

TEST(MergeNames, GivesWhatInterningInSequenceGives) {
  expect_as_interned<NameTable>({"0", "Qqqqqqqqqqqqqqqqqqqqqqqqa"}, random_name);
}

TEST(MergeNames, OfNodesGivesWhatInterningInSequenceGives) {
  for (const std::vector<std::string>& known :
       {std::vector<std::string>{}, {"0"}, {"0", "n1_5_0", "Aa0", "VDD_m1_7_1"}}) {
    expect_as_interned<NodeNames>(known, random_node);
    expect_as_interned<NodeNames>(known, random_name);
  }
}

/// More stems than keys tell apart, in one table or in all of them together.
TEST(MergeNames, OfNodesWithTooManyStems) {
  std::mt19937 random(2);
  for (const unsigned stems : {3000u, 9000u})
    expect_as_interned<NodeNames>({"0", "n1_5_6"}, 3, 20'000, random, [stems](std::mt19937& r) {
      return (r() % 2 == 0 ? "n" : "N") + std::to_string(r() % stems) + "_1_";
    });
}

}  // namespace
}  // namespace gridiron
