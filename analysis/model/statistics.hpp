// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "device/host_device.hpp"

namespace gridiron {

// What ranges of threads, steps in time, tiles of a GPU and processes know each of some values is taken together here,
// and nowhere else. Sums keep the order in which they are taken; all else has the same bits in any order.

/// The largest of some values, and the lowest index that has it; −∞ at 0 where there are none.
struct Largest {
  double value = -HUGE_VAL;
  int64_t at = 0;  ///< of a node, an element or a card
  GRIDIRON_HOST_DEVICE void take(const Largest& other) {
    if (other.value > value || (other.value == value && other.at < at)) *this = other;
  }
};

/// How many values there are, their sum, the least and the largest one.
struct Statistics {
  int64_t count = 0;
  double sum = 0, least = HUGE_VAL;
  Largest largest;

  double average() const { return sum / static_cast<double>(count); }
  void add(double value, int64_t at) { take({1, value, value, {value, at}}); }
  void take(const Statistics& other) {
    count += other.count;
    sum += other.sum;
    if (other.least < least) least = other.least;
    largest.take(other.largest);
  }
};

}  // namespace gridiron
