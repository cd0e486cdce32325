// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridiron {

/// Reads the digits of a SPICE number at `first`: a sign, decimals with or without a point, an exponent. Returns their
/// end, behind which a suffix or a unit may stand (quantity.hpp), or nullptr if there are none or they are out of range
/// for a double. Correctly rounded.
const char* parse_decimal(const char* first, const char* last, double& value);

/// The same of at most 16 digits and a point among or behind them, with or without a minus, as most numbers are
/// written, in fewer steps. nullptr for all others, and where an exponent may follow. Internal to netlist/.
inline const char* parse_fixed_decimal(const char* first, const char* last, double& value) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const char* p = first;
  const bool is_negative = p != last && *p == '-';
  p += is_negative;
  const char* const begin = p;
  uint64_t digits = 0;
  const auto take_digits = [&] {
    for (unsigned digit = 0; p != last && (digit = static_cast<unsigned>(*p) - '0') < 10; ++p)
      digits = 10 * digits + digit;
  };
  take_digits();
  if (p == begin) return nullptr;
  ptrdiff_t behind_point = 0;
  if (p != last && *p == '.') {
    const char* const point = p++;
    take_digits();
    behind_point = p - point - 1;
  }
  if (p - begin > 16 || (p != last && (*p | 0x20) == 'e')) return nullptr;
  const double size = static_cast<double>(static_cast<int64_t>(digits)) / kPowers[behind_point];
  value = is_negative ? -size : size;
  return p;
}

}  // namespace gridiron
