// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "engines/linalg/sell.hpp"

namespace gridiron {

/// What brings a residual of `n` entries and this norm to entries of about one, so that fp32 holds it whatever its
/// size.
inline double unit_scale(std::int64_t n, double norm) {
  return norm > 0 ? std::sqrt(static_cast<double>(n)) / norm : 0;
}

/// An approximation to A⁻¹ r times unit_scale, in the precision T of the preconditioner; `norm` is ‖r‖₂. Krylov methods
/// do not mind the factor. The view is good until the next call. A plain function object, since nvcc takes no local
/// types as arguments of templates that hold kernels.
template <class D, class T>
using Preconditioner = std::function<View<D, const T>(View<D, const double> r, double norm)>;

/// How a Krylov method watches one right-hand side.
struct Watch {
  const StopRule& stop;
  double norm_b = 0;
  ColumnStats stats;
  int patience = std::numeric_limits<int>::max();  ///< iterations in which the residual must at least halve

  /// Records the residual; true when the stop rule holds. `max_residual` is only asked for when the rule needs it.
  template <class MaxResidual>
  bool reached(double norm_r, MaxResidual max_residual) {
    stats.relative_residual = norm_b > 0 ? norm_r / norm_b : norm_r;
    stats.history.push_back(stats.relative_residual);
    stats.converged = norm_r == 0 || (stop.relative_residual > 0 && stats.relative_residual <= stop.relative_residual);
    if (stop.absolute_max > 0) {
      stats.max_residual = max_residual();
      stats.converged = stats.converged || stats.max_residual <= stop.absolute_max;
    }
    return stats.converged;
  }
  bool may_go_on() const {
    stop.throw_if_stopped();
    return std::isfinite(stats.relative_residual) && stats.iterations < stop.max_iterations && !is_stuck();
  }
  bool is_stuck() const {
    const auto& h = stats.history;
    if (patience >= static_cast<int>(h.size())) return false;
    const auto recent = h.end() - patience;
    return *std::min_element(recent, h.end()) > 0.5 * *std::min_element(h.begin(), recent);
  }
};

template <class D>
double norm2(View<D, const double> x) {
  return std::sqrt(D::template sum<1>(
      x.size(), GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{x[i] * x[i]}}; })[0]);
}

template <class D>
double max_norm(View<D, const double> x) {
  return D::max(
      x.size(), GRIDIRON_KERNEL(std::int64_t i) { return x[i] < 0 ? -x[i] : x[i]; });
}

/// r = b − A x
template <class D>
void residual(const SellMatrix<D>& a, View<D, const double> b, View<D, const double> x, View<D, double> r) {
  const View<D, const double> diagonal = a.diagonal.view();
  D::for_each_product(
      a.view(), x, GRIDIRON_KERNEL(std::int64_t i, double sum) { r[i] = b[i] - (diagonal[i] * x[i] + sum); });
}

/// q = A p; (p, q) and (p, r).
template <class D, class T>
Sums<2> product_and_dots(const SellMatrix<D>& a, View<D, const T> p, View<D, const double> r, View<D, double> q) {
  const View<D, const double> diagonal = a.diagonal.view();
  return D::template product_sum<2>(
      a.view(), p, GRIDIRON_KERNEL(std::int64_t i, double sum) {
        const double pi = p[i], v = diagonal[i] * pi + sum;
        q[i] = v;
        return Sums<2>{{pi * v, pi * r[i]}};
      });
}

/// Flexible conjugate gradients (Notay, SIAM J. Sci. Comput. 22, 2000): the preconditioner may change from step to
/// step, as a K-cycle does. x holds the guess on entry. Directions are kept in the precision of the preconditioner:
/// what a step adds to x and takes from r are the same numbers whatever the direction. Of the matrix it needs
/// residual() and product_and_dots(); vectors may hold entries that no unknown has, which stay zero.
template <class D, class T, class Matrix>
void flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, Watch& watch,
                 const Preconditioner<D, T>& precondition) {
  const std::int64_t n = b.size();
  Array<D, double> r_array(n), q_array(n);
  Array<D, T> p_array(n);
  const View<D, double> r = r_array.view(), q = q_array.view();
  const View<D, T> p = p_array.view();
  fill<D, double>(r, 0.0);
  fill<D, double>(q, 0.0);
  residual<D>(matrix, b, x, r);
  const auto largest = [&] { return max_norm<D>(r); };
  double norm = norm2<D>(r);
  bool done = watch.reached(norm, largest);
  while (!done && watch.may_go_on()) {
    const double before = norm;
    double pq = 0;
    for (bool fresh = true; !done && watch.may_go_on(); fresh = false) {
      const typename D::Range range("outer iteration");
      const View<D, const T> z = precondition(View<D, const double>(r), norm);
      if (fresh) {
        D::for_each(
            n, GRIDIRON_KERNEL(std::int64_t i) { p[i] = z[i]; });
      } else {
        // β = −(z, A p)/(p, A p) makes the new direction A-orthogonal to the last one.
        const double zq = D::template sum<1>(
            n, GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{z[i] * q[i]}}; })[0];
        const T beta = static_cast<T>(-zq / pq);
        D::for_each(
            n, GRIDIRON_KERNEL(std::int64_t i) { p[i] = z[i] + beta * p[i]; });
      }
      const Sums<2> dots = product_and_dots<D, T>(matrix, p, r, q);
      pq = dots[0];
      ++watch.stats.iterations;
      if (!(pq > 0)) {  // not positive definite, or a preconditioner that returned nothing
        watch.stats.history.push_back(watch.stats.relative_residual);
        break;
      }
      const double alpha = dots[1] / pq;
      const double rr = D::template sum<1>(
          n, GRIDIRON_KERNEL(std::int64_t i) {
            x[i] += alpha * p[i];
            const double v = r[i] - alpha * q[i];
            r[i] = v;
            return Sums<1>{{v * v}};
          })[0];
      norm = std::sqrt(rr);
      done = watch.reached(norm, largest);
    }
    // The recursive residual drifts from the true one, by which the answer is judged; if that is not there yet, go on
    // from it as long as it pays.
    residual<D>(matrix, b, x, r);
    norm = norm2<D>(r);
    watch.stats.history.pop_back();
    done = watch.reached(norm, largest) || !(norm < 0.5 * before);
  }
  watch.stats.max_residual = largest();
}

