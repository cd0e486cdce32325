// SPDX-License-Identifier: Apache-2.0
// Charts: legends stay off what they are about.
#include "reports/pictures/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/pictures/decoded_png.hpp"

namespace gridiron {
namespace {

constexpr int kLeft = 84, kTop = 96, kWidth = 420, kHeight = 320;  // of the first panel, in pixels

/// Dark pixels, as letters have, in a rectangle of the picture.
int letters(const test::DecodedPng& png, int left, int top, int width, int height) {
  int count = 0;
  for (int y = top; y < top + height; ++y)
    for (int x = left; x < left + width; ++x) {
      const auto [r, g, b, opaque] = png.at(x, y);
      if (r < 60 && g < 60 && b < 60) ++count;
    }
  return count;
}

TEST(Chart, ALegendLeavesTheCornerOfASinglePoint) {
  const Chart chart{"", "", "", {{"x", "y", true, true, {{"low", {1}, {1}}, {"high", {100}, {100}}}}}};
  const test::DecodedPng png(chart_png(chart));
  EXPECT_EQ(letters(png, kLeft + 300, kTop + 4, 100, 60), 0);
  EXPECT_GT(letters(png, kLeft + 4, kTop + 4, 100, 60), 10) << "in the next corner";
}

/// Blank columns between labels of the axis of x.
TEST(Chart, LabelsOfAnAxisAreApart) {
  for (const double low : {0.00036, 0.00052, 0.00071}) {
    const Chart chart{"", "", "", {{"", "", true, true, {{"a", {low, 0.0009}, {1, 10}}}}}};
    const test::DecodedPng png(chart_png(chart));
    int widest = 0, width = 0, blank = 0;
    for (int x = 20; x < png.width; ++x) {
      blank = letters(png, x, kTop + kHeight + 8, 1, 16) > 0 ? 0 : blank + 1;
      width = blank > 8 ? 0 : width + 1;
      widest = std::max(widest, width);
    }
    EXPECT_LT(widest, 70) << "labels from " << low << " on run into each other";
  }
}

}  // namespace
}  // namespace gridiron
