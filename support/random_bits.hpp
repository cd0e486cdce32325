// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random numbers that are functions of a seed and counters, so that they are the same in whichever order threads ask.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>

namespace gridiron {

/// The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
inline uint64_t mixed_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline uint64_t random_bits(uint64_t seed, std::initializer_list<uint64_t> counters) {
  uint64_t bits = mixed_bits(seed);
  for (const uint64_t counter : counters) bits = mixed_bits(bits ^ counter);
  return bits;
}

/// In (0, 1).
inline double uniform_of(uint64_t bits) { return ((bits >> 11) + 0.5) * 0x1p-53; }

/// Of mean 0 and variance 1, by the Box-Muller transform.
inline double normal_of(uint64_t bits) {
  const double radius = std::sqrt(-2 * std::log(uniform_of(bits)));
  return radius * std::cos(2 * std::numbers::pi * uniform_of(mixed_bits(bits)));
}

}  // namespace gridiron
