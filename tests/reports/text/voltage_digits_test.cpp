// SPDX-License-Identifier: Apache-2.0
#include "reports/text/voltage_digits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

TEST(VoltageDigits, AreTwelveWhereTheBoundIsFarAboveThem) {
  EXPECT_EQ(voltage_digits(1.1, 1e-9), 12);
  EXPECT_EQ(voltage_digits(0, 1e-20), 12);
  EXPECT_EQ(voltage_digits(1.1, std::numeric_limits<double>::infinity()), 12);
}

TEST(VoltageDigits, GrowWithTheBoundUpToWhatADoubleHolds) {
  EXPECT_EQ(voltage_digits(1.1, 1e-12), 14);
  EXPECT_EQ(voltage_digits(1.1, 5.6e-15), 16);
  EXPECT_EQ(voltage_digits(1.1, 1e-17), 17);
  EXPECT_EQ(voltage_digits(1.1, 0), 17);
}

TEST(VoltageDigits, RoundingToThemIsBelowAQuarterOfTheBound) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 10000; ++k) {
    const double largest = std::pow(10.0, std::uniform_real_distribution<>(-9, 3)(random));
    const double bound = largest * std::pow(10.0, std::uniform_real_distribution<>(-15, -5)(random));
    const double volts = std::uniform_real_distribution<>(0, largest)(random);
    std::string text;
    append_volts(text, volts, voltage_digits(largest, bound));
    EXPECT_LE(std::abs(std::stod(text) - volts), bound / 4 + 1e-16 * largest) << text << " within " << bound;
  }
}

}  // namespace
}  // namespace gridiron
