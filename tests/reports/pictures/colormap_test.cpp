// SPDX-License-Identifier: Apache-2.0
// The colour scale is perceptually uniform, measured on the 8-bit colours that end up in pictures.
#include "reports/pictures/colormap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridiron {
namespace {

double distance(const OkLab& p, const OkLab& q) { return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b); }

TEST(OkLabSpace, KnowsWhiteBlackAndRed) {
  const OkLab white = to_oklab({255, 255, 255}), black = to_oklab({0, 0, 0}), red = to_oklab({255, 0, 0});
  EXPECT_NEAR(white.l, 1, 1e-4);
  EXPECT_NEAR(white.a, 0, 1e-4);
  EXPECT_NEAR(black.l, 0, 1e-9);
  EXPECT_NEAR(red.l, 0.62796, 1e-4);  // published value
  EXPECT_NEAR(red.a, 0.22486, 1e-4);
  EXPECT_NEAR(red.b, 0.12585, 1e-4);
}

TEST(HeatColours, GrowLighterAllTheWay) {
  const auto& colours = heat_colours();
  for (int i = 8; i < kHeatColours; ++i) EXPECT_GT(to_oklab(colours[i]).l, to_oklab(colours[i - 8]).l) << i;
  EXPECT_LT(to_oklab(colours.front()).l, 0.3);
  EXPECT_GT(to_oklab(colours.back()).l, 0.9);
}

TEST(HeatColours, AreEquallyFarApart) {
  constexpr int kStride = 16;  // far above the rounding to 8 bits
  std::vector<double> steps;
  for (int i = kStride; i < kHeatColours; i += kStride)
    steps.push_back(distance(to_oklab(heat_colours()[i]), to_oklab(heat_colours()[i - kStride])));
  const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
  EXPECT_LT(*most / *least, 1.12);
}

TEST(HeatColours, DifferFromOneAnother) {
  for (int i = 1; i < kHeatColours; ++i) EXPECT_FALSE(heat_colours()[i] == heat_colours()[i - 1]) << i;
}

}  // namespace
}  // namespace gridiron
