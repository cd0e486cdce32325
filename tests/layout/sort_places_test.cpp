// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/sort_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace gridiron::layout {
namespace {

struct Range {
  Dbu low, high, step;
};

std::vector<KeyedPlace> places_in(int32_t n, Range x, Range y, uint32_t seed) {
  std::mt19937 random(seed);
  const auto at = [&](Range r) {
    const int64_t steps = (int64_t{r.high} - r.low) / r.step;
    return static_cast<Dbu>(r.low + r.step * std::uniform_int_distribution<int64_t>(0, steps)(random));
  };
  std::vector<KeyedPlace> places;
  for (int32_t i = 0; i < n; ++i) places.push_back({key_of({at(x), at(y)}), i});
  return places;
}

void expect_sorted(std::vector<KeyedPlace> places) {
  std::vector<KeyedPlace> expected = places, alone = places, scratch(places.size());
  std::ranges::stable_sort(expected, {}, &KeyedPlace::key);
  sort_places(places);
  sort_places(std::span(alone), std::span(scratch));
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(places[i].key, expected[i].key) << i;
    ASSERT_EQ(places[i].index, expected[i].index) << i;
    ASSERT_EQ(alone[i].key, expected[i].key) << i;
    ASSERT_EQ(alone[i].index, expected[i].index) << i;
  }
}

TEST(SortPlaces, OrdersByKeyAndKeepsTheOrderOfEqualOnes) {
  constexpr Dbu kLeast = std::numeric_limits<Dbu>::min(), kMost = std::numeric_limits<Dbu>::max();
  for (const int32_t n : {0, 1, 2, 60, 65, 1000, 20000, 150000}) {
    expect_sorted(places_in(n, {-1000, 1000000, 380}, {0, 2000000, 2800}, 1));
    expect_sorted(places_in(n, {kLeast, kMost, 1}, {kLeast, kMost, 1}, 2));
    expect_sorted(places_in(n, {7, 7, 1}, {-500, 500, 1}, 3));
    expect_sorted(places_in(n, {-5, 5, 5}, {3, 3, 1}, 4));
    expect_sorted(places_in(n, {7, 7, 1}, {9, 9, 1}, 5));
  }
}

TEST(SortPlaces, ServesPlacesThatAreFarMoreDenseSomewhere) {
  std::vector<KeyedPlace> places = places_in(100000, {0, 300, 1}, {0, 300, 1}, 6);
  for (int32_t i = 0; i < 100; ++i)
    places[static_cast<size_t>(i) * 1000].key = key_of({(i - 50) * 40000000, i * 20000000});
  expect_sorted(places);
}

}  // namespace
}  // namespace gridiron::layout
