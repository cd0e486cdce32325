// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gridiron::generator {

/// Random numbers by key instead of by sequence: the same seed and keys give the same 64 bits on every machine, in any
/// order of calls. Each key is mixed in by the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t bits(std::initializer_list<std::int64_t> keys) const {
    std::uint64_t h = state_;
    for (const std::int64_t key : keys) h = mix(h ^ static_cast<std::uint64_t>(key));
    return h;
  }

  /// Uniform in [0, n), n < 2^32.
  std::int64_t below(std::int64_t n, std::initializer_list<std::int64_t> keys) const {
    return static_cast<std::int64_t>(((bits(keys) >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace gridiron::generator
