// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "linalg/sell.hpp"
#include "linalg/solve_stats.hpp"
#include "linalg/stop_rule.hpp"

namespace gridiron {

/// The factor that scales a residual of `n` entries with this norm to entries of about one, so that fp32 can represent
/// it whatever its magnitude. A power of two, so that rounding does not depend on it.
inline double unit_scale(int64_t n, double norm) {
  return norm > 0 ? std::exp2(std::round(std::log2(std::sqrt(n) / norm))) : 0;
}

/// to = scale · r, in its precision.
template <class D, class T>
void scale_to(View<D, const double> r, double scale, View<D, T> to) {
  D::for_each(
      r.size(), GRIDIRON_KERNEL(int64_t i) { to[i] = static_cast<T>(scale * r[i]); });
}

/// A multiple of an approximation to A⁻¹ r, in the precision T of the preconditioner, for K independent columns at
/// once; `norm` is ‖r‖₂ of each, or that of an iteration before where it is not known yet, and 0 for columns that are
/// not needed. Krylov methods are invariant to the factor. The residual may be of any magnitude if R is double; else
/// the caller has scaled it, and the norm is that of the scaled one. The view is valid until the next call. A
/// std::function, since nvcc accepts no local types as arguments of templates that contain kernels.
template <class D, class T, int K = 1, class R = double>
using Preconditioner =
    std::function<View<D, const Columns<T, K>>(View<D, const Columns<R, K>> r, const Columns<double, K>& norm)>;

/// Tracks the convergence of one right-hand side in an iterative method.
struct ConvergenceMonitor {
  StopRule stop;
  double norm_b = 0;
  ColumnStats stats = {};
  int patience = 30;            ///< iterations in which the residual must at least halve: slower, 500 do not reach 1e-8
  double wanted = 0;            ///< reduction of the first residual that fulfils the stop rule
  double reported = 0;          ///< share reported so far
  double entries = 0;           ///< of the residual, in all processes that share it; 0: unknown
  bool begins_at_zero = false;  ///< the initial guess is zero: the first residual is b
  /// After each iteration of conjugate gradients, which minimise it: by how much the square of the error in the norm of
  /// A has fallen since the first. Empty for other methods.
  std::vector<double> gained = {};

