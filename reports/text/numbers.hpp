// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gridiron {

// All of these are independent of the locale; zero has no sign, and what is not finite no digits: the first two append
// nothing for it, the others are "n/a".

/// Shortest decimal that reads back as the same double.
void append_number(std::string& out, double value);

/// Significant digits: as printed by %.12g, and so many that they read back as the same double.
inline constexpr int kUsualDigits = 12, kMostDigits = 17;
void append_volts(std::string& out, double value, int digits = kUsualDigits);

/// "43.20 %".
std::string percent(double value);

/// Human-readable: 4 significant digits and an SI prefix, "43.20 mV", "0 V". `micro` is "u" for
/// plain text and "µ" where the font has it.
std::string with_unit(double value, std::string_view unit, std::string_view micro = "u");

inline std::string volts(double v) { return with_unit(v, "V"); }
inline std::string amperes(double a) { return with_unit(a, "A"); }
inline std::string seconds(double s) { return with_unit(s, "s"); }

/// The unit for the scale of a picture up to `largest_v`, and its size in V.
std::pair<const char*, double> unit_of_scale(double largest_v);

/// "12.3 MB" (powers of ten).
std::string byte_count(int64_t bytes);

/// "1 234 567".
std::string grouped(int64_t value);

/// "12 nodes", "1 node".
std::string count_of(int64_t n, std::string_view what);

}  // namespace gridiron
