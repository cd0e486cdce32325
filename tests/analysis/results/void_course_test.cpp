// SPDX-License-Identifier: Apache-2.0
// Voids in metal trees: their growth against the series of a blocked line, saturation, and that no atom is lost.
#include "analysis/results/stress/void_course.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gridiron {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLength = 80, kSlope = 2e6;  // µm; Pa/µm
constexpr double kSquare = kLength * kLength;
constexpr VoidRules kAtOnce{0, 1e3, 2.8e10, 1e9};  // voids nucleate at once, and no segment fails
constexpr SegmentEnd kLow{0, true};

/// The high end is node 0, the low one, where atoms leave, node 1.
StressGraph line() { return {{kSlope * kLength, 0}, {{0, 1, kLength, 0.5}}}; }

/// What a line with a void at its low end has lost until κt = `share` L²: ∫ of the series of sines of a quarter wave.
double void_share(double share) {
  double sum = 0;
  for (int k = 1, sign = 1; k < 4001; k += 2, sign = -sign)
    sum += sign * std::exp(-k * k * kPi * kPi * share / 4) / (1.0 * k * k * k);
  return 1 - 32 / (kPi * kPi * kPi) * sum;
}

struct Followed {
  Followed(const StressGraph& graph, const VoidRules& rules, double finest = 0.01 * kLength, double share = 0.1)
      : course(graph, {finest}, rules, {1e-4 * kSquare, 1e-2 * kSquare}, share) {}
  VoidCourse course;
};

TEST(VoidCourse, GrowsAsTheSeriesOfALine) {
  const StressGraph graph = line();
  const double saturated = kSlope * kSquare / (2 * kAtOnce.bulk_modulus_pa);
  VoidRules rules = kAtOnce;
  rules.void_um = saturated;
  Followed line(graph, rules);
  for (const double share : {0.01, 0.03, 0.1, 0.3, 1.0}) {
    line.course.go_on(share * kSquare);
    EXPECT_NEAR(line.course.void_um(kLow) / saturated, void_share(share), 2e-3) << share;
  }
}

TEST(VoidCourse, SaturatesAtHalfOfSlopeTimesSquareOverModulus) {
  const StressGraph graph = line();
  for (const double residual : {0.0, 20e6}) {
    VoidRules rules = kAtOnce;
    rules.residual_pa = residual;
    rules.critical_pa = residual + 1e3;
    Followed line(graph, rules);
    line.course.go_on(100 * kSquare);
    const double saturated = (kSlope * kSquare / 2 + residual * kLength) / rules.bulk_modulus_pa;
    EXPECT_NEAR(line.course.void_um(kLow) / saturated, 1, 1e-9) << residual;
    EXPECT_NEAR(line.course.stress_pa(0) / (-kSlope * kLength), 1, 1e-9) << "linear from 0 at the void";
    EXPECT_TRUE(line.course.is_void(1));
    EXPECT_FALSE(line.course.is_void(0));
  }
}

TEST(VoidCourse, FindsWhenASegmentFails) {
  const StressGraph graph = line();
  const double saturated = kSlope * kSquare / (2 * kAtOnce.bulk_modulus_pa);
  VoidRules rules = kAtOnce;
  rules.void_um = saturated * void_share(0.2);
  Followed line(graph, rules);
  const std::optional<SegmentFailure> failure = line.course.follow(kSquare);
  ASSERT_TRUE(failure);
  EXPECT_NEAR(failure->time / kSquare, 0.2, 1e-3);
  EXPECT_EQ(failure->end.segment, 0);
  EXPECT_TRUE(failure->end.is_b);
  rules.void_um = 1.001 * saturated;
  EXPECT_FALSE(Followed(graph, rules).course.follow(1e3 * kSquare)) << "the void saturates before";
}

/// A star of three wires of other lengths and widths, with a loop.
StressGraph star() {
  return {{30e6, 0, 90e6, 200e6, 60e6},
          {{0, 1, 20, 0.5}, {1, 2, 35, 0.2}, {1, 3, 50, 1}, {3, 4, 10, 0.5}, {4, 2, 40, 0.3}}};
}

