// SPDX-License-Identifier: Apache-2.0
#include "app/session/number_checks.hpp"
#include "support/number_in.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridiron {

std::string check_whole_number(const std::string& text, int64_t low, int64_t high) {
  const auto value = number_in<int64_t>(text);
  if (value && *value >= low && *value <= high) return "";
  return fmt::format("'{}': expected a whole number from {} to {}", text, low, high);
}

std::string check_positive(const std::string& text) {
  const auto value = number_in<double>(text);
  if (value && std::isfinite(*value) && *value > 0) return "";
  return fmt::format("'{}': expected a number above 0", text);
}

std::string check_rtol(const std::string& text) {
  const auto value = number_in<double>(text);
  if (value && *value >= 1e-16 && *value <= 1) return "";
  return fmt::format("{}: expected a number from 1e-16 to 1", text);
}

}  // namespace gridiron
