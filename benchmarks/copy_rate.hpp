// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "device/device.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// Bytes per second, read and written, of a copy between two arrays of 1 GiB: the yardstick for memory-bound kernels.
template <class D>
double copy_rate() {
  const int64_t n = int64_t{1} << 27;
  Array<D, double> from(n), to(n);
  fill<D, double>(from.view(), 1.0);
  const View<D, const double> x = std::as_const(from).view();
  const View<D, double> y = to.view();
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    D::synchronize();
    Stopwatch watch;
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { y[i] = x[i]; });
    D::synchronize();
    best = std::max(best, 16.0 * static_cast<double>(n) / watch.lap());
  }
  return best;
}

double copy_rate_of_cuda();

}  // namespace gridiron
