// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/recent_values.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace gridiron {
namespace {

TEST(RecentValues, TellTextsApartByEveryCharacter) {
  for (size_t size = 1; size <= 40; ++size) {
    const std::string text(size, 'a');
    RecentValues recent;
    EXPECT_EQ(recent.find(text, Quantity::anything), nullptr) << size;
    recent.keep(text, Quantity::anything, 7);
    const std::string same(size, 'a');
    ASSERT_NE(recent.find(same, Quantity::anything), nullptr) << size;
    EXPECT_EQ(*recent.find(same, Quantity::anything), 7);
    EXPECT_EQ(recent.find(same, Quantity::resistance), nullptr) << size;
    for (size_t k = 0; k < size; ++k) {
      std::string other = text;
      other[k] = 'b';
      EXPECT_EQ(recent.find(other, Quantity::anything), nullptr) << size << " " << k;
    }
    EXPECT_EQ(recent.find(text + "a", Quantity::anything), nullptr) << size;
    recent.clear();
    EXPECT_EQ(recent.find(text, Quantity::anything), nullptr) << size;
  }
}

TEST(RecentValues, AreComputedOnceUnlessThereIsNone) {
  RecentValues recent;
  int computed = 0;
  const auto seven = [&computed] { return ++computed, std::optional(7.0); };
  EXPECT_EQ(recent.find_or("2*x", Quantity::anything, [] { return std::optional<double>(); }), std::nullopt);
  EXPECT_EQ(recent.find_or("2*x", Quantity::anything, seven), 7);
  EXPECT_EQ(recent.find_or("2*x", Quantity::anything, seven), 7);
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(recent.find_or("2*x", Quantity::resistance, seven), 7);
  EXPECT_EQ(computed, 2);
}

TEST(RecentValues, DoNotKnowAnEmptyText) {
  RecentValues recent;
  EXPECT_EQ(recent.find("", Quantity::anything), nullptr);
  recent.keep("", Quantity::anything, 1);
  EXPECT_EQ(recent.find("", Quantity::anything), nullptr);
}

}  // namespace
}  // namespace gridiron
