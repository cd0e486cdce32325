// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "device/host_device.hpp"

namespace gridiron {

/// What ErrorBound::bound() goes by: maxima over the rows of a residual i − G v that were summed as FineSum does. What
/// is NaN counts as infinite.
struct FineResidual {
  double largest_a = 0;         ///< max |r|
  double largest_weighted = 0;  ///< max weight · |r|
  double largest_v = 0;         ///< max |v|

  GRIDIRON_HOST_DEVICE void add(double r, double weight, double v) {
    raise(largest_a, r);
    raise(largest_weighted, weight * r);
    raise(largest_v, std::abs(v));
  }
  GRIDIRON_HOST_DEVICE void take(const FineResidual& other) {
    raise(largest_a, other.largest_a);
    raise(largest_weighted, other.largest_weighted);
    raise(largest_v, other.largest_v);
  }
  bool is_finite() const {
    return std::isfinite(largest_a) && std::isfinite(largest_weighted) && std::isfinite(largest_v);
  }

 private:
  GRIDIRON_HOST_DEVICE static void raise(double& largest, double value) {
    const double seen = value == value ? value : std::numeric_limits<double>::infinity();
    largest = largest < seen ? seen : largest;
  }
};

}  // namespace gridiron
