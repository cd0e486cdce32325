// SPDX-License-Identifier: Apache-2.0
#include "reports/text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gridiron {

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) return;
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value + 0.0).ptr);
}

void append_volts(std::string& out, double value, int digits) {
  if (!std::isfinite(value)) return;
  if (digits >= kMostDigits) return append_number(out, value);
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value + 0.0, std::chars_format::general, digits).ptr);
}

std::string percent(double value) { return std::isfinite(value) ? fmt::format("{:.2f} %", value + 0.0) : "n/a"; }

std::string with_unit(double value, std::string_view unit, std::string_view micro) {
  if (!std::isfinite(value)) return "n/a";
  if (value == 0) return fmt::format("0 {}", unit);
  const std::string_view prefixes[] = {"f", "p", "n", micro, "m", "", "k", "M", "G"};
  constexpr int kNone = 5;
  // The exponent after rounding, so that 999.96 mV becomes 1 V rather than 1000 mV.
  const std::string scientific = fmt::format("{:.3e}", value);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  const int step = std::clamp((exponent + 300) / 3 - 100, -kNone, 3);
  return fmt::format("{:#.4g} {}{}", value / std::pow(10.0, 3 * step), prefixes[step + kNone], unit);
}

std::pair<const char*, double> unit_of_scale(double largest_v) {
  if (largest_v >= 1) return {"V", 1};
  if (largest_v >= 1e-3) return {"mV", 1e-3};
  if (largest_v >= 1e-6) return {"µV", 1e-6};
  return {"nV", 1e-9};
}

std::string byte_count(int64_t bytes) {
  double value = bytes;
  for (const char* unit : {"B", "kB", "MB", "GB"}) {
    if (value < 999.5) return fmt::format("{:.3g} {}", value, unit);
    value /= 1000;
  }
  return fmt::format("{:.4g} TB", value);
}

std::string grouped(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ' ');
  }
  return digits;
}

std::string count_of(int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", grouped(n), what, n == 1 ? "" : "s");
}

}  // namespace gridiron
