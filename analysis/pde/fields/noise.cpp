// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/noise.hpp"

#include <cmath>

#include "support/random_bits.hpp"

namespace gridiron {
namespace {

uint64_t bits_at(uint64_t seed, uint64_t stream, int64_t i, int64_t j, int64_t k) {
  return random_bits(seed, {stream, static_cast<uint64_t>(i), static_cast<uint64_t>(j), static_cast<uint64_t>(k)});
}

}  // namespace

double uniform_at(uint64_t seed, uint64_t stream, int64_t i, int64_t j, int64_t k) {
  return uniform_of(bits_at(seed, stream, i, j, k));
}

double normal_at(uint64_t seed, uint64_t stream, int64_t i, int64_t j, int64_t k) {
  return normal_of(bits_at(seed, stream, i, j, k));
}

double smooth_noise(uint64_t seed, uint64_t stream, const std::array<double, 3>& place,
                    const std::array<double, 3>& length) {
  std::array<int64_t, 3> corner;
  std::array<std::array<double, 2>, 3> weight;
  for (int axis = 0; axis < 3; ++axis) {
    const double t = place[axis] / length[axis], whole = std::floor(t), rest = t - whole;
    corner[axis] = static_cast<int64_t>(whole);
    weight[axis][1] = rest * rest * (3 - 2 * rest);
    weight[axis][0] = 1 - weight[axis][1];
  }
  double sum = 0, variance = 0;
  for (int c = 0; c < 8; ++c) {
    const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
    const double w = weight[0][i] * weight[1][j] * weight[2][k];
    if (w == 0) continue;
    sum += w * normal_at(seed, stream, corner[0] + i, corner[1] + j, corner[2] + k);
    variance += w * w;
  }
  return sum / std::sqrt(variance);
}

}  // namespace gridiron
