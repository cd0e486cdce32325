// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace gridiron {

// Random numbers as functions of position: no state, so neither order nor threads matter.

/// Uniform in (0, 1); different streams and positions are independent of each other.
double uniform_at(uint64_t seed, uint64_t stream, int64_t i, int64_t j = 0, int64_t k = 0);

/// Standard normal.
double normal_at(uint64_t seed, uint64_t stream, int64_t i, int64_t j = 0, int64_t k = 0);

/// A continuous random field, standard normal everywhere and correlated over `length` along each axis: normal numbers
/// on a lattice, smoothly interpolated and scaled back to variance 1.
double smooth_noise(uint64_t seed, uint64_t stream, const std::array<double, 3>& place,
                    const std::array<double, 3>& length);

}  // namespace gridiron
