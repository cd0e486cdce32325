// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/linalg/krylov.hpp"

namespace gridiron {

/// x += M r until the stop rule holds: the plain iteration that flexible_cg() accelerates. Ends without success when
/// the residual no longer shrinks.
template <class D, class T>
ColumnStats stationary(const SellMatrix<D>& a, View<D, const double> b, View<D, double> x, const StopRule& stop,
                       const Preconditioner<D, T>& cycle) {
  const std::int64_t n = a.rows();
  Array<D, double> r_array(n);
  const View<D, double> r = r_array.view();
  ConvergenceMonitor monitor{stop, norm2<D>(b), {}};
  const auto largest = [&] { return max_norm<D>(r); };
  residual<D>(a, b, x, r);
  double norm = norm2<D>(r);
  for (bool done = monitor.reached(norm, largest); !done && monitor.may_go_on(); ++monitor.stats.iterations) {
    const View<D, const T> z = cycle(r, norm);
    const double scale = unit_scale(n, norm);
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { x[i] += z[i] / scale; });
    residual<D>(a, b, x, r);
    const double before = std::exchange(norm, norm2<D>(r));
    done = monitor.reached(norm, largest) || !(norm < before);
  }
  monitor.stats.max_residual = largest();
  return monitor.stats;
}

}  // namespace gridiron