  /// Records the residual; true when the stop rule holds. `max_residual` is only called when the rule needs it.
  bool reached(double norm_r, auto max_residual) {
    stats.relative_residual = norm_b > 0 ? norm_r / norm_b : norm_r;
    stats.history.push_back(stats.relative_residual);
    stats.converged = norm_r == 0 || (stop.relative_residual > 0 && stats.relative_residual <= stop.relative_residual);
    if (stop.absolute_max > 0 && (stats.history.size() == 1 || may_be_small(norm_r))) {
      stats.max_residual = max_residual();
      stats.converged = stats.converged || stats.max_residual <= stop.absolute_max;
    }
    if (stats.history.size() == 1)
      wanted = std::max(stop.relative_residual / stats.relative_residual, stop.absolute_max / stats.max_residual);
    report_progress();
    return stats.converged;
  }
  /// The rule does not hold while the 2-norm of the residual is larger than this.
  double norm_to_reach() const { return std::max(stop.relative_residual * (norm_b > 0 ? norm_b : 1), norm_of_small()); }
  /// The largest entry is no less than the root of their mean square.
  bool may_be_small(double norm_r) const { return entries == 0 || norm_r <= norm_of_small(); }
  double norm_of_small() const {
    if (!(stop.absolute_max > 0)) return 0;
    return entries == 0 ? std::numeric_limits<double>::infinity() : stop.absolute_max * std::sqrt(entries);
  }
  /// Reports how far the 2-norm of the residual has come on its way; never less than before.
  void report_progress() {
    const double progress = std::log(stats.relative_residual / stats.history.front()) / std::log(wanted);
    const double share = stats.converged ? 1 : std::min(progress, 1.0);
    if (!stop.advanced || !(share > reported)) return;
    stop.advanced(share - reported);
    reported = share;
  }
  bool may_go_on() const {
    stop.throw_if_stopped();
    return std::isfinite(stats.relative_residual) && stats.iterations < stop.max_iterations && !is_stuck();
  }
  /// Call once per iteration of conjugate gradients with what it has gained.
  void gain(double energy) { gained.push_back((gained.empty() ? 0 : gained.back()) + energy); }
  bool is_stuck() const {
    const auto& h = stats.history;
    if (patience >= static_cast<int>(h.size())) return false;
    const auto recent = h.end() - patience;
    return *std::min_element(recent, h.end()) > 0.5 * *std::min_element(h.begin(), recent) && !gains();
  }
  /// Whether the error in the norm of A still falls much, as it may for tens of iterations in which the residual,
  /// larger than at first, has not come down yet. A tenth of all in so many iterations can go on for a few times as
  /// many only.
  bool gains() const {
    if (gained.empty()) return false;
    const auto n = std::ssize(gained);
    const double before = n > patience ? gained[n - 1 - patience] : 0;
    return gained.back() - before > kLeastGain * gained.back();
  }
  static constexpr double kLeastGain = 0.1;
};

template <class D, int K = 1>
Columns<double, K> norm2(View<D, const Columns<double, K>> x) {
  const Sums<K> squares = D::template sum<K>(
      x.size(), GRIDIRON_KERNEL(int64_t i) { return sums_of(x[i] * x[i]); });
  Columns<double, K> norms{};
  for (int c = 0; c < K; ++c) column(norms, c) = std::sqrt(squares[c]);
  return norms;
}

GRIDIRON_HOST_DEVICE inline double magnitude(double x) { return std::fabs(x); }
template <int K>
GRIDIRON_HOST_DEVICE Pack<double, K> magnitude(const Pack<double, K>& x) {
  Pack<double, K> result;
  for (int c = 0; c < K; ++c) result[c] = magnitude(x[c]);
  return result;
}

template <class D, int K = 1>
Columns<double, K> max_norm(View<D, const Columns<double, K>> x) {
  return D::template max<Columns<double, K>>(
      x.size(), GRIDIRON_KERNEL(int64_t i) { return magnitude(x[i]); });
}

/// r = b − A x
template <class D>
void residual(const SellMatrix<D>& a, View<D, const double> b, View<D, const double> x, View<D, double> r) {
  const auto diagonal = a.has_hubs() ? a.row_sum.view() : a.diagonal.view();
  const auto kernel = GRIDIRON_KERNEL(int64_t i, double sum) { r[i] = b[i] - (diagonal[i] * x[i] + sum); };
  if (a.has_hubs())
    D::for_each_product(a.differences(), x, kernel);
  else
    D::for_each_product(a.view(), x, kernel);
}

/// A subset of K columns.
template <int K>
struct Chosen {
  bool column[K] = {};
  GRIDIRON_HOST_DEVICE bool& operator[](int c) { return column[c]; }
  GRIDIRON_HOST_DEVICE bool operator[](int c) const { return column[c]; }
  bool any() const {
    for (const bool c : column)
      if (c) return true;
    return false;
  }
};

/// r = b − A x in the chosen columns; the others stay as they are.
template <class D, int K>
void residual(const SellMatrix<D>& a, View<D, const Pack<double, K>> b, View<D, const Pack<double, K>> x,
              View<D, Pack<double, K>> r, const Chosen<K>& chosen) {
  const auto diagonal = a.has_hubs() ? a.row_sum.view() : a.diagonal.view();
  const auto kernel = GRIDIRON_KERNEL(int64_t i, const Pack<double, K>& sum) {
    const Pack<double, K> value = b[i] - (diagonal[i] * x[i] + sum);
    for (int c = 0; c < K; ++c)
      if (chosen[c]) r[i][c] = value[c];
  };
  if (a.has_hubs())
    D::for_each_product(a.differences(), x, kernel);
  else
    D::for_each_product(a.view(), x, kernel);
}

/// q = A p; then(sums) on the device with (p, q) and (p, r), each of K columns.
template <class D, class T, int K, class G>
void product_and_dots(const SellMatrix<D>& a, View<D, const Columns<T, K>> p, View<D, const Columns<double, K>> r,
                      View<D, Columns<double, K>> q, G then) {
  const auto diagonal = a.diagonal.view();
  D::template product_sum_then<2 * K>(
      a.view(), p,
      GRIDIRON_KERNEL(int64_t i, const Columns<double, K>& sum) {
        const Columns<double, K> pi = to<double>(p[i]), v = diagonal[i] * pi + sum;
        q[i] = v;
        return sums_of(pi * v, pi * r[i]);
      },
      then);
}

}  // namespace gridiron
