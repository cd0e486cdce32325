// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "device/host_device.hpp"

namespace gridiron {

// Numbers in bf16: the upper half of a float, eight bits of mantissa.

/// The nearest one, of even mantissa if there are two.
GRIDIRON_HOST_DEVICE inline uint32_t to_bfloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (value != value) return 0x7fc0;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Two of them in a word, as Tensor Cores take them.
GRIDIRON_HOST_DEVICE inline uint32_t bfloat_pair(float low, float high) {
#if defined(__CUDA_ARCH__)
  uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#else
  return to_bfloat(low) | to_bfloat(high) << 16;
#endif
}
GRIDIRON_HOST_DEVICE inline float low_of(uint32_t pair) { return std::bit_cast<float>(pair << 16); }
GRIDIRON_HOST_DEVICE inline float high_of(uint32_t pair) { return std::bit_cast<float>(pair & 0xffff0000u); }

}  // namespace gridiron
