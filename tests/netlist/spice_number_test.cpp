// SPDX-License-Identifier: Apache-2.0
#include "netlist/spice_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
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

/// The one nearest to the decimal, as the C library finds it, whichever way leads to it.
TEST(SpiceNumber, IsTheNearestDouble) {
  std::mt19937_64 random(5);
  const auto digits = [&](int most) {
    std::string text;
    for (int n = static_cast<int>(random() % static_cast<unsigned>(most)); n > 0; --n)
      text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int trial = 0; trial < 200'000; ++trial) {
    std::string text = (random() % 2 ? "-" : "") + std::string(1, static_cast<char>('0' + random() % 10)) + digits(12);
    if (random() % 2) text += "." + digits(14);
    if (random() % 2) text += (random() % 2 ? "e-" : "E") + std::to_string(random() % 40);
    const auto value = spice_number(text);
    ASSERT_TRUE(value) << text;
    ASSERT_EQ(*value, std::strtod(text.c_str(), nullptr)) << text;
    ASSERT_EQ(std::signbit(*value), text[0] == '-') << text;
  }
  for (const char* text : {"9007199254740993", "1e22", "1e23", "123456789012345678901234567890", "5e-324", "1.", ".5",
                           "0.000000000000000000000000000001", "9007199254740992e22", "00000000000000000000000012"})
    EXPECT_EQ(spice_number(text), std::strtod(text, nullptr)) << text;
  EXPECT_FALSE(spice_number("1e99999999999"));
  EXPECT_FALSE(spice_number("1e+")) << "a plus is no unit";
  EXPECT_EQ(spice_number("1e"), 1.0);
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
