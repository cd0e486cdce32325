// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace gridiron {

/// Doubles as integers of the same order; −0 comes before 0.
inline uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}
inline double from_ordered_bits(uint64_t bits) {
  return std::bit_cast<double>(bits >> 63 ? bits & ~(uint64_t{1} << 63) : ~bits);
}

}  // namespace gridiron
