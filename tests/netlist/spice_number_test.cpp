// SPDX-License-Identifier: Apache-2.0
#include "netlist/spice_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace gridiron {
namespace {

TEST(Volts, TakeScalesAndTheirOwnUnitOnly) {
  for (const auto& [text, value] : {std::pair("10uV", 10e-6),
                                    {"50mV", 0.05},
                                    {"0.05", 0.05},
                                    {"50m", 0.05},
                                    {"1e-5", 1e-5},
                                    {"1.1V", 1.1},
                                    {"2kv", 2e3},
                                    {"3MEGvolt", 3e6},
                                    {"5 ", NAN},
                                    {"10mA", NAN},
                                    {"10a", NAN},
                                    {"5ohm", NAN},
                                    {"1milv", NAN},
                                    {"V", NAN},
                                    {"", NAN},
                                    {"1e400V", NAN},
                                    {"5%", NAN},
                                    {"10uVV", NAN}}) {
    const auto parsed = volts(text);
    EXPECT_EQ(parsed.has_value(), value == value) << text;
    if (parsed) {
      EXPECT_DOUBLE_EQ(*parsed, value) << text;
    }
  }
}

TEST(SpiceNumber, CurrentsAndResistancesHaveTheirUnits) {
  EXPECT_DOUBLE_EQ(amperes("1a").value(), 1.0) << "not an attoampere";
  EXPECT_DOUBLE_EQ(amperes("5mA").value(), 5e-3);
  EXPECT_DOUBLE_EQ(amperes("-3uAmps").value(), -3e-6);
  EXPECT_DOUBLE_EQ(amperes("2.5k").value(), 2500.0);
  EXPECT_FALSE(amperes("5mV"));
  EXPECT_FALSE(amperes("A"));
  EXPECT_FALSE(amperes(""));
  EXPECT_DOUBLE_EQ(ohms("2megohm").value(), 2e6);
  EXPECT_DOUBLE_EQ(ohms("10mOhm").value(), 0.01);
  EXPECT_FALSE(ohms("5A"));
}

}  // namespace
}  // namespace gridiron
