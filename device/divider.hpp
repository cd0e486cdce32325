// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/host_device.hpp"

namespace gridiron {

/// Division of indices 0 ≤ n < 2^31 by a number that is fixed for a kernel: a product and a shift instead of the some
/// hundred instructions of a 64-bit division on a GPU (Granlund, Montgomery, "Division by invariant integers using
/// multiplication", PLDI 1994: ⌈2^(31+s) / by⌉ with 2^s ≥ by is off by less than 2^s / 2^(31+s)).
class Divider {
 public:
  Divider() = default;
  explicit Divider(int64_t by) : by_(static_cast<uint32_t>(by)) {
    while ((int64_t{1} << (shift_ - 31)) < by) ++shift_;
    magic_ = static_cast<uint32_t>(((uint64_t{1} << shift_) + by_ - 1) / by_);
  }
  GRIDIRON_HOST_DEVICE uint32_t by() const { return by_; }
  GRIDIRON_HOST_DEVICE uint32_t quotient(uint32_t n) const { return (static_cast<uint64_t>(n) * magic_) >> shift_; }

 private:
  uint32_t by_ = 1, magic_ = uint32_t{1} << 31;
  int shift_ = 31;
};

}  // namespace gridiron