template <class D, class T, class Matrix>
ColumnStats flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, const StopRule& stop,
                        const Preconditioner<D, T>& precondition) {
  Watch watch{stop, norm2<D>(b), {}};
  flexible_cg<D, T>(matrix, b, x, watch, precondition);
  return watch.stats;
}

/// Restarted flexible GMRES(m) (Saad, SIAM J. Sci. Comput. 14, 1993) for unsymmetric systems, right-preconditioned,
/// modified Gram-Schmidt. Memory: 2 m vectors.
template <class D, class T>
ColumnStats flexible_gmres(const SellMatrix<D>& matrix, View<D, const double> b, View<D, double> x,
                           const StopRule& stop, int restart, const Preconditioner<D, T>& precondition) {
  const std::int64_t n = matrix.rows();
  const SellView<D, double> a = matrix.view();
  const View<D, const double> diagonal = matrix.diagonal.view();
  std::vector<Array<D, double>> basis;
  std::vector<Array<D, T>> directions;
  const auto vector = [n](auto& all, int k) {
    while (static_cast<int>(all.size()) <= k) all.emplace_back(n);
    return all[k].view();
  };
  Array<D, double> r_array(n);
  const View<D, double> r = r_array.view();
  Watch watch{stop, norm2<D>(b), {}};
  const auto largest = [&] { return max_norm<D>(r); };
  residual<D>(matrix, b, x, r);
  bool done = watch.reached(norm2<D>(r), largest);
  while (!done && watch.may_go_on()) {
    const double norm_r = norm2<D>(r);
    const View<D, double> v0 = vector(basis, 0);
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { v0[i] = r[i] / norm_r; });
    std::vector<std::vector<double>> h;  // columns of the Hessenberg matrix, rotated to triangular form
    std::vector<double> cosine, sine, g{norm_r};
    int k = 0;
    for (; k < restart && watch.may_go_on(); ++k) {
      const typename D::Range range("outer iteration");
      const View<D, T> direction = vector(directions, k);
      const View<D, double> w = vector(basis, k + 1);
      const View<D, const T> z = precondition(View<D, const double>(vector(basis, k)), 1.0);
      D::for_each_product(
          a, z, GRIDIRON_KERNEL(std::int64_t i, double sum) {
            direction[i] = z[i];
            w[i] = diagonal[i] * z[i] + sum;
          });
      std::vector<double> column(k + 2);
      for (int j = 0; j <= k; ++j) {
        const View<D, double> v = vector(basis, j);
        const double dot = D::template sum<1>(
            n, GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{w[i] * v[i]}}; })[0];
        D::for_each(
            n, GRIDIRON_KERNEL(std::int64_t i) { w[i] -= dot * v[i]; });
        column[j] = dot;
      }
      const double norm_w = norm2<D>(w);
      column[k + 1] = norm_w;
      if (norm_w > 0)
        D::for_each(
            n, GRIDIRON_KERNEL(std::int64_t i) { w[i] /= norm_w; });
      for (int j = 0; j < k; ++j) {
        const double t = cosine[j] * column[j] + sine[j] * column[j + 1];
        column[j + 1] = -sine[j] * column[j] + cosine[j] * column[j + 1];
        column[j] = t;
      }
      const double length = std::hypot(column[k], column[k + 1]);
      if (!(length > 0)) break;
      cosine.push_back(column[k] / length);
      sine.push_back(column[k + 1] / length);
      column[k] = length;
      h.push_back(column);
      g.push_back(-sine[k] * g[k]);
      g[k] *= cosine[k];
      ++watch.stats.iterations;
      watch.stats.history.push_back(watch.norm_b > 0 ? std::abs(g[k + 1]) / watch.norm_b : std::abs(g[k + 1]));
      watch.stats.relative_residual = watch.stats.history.back();
      const double target = std::max(stop.relative_residual, 1e-15);
      if (watch.stats.relative_residual <= target || norm_w == 0) {
        ++k;
        break;
      }
    }
    std::vector<double> y(h.size());
    for (int j = static_cast<int>(h.size()) - 1; j >= 0; --j) {
      y[j] = g[j];
      for (std::size_t l = j + 1; l < h.size(); ++l) y[j] -= h[l][j] * y[l];
      y[j] /= h[j][j];
      const View<D, const T> z = vector(directions, j);
      const double step = y[j];
      D::for_each(
          n, GRIDIRON_KERNEL(std::int64_t i) { x[i] += step * z[i]; });
    }
    residual<D>(matrix, b, x, r);
    if (watch.stats.history.size() > 1) watch.stats.history.pop_back();
    const double before = norm_r;
    const double after = norm2<D>(r);
    done = watch.reached(after, largest);
    if (!done && !(after < before)) break;  // stagnation: a further restart would repeat itself
  }
  watch.stats.max_residual = largest();
  return watch.stats;
}

}  // namespace gridiron
