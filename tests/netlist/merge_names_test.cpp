// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "netlist/name_table.hpp"

namespace gridiron {
namespace {

/// Names that differ where comparisons could go wrong: in case, in length, behind a long beginning that they share, in
/// characters next to letters.
std::string random_name(std::mt19937& random) {
  static const std::string kCharacters = "aAzZ@[`{_0\xc3\x84";
  std::string name(std::uniform_int_distribution<>(0, 1)(random) * std::uniform_int_distribution<>(0, 40)(random), 'q');
  const int length = std::uniform_int_distribution<>(1, 3)(random);
  for (int i = 0; i < length; ++i)
    name += kCharacters[std::uniform_int_distribution<std::size_t>(0, kCharacters.size() - 1)(random)];
  return name;
}

/// As interning name after name gives it.
struct Expected {
  std::map<std::string, std::int32_t> ids;
  std::vector<std::string> names;

  std::int32_t intern(const std::string& name) {
    std::string lower = name;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    const auto [at, is_new] = ids.emplace(lower, static_cast<std::int32_t>(names.size()));
    if (is_new) names.push_back(name);
    return at->second;
  }
};

void expect_as_interned(int tables, int names, std::uint32_t seed) {
  std::mt19937 random(seed);
  NameTable merged;
  Expected expected;
  for (const char* known : {"0", "Qqqqqqqqqqqqqqqqqqqqqqqqa"}) {
    merged.intern(known);
    expected.intern(known);
  }
  std::vector<NameTable> parts(tables);
  std::vector<NameTable*> pointers;
  std::vector<std::vector<std::int32_t>> map(tables);
  for (int t = 0; t < tables; ++t) {
    for (int i = 0; i < (t % 3 == 1 ? 0 : names); ++i) parts[t].intern(random_name(random) + std::to_string(i / 2));
    for (std::int32_t id = 0; id < parts[t].size(); ++id) map[t].push_back(expected.intern(std::string(parts[t][id])));
    pointers.push_back(&parts[t]);
  }
  EXPECT_EQ(merge_names(pointers, merged), map);
  ASSERT_EQ(merged.size(), static_cast<std::int32_t>(expected.names.size()));
  for (std::int32_t id = 0; id < merged.size(); ++id) {
    ASSERT_EQ(merged[id], expected.names[id]);
    ASSERT_EQ(merged.find(expected.names[id]), id);
  }
}

TEST(MergeNames, GivesWhatInterningInSequenceGives) {
  const int threads = omp_get_max_threads();
  for (const int t : {1, 2, 3}) {
    omp_set_num_threads(t);
    expect_as_interned(0, 0, 1);
    expect_as_interned(1, 1, 2);
    expect_as_interned(5, 40, 3);
    expect_as_interned(4, 20'000, 4);
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace gridiron
