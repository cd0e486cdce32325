// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/linalg/krylov.hpp"

namespace gridiron {

/// x += M r until the stop rule holds: the plain iteration that flexible_cg() accelerates. Ends without success when
/// the residual no longer shrinks.
template <class D>
SolveStats stationary(const CsrView<D, double>& a, View<D, const double> b, View<D, double> x, const StopRule& stop,
                      const Preconditioner<D>& cycle) {
  const std::int64_t n = a.rows;
  Array<D, double> r_array(n), z_array(n);
  const View<D, double> r = r_array.view(), z = z_array.view();
  Watch watch{stop, norm2<D>(b), {}};
  const auto largest = [&] { return max_norm<D>(r); };
  residual<D>(a, b, x, r);
  double norm = norm2<D>(r);
  for (bool done = watch.reached(norm, largest); !done && watch.may_go_on(); ++watch.stats.iterations) {
    cycle(r, z);
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { x[i] += z[i]; });
    residual<D>(a, b, x, r);
    const double before = std::exchange(norm, norm2<D>(r));
    done = watch.reached(norm, largest) || !(norm < before);
  }
  watch.stats.max_residual = largest();
  return watch.stats;
}

}  // namespace gridiron
