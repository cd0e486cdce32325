// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/time_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/error.hpp"

namespace gridiron {
namespace {

std::vector<double> ends(const std::vector<TimeStep>& steps) {
  std::vector<double> ends;
  for (const TimeStep& step : steps) ends.push_back(step.end);
  return ends;
}

TEST(TimeSteps, AreEqualWithoutCorners) {
  const std::vector<TimeStep> steps = time_steps(1e-11, 1e-8, {});
  ASSERT_EQ(steps.size(), 1000u);
  EXPECT_EQ(steps.back().end, 1e-8);
  for (const TimeStep& step : steps) {
    EXPECT_EQ(step.size, 1e-11);
    EXPECT_TRUE(step.is_row);
  }
}

TEST(TimeSteps, EndAtCorners) {
  const std::vector<TimeStep> steps = time_steps(1, 3, {2.25, 0.5, 0.5, 1.0, 3.0, 7.0});
  EXPECT_THAT(ends(steps), testing::Pointwise(testing::DoubleNear(1e-12), {0.5, 1.0, 2.0, 2.25, 3.0}));
  std::vector<bool> rows;
  for (const TimeStep& step : steps) rows.push_back(step.is_row);
  EXPECT_THAT(rows, testing::ElementsAre(false, true, true, false, true));
  EXPECT_EQ(steps[2].size, 1.0);
}

TEST(TimeSteps, CornersThatRoundingMovedAreNoStepsOfTheirOwn) {
  std::vector<double> corners;
  for (int k = 1; k < 1000; ++k) corners.push_back(k * 1e-11 * (1 + 1e-15 * (k % 7)));
  EXPECT_EQ(time_steps(1e-11, 1e-8, corners).size(), 1000u);
}

TEST(TimeSteps, FewSizes) {
  std::vector<double> corners;
  for (int k = 0; k < 100; ++k) corners.push_back(k * 1e-11 + 0.3e-11);
  std::set<double> sizes;
  for (const TimeStep& step : time_steps(1e-11, 1e-9, corners)) sizes.insert(step.size);
  EXPECT_EQ(sizes.size(), 2u);
}

TEST(TimeSteps, TheLastOneMayBeShorter) {
  EXPECT_THAT(ends(time_steps(2, 5, {})), testing::ElementsAre(2, 4, 5));
  EXPECT_THAT(ends(time_steps(5, 5, {})), testing::ElementsAre(5));
}

TEST(TimeSteps, NonsenseIsRefused) {
  for (const auto& [step, stop] : {std::pair(0.0, 1.0),
                                   {-1.0, 1.0},
                                   {1.0, 0.0},
                                   {1.0, -1.0},
                                   {2.0, 1.0},
                                   {NAN, 1.0},
                                   {1.0, NAN},
                                   {1e-12, 1.0},
                                   {1.0, HUGE_VAL}})
    EXPECT_THROW(time_steps(step, stop, {}), InputError) << step << " " << stop;
}

}  // namespace
}  // namespace gridiron
