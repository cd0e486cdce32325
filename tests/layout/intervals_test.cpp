// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace gridiron::layout {
namespace {

TEST(Intervals, TellWhichOneIsAtAPlace) {
  std::mt19937 random(7);
  for (const Dbu extent : {40, 1000, 2000000000}) {
    std::vector<Point> extents;
    for (int i = 0; i < 40; ++i) {
      const Dbu low = std::uniform_int_distribution<Dbu>(-extent / 2, extent / 2)(random);
      extents.push_back({low, low + std::uniform_int_distribution<Dbu>(0, std::max(1, extent / 100))(random)});
    }
    const Intervals covered(std::ssize(extents), [&](int64_t i) { return extents[static_cast<size_t>(i)]; });
    const auto is_covered = [&](int64_t place) {
      return std::ranges::any_of(extents, [&](Point e) { return place >= e.x && place <= e.y; });
    };
    int64_t last = -1;
    std::vector<int64_t> places;
    for (const Point e : extents)
      for (const int64_t by : {-1, 0, 1}) places.push_back(e.x + by), places.push_back(e.y + by);
    std::ranges::sort(places);
    for (const int64_t place : places) {
      const int64_t interval = covered.at(static_cast<Dbu>(place));
      ASSERT_EQ(interval >= 0, is_covered(place)) << place;
      if (interval < 0) continue;
      ASSERT_GE(interval, last);
      last = interval;
    }
    EXPECT_EQ(last + 1, covered.size());
    EXPECT_EQ(covered.at(std::numeric_limits<Dbu>::min()), -1);
    EXPECT_EQ(covered.at(std::numeric_limits<Dbu>::max()), -1);
  }
  EXPECT_EQ(Intervals().at(0), -1);
}

}  // namespace
}  // namespace gridiron::layout
