// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gridiron::generator {

/// Random numbers by key instead of by sequence: the same seed and keys give the same 64 bits on every machine, in any
/// order of calls. Each key is mixed in by the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix(seed)) {}

  uint64_t bits(std::initializer_list<int64_t> keys) const {
    uint64_t h = state_;
    for (const int64_t key : keys) h = mix(h ^ static_cast<uint64_t>(key));
    return h;
  }

  /// Uniform in [0, n), n < 2^32.
  int64_t below(int64_t n, std::initializer_list<int64_t> keys) const {
    return static_cast<int64_t>(((bits(keys) >> 32) * static_cast<uint64_t>(n)) >> 32);
  }

 private:
  static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace gridiron::generator
