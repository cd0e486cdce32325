// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "device/device.hpp"

namespace gridiron::gpuhmd {

/// A nonnegative number in 16 bits: a float without its sign and the last 15 bits of its fraction. Zero stays zero, the
/// range is that of float, and rounding changes a value by at most 0.2 %. Unlike fp16 it needs no scaling, and
/// conversion either way is a shift on any processor.
class ShortFloat {
 public:
  ShortFloat() = default;
  GRIDIRON_HOST_DEVICE ShortFloat(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    bits_ = static_cast<uint16_t>((bits + 0x3fff + (bits >> 15 & 1)) >> 15);
  }
  GRIDIRON_HOST_DEVICE operator float() const { return std::bit_cast<float>(uint32_t{bits_} << 15); }

 private:
  uint16_t bits_;
};

}  // namespace gridiron::gpuhmd
