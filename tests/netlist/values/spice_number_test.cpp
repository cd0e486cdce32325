// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/spice_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

namespace gridiron {
namespace {

std::optional<double> decimal(const std::string& text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  return parse_decimal(text.data(), last, value) == last ? std::optional(value) : std::nullopt;
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
    const auto value = decimal(text);
    ASSERT_TRUE(value) << text;
    ASSERT_EQ(*value, std::strtod(text.c_str(), nullptr)) << text;
    ASSERT_EQ(std::signbit(*value), text[0] == '-') << text;
  }
  for (const char* text : {"9007199254740993", "1e22", "1e23", "123456789012345678901234567890", "5e-324", "1.", ".5",
                           "0.000000000000000000000000000001", "9007199254740992e22", "00000000000000000000000012"})
    EXPECT_EQ(decimal(text), std::strtod(text, nullptr)) << text;
  EXPECT_FALSE(decimal("1e99999999999"));
  EXPECT_FALSE(decimal("1e+")) << "a plus is no unit";
  EXPECT_FALSE(decimal("1e")) << "nor is e";
}

}  // namespace
}  // namespace gridiron
