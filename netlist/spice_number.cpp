// SPDX-License-Identifier: Apache-2.0
#include "netlist/spice_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace gridiron {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_with_no_case(const char* first, const char* last, std::string_view word) {
  if (static_cast<std::size_t>(last - first) < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((first[i] | 0x20) != word[i]) return false;
  return true;
}

/// std::from_chars for the usual number: at most 19 digits that make an integer below 2⁵³, times or over a power of ten
/// that a double holds exactly, so that the one rounding is right (Clinger, PLDI 1990). nullptr for all others.
const char* parse_short_number(const char* first, const char* last, double& value) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int kMostDigits = 19, kMostExponent = 22;
  const bool is_negative = first != last && *first == '-';
  const char* p = first + (is_negative ? 1 : 0);
  std::uint64_t digits = 0;
  const auto take_digits = [&] {
    const char* const begin = p;
    for (; p != last && is_digit(*p); ++p) digits = 10 * digits + static_cast<std::uint64_t>(*p - '0');
    return static_cast<int>(std::min<std::ptrdiff_t>(p - begin, kMostDigits + 1));
  };
  int count = take_digits(), exponent = 0;
  if (p != last && *p == '.') {
    ++p;
    exponent = -take_digits();
    count -= exponent;
  }
  if (count == 0 || count > kMostDigits || digits > std::uint64_t{1} << 53) return nullptr;
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

/// The power of ten is applied as a division where that is exact, so that 1n equals 1e-9.
double scaled(double value, const char* first, const char* last) {
  switch (*first | 0x20) {
    case 't':
      return value * 1e12;
    case 'g':
      return value * 1e9;
    case 'k':
      return value * 1e3;
    case 'u':
      return value / 1e6;
    case 'n':
      return value / 1e9;
    case 'p':
      return value / 1e12;
    case 'f':
      return value / 1e15;
    case 'a':
      return value / 1e18;
    case 'm':
      if (starts_with_no_case(first, last, "meg")) return value * 1e6;
      if (starts_with_no_case(first, last, "mil")) return value * 25.4e-6;
      return value / 1e3;
    default:
      return value;
  }
}

}  // namespace

const char* parse_spice_number(const char* first, const char* last, double& value) {
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
  if (p != last && is_letter(*p)) {
    value = scaled(value, p, last);
    if (!std::isfinite(value)) return nullptr;
    while (p != last && is_letter(*p)) ++p;
  }
  return p;
}

std::optional<double> spice_number(std::string_view text) {
  double value = 0;
  const char* last = text.data() + text.size();
  if (parse_spice_number(text.data(), last, value) != last) return std::nullopt;
  return value;
}

namespace {

/// A number with a scale suffix and one of the names of a unit, each of which may be missing.
std::optional<double> quantity(std::string_view text, std::initializer_list<std::string_view> units) {
  const auto begins_unit = std::find_if_not(text.rbegin(), text.rend(), is_letter).base();
  std::string unit(begins_unit, text.end());
  for (char& c : unit) c = static_cast<char>(c | 0x20);
  for (const std::string_view name : units)
    if (unit.ends_with(name)) {
      unit.resize(unit.size() - name.size());
      text.remove_suffix(name.size());
      break;
    }
  // "10a" is more likely to mean amperes than attovolts.
  const bool is_scale = unit == "meg" || (unit.size() == 1 && std::strchr("tgkmunpf", unit[0]));
  if (!unit.empty() && !is_scale) return std::nullopt;
  return spice_number(text);
}

}  // namespace

std::optional<double> volts(std::string_view text) { return quantity(text, {"volts", "volt", "v"}); }
std::optional<double> amperes(std::string_view text) {
  return quantity(text, {"amperes", "ampere", "amps", "amp", "a"});
}
std::optional<double> ohms(std::string_view text) { return quantity(text, {"ohms", "ohm"}); }
std::optional<double> seconds(std::string_view text) { return quantity(text, {"seconds", "second", "sec", "s"}); }

}  // namespace gridiron
