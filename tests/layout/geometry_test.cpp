// SPDX-License-Identifier: Apache-2.0
// Turned and flipped shapes, placed by the low corner of what a macro covers.
#include "layout/geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"

namespace gridiron::layout {
namespace {

struct Case {
  const char* word;
  Orientation orientation;
  Box box;  ///< of a pin 10 20 30 25 in a macro of 100 by 40, placed at 1000 2000
};

class Placed : public testing::TestWithParam<Case> {};

TEST_P(Placed, LowCornerOfTheTurnedMacroIsThePlace) {
  const Case& c = GetParam();
  EXPECT_EQ(orientation_of(c.word), c.orientation);
  EXPECT_EQ(placed(Box{10, 20, 30, 25}, 100, 40, {1000, 2000}, c.orientation), c.box);
  const bool lies = c.orientation == Orientation::W || c.orientation == Orientation::E ||
                    c.orientation == Orientation::FW || c.orientation == Orientation::FE;
  EXPECT_EQ(placed(Box{0, 0, 100, 40}, 100, 40, {1000, 2000}, c.orientation),
            (lies ? Box{1000, 2000, 1040, 2100} : Box{1000, 2000, 1100, 2040}));
}

TEST_P(Placed, CornersOfAPolygonComeToCornersOfItsBox) {
  const Case& c = GetParam();
  const Point a = placed(Point{10, 20}, 100, 40, {1000, 2000}, c.orientation);
  const Point b = placed(Point{30, 25}, 100, 40, {1000, 2000}, c.orientation);
  EXPECT_EQ((Box{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}), c.box);
}

INSTANTIATE_TEST_SUITE_P(All, Placed,
                         testing::Values(Case{"N", Orientation::N, {1010, 2020, 1030, 2025}},
                                         Case{"S", Orientation::S, {1070, 2015, 1090, 2020}},
                                         Case{"W", Orientation::W, {1015, 2010, 1020, 2030}},
                                         Case{"E", Orientation::E, {1020, 2070, 1025, 2090}},
                                         Case{"FN", Orientation::FN, {1070, 2020, 1090, 2025}},
                                         Case{"FS", Orientation::FS, {1010, 2015, 1030, 2020}},
                                         Case{"FW", Orientation::FW, {1020, 2010, 1025, 2030}},
                                         Case{"FE", Orientation::FE, {1015, 2070, 1020, 2090}}),
                         [](const auto& info) { return std::string(info.param.word); });

TEST(Turned, IsAboutTheOrigin) {
  EXPECT_EQ(turned(Point{3, 1}, Orientation::N), (Point{3, 1}));
  EXPECT_EQ(turned(Point{3, 1}, Orientation::W), (Point{-1, 3}));
  EXPECT_EQ(turned(Point{3, 1}, Orientation::S), (Point{-3, -1}));
  EXPECT_EQ(turned(Point{3, 1}, Orientation::E), (Point{1, -3}));
}

TEST(Turned, FlippedIsTurnedAndThenMirroredInTheYAxis) {
  const auto mirrored = [](Point p) { return Point{-p.x, p.y}; };
  for (const auto& [plain, flipped] : {std::pair{Orientation::N, Orientation::FN},
                                       {Orientation::W, Orientation::FW},
                                       {Orientation::S, Orientation::FS},
                                       {Orientation::E, Orientation::FE}})
    EXPECT_EQ(turned(Point{3, 1}, flipped), mirrored(turned(Point{3, 1}, plain)));
}

TEST(OrientationOf, OtherWordsAreNone) {
  for (const char* word : {"", "n", "NN", "R0", "NW", "F"}) EXPECT_EQ(orientation_of(word), std::nullopt);
}

TEST(ToDbu, RoundsToTheNearest) {
  EXPECT_EQ(to_dbu(0.035, 2000), 70);
  EXPECT_EQ(to_dbu(1.2345, 1000), 1235);
  EXPECT_EQ(to_dbu(-0.1, 1000), -100);
  EXPECT_EQ(to_dbu(0.0004, 1000), 0);
}

TEST(ToDbu, RefusesWhatAPlacedShapeCouldNotHave) {
  EXPECT_EQ(to_dbu(536870.911, 1000), (1 << 29) - 1);
  EXPECT_THROW(to_dbu(536870.912, 1000), InputError);
  EXPECT_THROW(to_dbu(-1e300, 1000), InputError);
  EXPECT_THROW(to_dbu(std::numeric_limits<double>::quiet_NaN(), 1000), InputError);
}

}  // namespace
}  // namespace gridiron::layout
