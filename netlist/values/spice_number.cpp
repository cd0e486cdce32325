// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/spice_number.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace gridiron {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// std::from_chars for the usual number: at most 19 digits that make an integer below 2⁵³, times or over a power of ten
/// that a double holds exactly, so that the one rounding is right (Clinger, PLDI 1990). nullptr for all others.
const char* parse_short_number(const char* first, const char* last, double& value) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr ptrdiff_t kMostDigits = 19;
  constexpr int kMostExponent = 22;
  const bool is_negative = first != last && *first == '-';
  const char* p = first + (is_negative ? 1 : 0);
  uint64_t digits = 0;
  const auto take_digits = [&] {
    const char* const begin = p;
    for (; p != last && is_digit(*p); ++p) digits = 10 * digits + static_cast<uint64_t>(*p - '0');
    return p - begin;
  };
  ptrdiff_t count = take_digits();
  int exponent = 0;
  if (p != last && *p == '.') {
    ++p;
    const ptrdiff_t behind_point = take_digits();
    count += behind_point;
    if (count > kMostDigits) return nullptr;
    exponent = -static_cast<int>(behind_point);
  }
  if (count == 0 || count > kMostDigits || digits > uint64_t{1} << 53) return nullptr;
  if (p != last && (*p | 0x20) == 'e') {
    const char* q = p + 1;
    const bool is_below = q != last && *q == '-';
    if (q != last && (*q == '-' || *q == '+')) ++q;
    if (q != last && is_digit(*q)) {
      int power = 0;
      for (; q != last && is_digit(*q) && power < 1000; ++q) power = 10 * power + (*q - '0');
      if (power >= 1000) return nullptr;
      exponent += is_below ? -power : power;
      p = q;
    }
  }
  if (exponent < -kMostExponent || exponent > kMostExponent) return nullptr;
  value = static_cast<double>(digits);
  value = exponent < 0 ? value / kPowers[-exponent] : value * kPowers[exponent];
  if (is_negative) value = -value;
  return p;
}

}  // namespace

const char* parse_decimal(const char* first, const char* last, double& value) {
  if (first != last && *first == '+') ++first;
  const char* digits = first;
  if (digits != last && *digits == '-') ++digits;
  if (digits != last && *digits == '.') ++digits;
  if (digits == last || !is_digit(*digits)) return nullptr;  // rejects "inf" and "nan"
  const char* p = parse_short_number(first, last, value);
  if (!p) {
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc()) return nullptr;
    p = end;
  }
  return p;
}

}  // namespace gridiron
