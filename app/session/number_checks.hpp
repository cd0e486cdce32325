// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridiron {

// For Argument::check: empty if the text is such a number, otherwise what is expected.

std::string check_whole_number(const std::string& text, int64_t low, int64_t high);

/// Finite and above 0.
std::string check_positive(const std::string& text);

/// A relative residual, from 1e-16 to 1.
std::string check_rtol(const std::string& text);

inline auto whole_number(int64_t low, int64_t high) {
  return [low, high](const std::string& text) { return check_whole_number(text, low, high); };
}

}  // namespace gridiron
