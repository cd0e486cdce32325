// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/spice_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>

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

/// Whatever follows: where it reads a number, parse_decimal() reads the same characters as the same number.
TEST(SpiceNumber, FixedDecimalsAreReadAsAllAre) {
  std::mt19937_64 random(7);
  int read = 0;
  const auto check = [&read](const std::string& text) {
    const char *const first = text.data(), *const last = first + text.size();
    double fixed = NAN, any = NAN;
    const char* const end = parse_fixed_decimal(first, last, fixed);
    if (!end) return;
    ASSERT_EQ(end, parse_decimal(first, last, any)) << text;
    ASSERT_EQ(fixed, any) << text;
    ASSERT_EQ(std::signbit(fixed), std::signbit(any)) << text;
    ++read;
  };
  constexpr std::string_view kSigns = "0123456789.-+eEku$ ";
  for (int trial = 0; trial < 300'000; ++trial) {
    std::string text;
    for (int n = static_cast<int>(random() % 22); n > 0; --n)
      text += random() % 3 ? static_cast<char>('0' + random() % 10) : kSigns[random() % kSigns.size()];
    check(text);
  }
  EXPECT_GT(read, 100'000);
  for (const char* text : {"12.5", "-0", "7", "0.25u", "1.", "1.5.2", "9999999999999999", "123456789.123456"}) {
    check(text);
    double value = 0;
    EXPECT_TRUE(parse_fixed_decimal(text, text + std::string_view(text).size(), value)) << text;
  }
  for (const char* text : {"", "-", ".5", "+1", "1e3", "1.5E-3", "12345678901234567", "k", "1eq"}) {
    double value = 0;
    EXPECT_FALSE(parse_fixed_decimal(text, text + std::string_view(text).size(), value)) << text;
  }
}

}  // namespace
}  // namespace gridiron
