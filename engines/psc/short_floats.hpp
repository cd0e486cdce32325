// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "device/host_device.hpp"

namespace gridiron::psc {

/// IEEE binary16, rounded to nearest, ties to even, as Tensor Cores read it: 11 significant bits, 6.1e-5 to 65504 and
/// denormal numbers down to 6e-8. Larger numbers become infinite.
class Half {
 public:
  Half() = default;
  GRIDIRON_HOST_DEVICE Half(float value) {
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits_) : "f"(value));
#else
    const auto all = std::bit_cast<uint32_t>(value);
    const uint32_t sign = all >> 16 & 0x8000u, x = all & 0x7fffffffu;
    uint32_t bits;
    if (x >= 0x47800000u) {  // 65536 and beyond, infinity and NaN
      bits = x > 0x7f800000u ? 0x7e00u : 0x7c00u;
    } else if (x < 0x38800000u) {
      // Denormal: adding 0.5 shifts the bits to where they belong, rounded by the processor.
      bits = std::bit_cast<uint32_t>(std::bit_cast<float>(x) + 0.5f) - 0x3f000000u;
    } else {
      bits = (x - 0x38000000u + 0xfffu + (x >> 13 & 1u)) >> 13;
    }
    bits_ = static_cast<uint16_t>(sign | bits);
#endif
  }
  GRIDIRON_HOST_DEVICE operator float() const {
    const uint32_t sign = (bits_ & 0x8000u) << 16, x = bits_ & 0x7fffu;
    if (x >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (x & 0x3ffu) << 13);
    // The exponent is off by 112; a product with 2^112 puts that right, and denormal numbers too.
    const float magnitude = std::bit_cast<float>(x << 13) * std::bit_cast<float>(0x77800000u);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }

 private:
  uint16_t bits_;
};

/// bfloat16: the first 16 bits of a float, rounded to nearest, ties to even: its range with 8 significant bits.
class BFloat {
 public:
  BFloat() = default;
  GRIDIRON_HOST_DEVICE BFloat(float value) {
    const auto x = std::bit_cast<uint32_t>(value);
    const bool is_nan = (x & 0x7fffffffu) > 0x7f800000u;
    bits_ = static_cast<uint16_t>(is_nan ? 0x7fc0u : (x + 0x7fffu + (x >> 16 & 1u)) >> 16);
  }
  GRIDIRON_HOST_DEVICE operator float() const { return std::bit_cast<float>(uint32_t{bits_} << 16); }

 private:
  uint16_t bits_;
};

/// TF32 as Tensor Cores read it: a float rounded to 11 significant bits, to nearest, ties to even.
class TFloat {
 public:
  TFloat() = default;
  GRIDIRON_HOST_DEVICE TFloat(float value) {
    const auto x = std::bit_cast<uint32_t>(value);
    const bool is_finite = (x & 0x7f800000u) != 0x7f800000u;
    value_ = is_finite ? std::bit_cast<float>((x + 0xfffu + (x >> 13 & 1u)) & 0xffffe000u) : value;
  }
  GRIDIRON_HOST_DEVICE operator float() const { return value_; }

 private:
  float value_;
};

/// How matrices and the operands of products are stored, and what products accumulate in.
template <class Stored>
struct SumOf {
  using type = float;
};
template <>
struct SumOf<double> {
  using type = double;
};
template <class Stored>
using Sum = typename SumOf<Stored>::type;

/// Calls make(Stored()) for one of double, single, tf32, half and bfloat.
template <class F>
auto with_stored(std::string_view precision, F make) {
  if (precision == "double") return make(double());
  if (precision == "tf32") return make(TFloat());
  if (precision == "half") return make(Half());
  if (precision == "bfloat") return make(BFloat());
  return make(float());
}

}  // namespace gridiron::psc
