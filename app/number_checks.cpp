// SPDX-License-Identifier: Apache-2.0
#include "app/number_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace gridiron {
namespace {

template <class T>
bool parse(const std::string& text, T& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last;
}

}  // namespace

std::string check_whole_number(const std::string& text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  if (parse(text, value) && value >= low && value <= high) return "";
  return fmt::format("'{}': expected a whole number from {} to {}", text, low, high);
}

std::string check_positive(const std::string& text) {
  double value = 0;
  if (parse(text, value) && std::isfinite(value) && value > 0) return "";
  return fmt::format("'{}': expected a number above 0", text);
}

std::string check_rtol(const std::string& text) {
  double value = 0;
  if (parse(text, value) && value >= 1e-16 && value <= 1) return "";
  return fmt::format("{}: expected a number from 1e-16 to 1", text);
}

}  // namespace gridiron
