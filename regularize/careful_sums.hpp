// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Compensated sums (Neumaier, ZAMM 54, 1974), one per entry: the rounding errors of thousands of pads at one node must
/// not accumulate. Threads may add to different entries at the same time.
class CarefulSums {
 public:
  explicit CarefulSums(std::int32_t n) {
    assign_in_parallel(sum_, n);
    assign_in_parallel(rest_, n);
  }
  void add(std::int32_t i, double x) {
    const double s = sum_[i] + x;
    rest_[i] += std::abs(sum_[i]) >= std::abs(x) ? (sum_[i] - s) + x : (x - s) + sum_[i];
    sum_[i] = s;
  }
  /// Moves the sums out; the object is empty afterwards.
  std::vector<double> take() {
    parallel_each(static_cast<std::int64_t>(sum_.size()), [&](std::int64_t i) { sum_[i] += rest_[i]; });
    return std::move(sum_);
  }

 private:
  std::vector<double> sum_, rest_;
};

}  // namespace gridiron
