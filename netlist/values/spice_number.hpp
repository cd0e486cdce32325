// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gridiron {

/// Reads the digits of a SPICE number at `first`: a sign, decimals with or without a point, an exponent. Returns their
/// end, behind which a suffix or a unit may stand (quantity.hpp), or nullptr if there are none or they are out of range
/// for a double. Correctly rounded.
const char* parse_decimal(const char* first, const char* last, double& value);

/// The value of what parse_fixed_decimal() reads, for numbers of up to seven characters, eight of which are looked at
/// at once. nullptr for all others.
[[gnu::always_inline]] inline const char* parse_few_digits(const char* first, const char* last, double& value) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  constexpr uint64_t kEach = 0x0101010101010101, kHigh = 0x80 * kEach;
  if (std::endian::native != std::endian::little || last - first < 8) return nullptr;
  uint64_t text = 0;
  std::memcpy(&text, first, sizeof text);
  const uint64_t digits = text ^ '0' * kEach;
  const uint64_t others = (((digits & ~kHigh) + (0x7f - 9) * kEach) | digits) & kHigh;  // a bit for each that is none
  if (others == 0) return nullptr;
  const unsigned before_point = static_cast<unsigned>(std::countr_zero(others)) & 56;  // bits
  if (before_point == 0) return nullptr;
  unsigned bits = before_point, behind_point = 0;
  const char* end = first + before_point / 8;
  uint64_t number = digits;
  if (*end == '.') {
    const uint64_t behind = others & (others - 1);
    if (behind == 0) return nullptr;
    const unsigned all = static_cast<unsigned>(std::countr_zero(behind)) & 56;
    const uint64_t whole = (uint64_t{1} << before_point) - 1;
    number = (digits & whole) | (digits >> 8 & ~whole);
    bits = all - 8;
    behind_point = (bits - before_point) / 8;
    end = first + all / 8;
  }
  if ((*end | 0x20) == 'e') return nullptr;
  number <<= 64 - bits;  // zeros before the first digit, and nothing behind the last
  number = (number * 10 + (number >> 8)) & 0x00ff00ff00ff00ff;
  number = (number * 100 + (number >> 16)) & 0x0000ffff0000ffff;
  number = (number * 10000 + (number >> 32)) & 0xffffffff;
  value = static_cast<double>(static_cast<int64_t>(number)) / kPowers[behind_point];
  return end;
}

/// The same of at most 16 digits and a point among or behind them, with or without a minus, as most numbers are
/// written, in fewer steps. nullptr for all others, and where an exponent may follow. Internal to netlist/.
inline const char* parse_fixed_decimal(const char* first, const char* last, double& value) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  if (const char* const end = parse_few_digits(first, last, value)) return end;
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