TEST(VoidCourse, LosesNoAtoms) {
  const StressGraph graph = star();
  VoidRules rules{5e6, 20e6, 2.8e10, 1e9};
  Followed star(graph, rules, 0.5);
  const double before = star.course.stress_volume();
  const auto lost = [&] { return star.course.stress_volume() + rules.bulk_modulus_pa * star.course.void_um3(); };
  const auto expect_all_there = [&] { EXPECT_NEAR(lost() / before, 1, 1e-9) << star.course.time(); };
  star.course.go_on(20);
  EXPECT_TRUE(star.course.is_void(1));
  expect_all_there();
  star.course.go_on(500);
  expect_all_there();
  star.course.fail({0, true}, 0.25);
  star.course.set_drives(std::vector<double>{150e6, 0, 10e6, 20e6, 160e6});
  EXPECT_NEAR(lost() / before, 1, 1e-9) << "stress stays what it is";
  star.course.go_on(5000);
  expect_all_there();
}

TEST(VoidCourse, SharesAVoidAmongItsSegments) {
  const StressGraph graph{{kSlope * kLength, 0, kSlope * kLength}, {{0, 1, kLength, 0.5}, {1, 2, kLength, 0.5}}};
  Followed line(graph, kAtOnce);
  line.course.go_on(0.3 * kSquare);
  const double one = line.course.void_um({0, true}), other = line.course.void_um({1, false});
  EXPECT_GT(one, 0);
  EXPECT_NEAR(one / other, 1, 1e-9);
  EXPECT_NEAR(0.5 * (one + other) / line.course.void_um3(), 1, 1e-12);

  const StressGraph through{{kSlope * kLength, 0, -0.5 * kSlope * kLength},
                            {{0, 1, kLength, 0.5}, {1, 2, kLength, 0.5}}};
  Followed passed(through, kAtOnce);
  passed.course.go_on(0.05 * kSquare);
  ASSERT_TRUE(passed.course.is_void(1));
  double sum = 0;
  for (const SegmentEnd end : {SegmentEnd{0, true}, {1, false}, {1, true}}) sum += 0.5 * passed.course.void_um(end);
  EXPECT_NEAR(sum / passed.course.void_um3(), 1, 1e-9) << "what flows in from the other side is not counted";
}

TEST(VoidCourse, CellsGrowWithTheLengthThatDiffusionReaches) {
  const StressGraph graph = star();
  VoidRules rules{5e6, 20e6, 2.8e10, 1e9};
  VoidCourse star(graph, {0.05}, rules, {0.01, 1e4}, 0.1);
  const double before = star.stress_volume();
  int32_t points = star.points();
  for (const double time : {1.0, 100.0, 1e4}) {
    star.go_on(time);
    EXPECT_LT(star.points(), points) << time;
    EXPECT_NEAR((star.stress_volume() + rules.bulk_modulus_pa * star.void_um3()) / before, 1, 1e-9) << time;
    points = star.points();
  }
  VoidCourse coarse(graph, {5, true}, rules, {1, 1e4}, 0.1);
  coarse.go_on(1e5);
  EXPECT_EQ(coarse.points(), 5 + 0) << "a cell per segment";
  EXPECT_NEAR((coarse.stress_volume() + rules.bulk_modulus_pa * coarse.void_um3()) / before, 1, 1e-9);
}

/// Of an open segment the metal is at one voltage, and no void grows into it any more but by what stress is left.
TEST(VoidCourse, AnOpenSegmentHasNoDrive) {
  const StressGraph graph = line();
  Followed line(graph, kAtOnce);
  line.course.go_on(0.1 * kSquare);
  line.course.fail(kLow, 0);
  line.course.set_drives(graph.drive_pa);
  line.course.go_on(100 * kSquare);
  EXPECT_NEAR(line.course.stress_pa(0), 0, 1e-3 * kSlope);
  EXPECT_NEAR(line.course.void_um(kLow), 0, 1e-9) << "atoms come back";
}

TEST(VoidCourse, GoesBack) {
  const StressGraph graph = star();
  Followed once(graph, {0, 20e6, 2.8e10, 1e9}, 0.5), again(graph, {0, 20e6, 2.8e10, 1e9}, 0.5);
  once.course.go_on(100);
  again.course.go_on(60);
  again.course.keep();
  again.course.go_on(2000);
  again.course.go_back(100);
  EXPECT_EQ(again.course.time(), 60);
  again.course.go_on(100);
  for (int32_t n = 0; n < 5; ++n) EXPECT_NEAR(again.course.stress_pa(n), once.course.stress_pa(n), 1e5) << n;
  again.course.keep();
  again.course.go_back(80);
  EXPECT_EQ(again.course.time(), 60) << "what was kept before";
}

}  // namespace
}  // namespace gridiron
