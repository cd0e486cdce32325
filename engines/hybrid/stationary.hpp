// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hybrid/hybrid_cycle.hpp"
#include "linalg/deflation.hpp"

namespace gridiron {

/// x += M r until the stop rule holds: the plain iteration that flexible_cg() accelerates. Ends without success when
/// it is stuck. The levels of the parts in `deflation` are solved for separately. `rhs`: the cycle's right-hand side.
template <class D, class T>
ColumnStats stationary(const SellMatrix<D>& a, View<D, const double> b, View<D, double> x, const StopRule& stop,
                       HybridCycle<D, T, 1>& cycle, View<D, T> rhs, const Deflation<D>& deflation) {
  const int64_t n = a.rows();
  Array<D, double> r_array(n);
  const auto r = r_array.view();
  typename Deflation<D>::template Vectors<1> levels;
  const auto form_residual = [&] {
    residual<D>(a, b, x, r);
    if (deflation.empty()) return;
    deflation.template set_levels<1>(r, x, {{true}}, levels);
    residual<D>(a, b, x, r);
  };
  constexpr int kPatience = 100;  // the paper's cycle takes hundreds of iterations and still arrives
  ConvergenceMonitor monitor{stop, norm2<D>(b), {}, kPatience};
  const auto largest = [&] { return max_norm<D>(r); };
  form_residual();
  double norm = norm2<D>(r);
  for (bool done = monitor.reached(norm, largest); !done && monitor.may_go_on(); ++monitor.stats.iterations) {
    const double scale = unit_scale(n, norm);
    scale_to<D, T>(r, scale, rhs);
    const View<D, const T> z = cycle.apply();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { x[i] += z[i] / scale; });
    form_residual();
    norm = norm2<D>(r);
    done = monitor.reached(norm, largest);
  }
  monitor.stats.max_residual = largest();
  return monitor.stats;
}

}  // namespace gridiron
