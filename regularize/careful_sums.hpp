// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace gridiron {

/// Compensated sums (Neumaier, ZAMM 54, 1974), one per entry: the rounding errors of thousands of pads at one node must
/// not accumulate.
class CarefulSums {
 public:
  explicit CarefulSums(std::int32_t n) : sum_(n, 0.0), rest_(n, 0.0) {}
  void add(std::int32_t i, double x) {
    const double s = sum_[i] + x;
    rest_[i] += std::abs(sum_[i]) >= std::abs(x) ? (sum_[i] - s) + x : (x - s) + sum_[i];
    sum_[i] = s;
  }
  /// Moves the sums out; the object is empty afterwards.
  std::vector<double> take() {
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += rest_[i];
    return std::move(sum_);
  }

 private:
  std::vector<double> sum_, rest_;
};

}  // namespace gridiron
