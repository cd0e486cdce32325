// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/krylov.hpp"

namespace gridiron {

/// What flexible_gmres() asks of a matrix: the functions of SellOperator.
template <class D>
class SellOperator {
 public:
  explicit SellOperator(const SellMatrix<D>& matrix) : matrix_(matrix) {}
  std::int64_t rows() const { return matrix_.rows(); }

  /// A vector that product() and residual() may write to.
  template <class T>
  Array<D, T> vector() const {
    return Array<D, T>(rows());
  }
  /// direction = z, w = A z
  template <class T>
  void product(View<D, const T> z, View<D, T> direction, View<D, double> w) const {
    const auto diagonal = matrix_.diagonal.view();
    D::for_each_product(
        matrix_.view(), z, GRIDIRON_KERNEL(std::int64_t i, double sum) {
          direction[i] = z[i];
          w[i] = diagonal[i] * z[i] + sum;
        });
  }
  /// r = b − A x
  void residual(View<D, const double> b, View<D, const double> x, View<D, double> r) const {
    gridiron::residual<D>(matrix_, b, x, r);
  }

 private:
  const SellMatrix<D>& matrix_;
};

/// The work vectors of flexible_gmres(): empty at first, kept by a caller that solves again.
template <class D, class T>
struct GmresVectors {
  std::vector<Array<D, double>> basis;
  std::vector<Array<D, T>> directions;
  Array<D, double> residual;

  std::int64_t bytes() const { return bytes_of(residual, basis, directions); }
};

/// Restarted flexible GMRES(m) (Saad, SIAM J. Sci. Comput. 14, 1993) for unsymmetric and indefinite systems,
/// right-preconditioned, modified Gram-Schmidt. Memory: 2 m vectors.
template <class D, class T, class Operator>
ColumnStats flexible_gmres(const Operator& a, View<D, const double> b, View<D, double> x, const StopRule& stop,
                           int restart, const Preconditioner<D, T>& precondition, GmresVectors<D, T>& vectors) {
  const std::int64_t n = a.rows();
  const auto vector = [&a]<class U>(std::vector<Array<D, U>>& all, int k) {
    while (static_cast<int>(all.size()) <= k) all.push_back(a.template vector<U>());
    return all[k].view();
  };
  if (vectors.residual.size() != n) vectors = {{}, {}, a.template vector<double>()};
  const auto r = vectors.residual.view();
  ConvergenceMonitor monitor{stop, norm2<D>(b), {}};
  const auto largest = [&] { return max_norm<D>(r); };
  a.residual(b, x, r);
  bool done = monitor.reached(norm2<D>(r), largest);
  while (!done && monitor.may_go_on()) {
    const double norm_r = norm2<D>(r);
    const View<D, double> v0 = vector(vectors.basis, 0);
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { v0[i] = r[i] / norm_r; });
    std::vector<std::vector<double>> h;  // columns of the Hessenberg matrix, rotated to triangular form
    std::vector<double> cosine, sine, g{norm_r};
    // Whether the residual of step k meets the limit on its entries. It follows from that of the step before.
    const auto small_everywhere = [&](int k) {
      if (!(stop.absolute_max > 0)) return false;
      const double kept = sine[k] * sine[k], added = cosine[k] * g[k + 1];
      const View<D, const double> v = vector(vectors.basis, k + 1);
      D::for_each(
          n, GRIDIRON_KERNEL(std::int64_t i) { r[i] = kept * r[i] + added * v[i]; });
      return std::abs(g[k + 1]) <= stop.absolute_max * std::sqrt(n) && largest() <= stop.absolute_max;
    };
    int k = 0;
    for (; k < restart && monitor.may_go_on(); ++k) {
      const typename D::Range range("outer iteration");
      const View<D, T> direction = vector(vectors.directions, k);
      const View<D, double> w = vector(vectors.basis, k + 1);
      const View<D, const T> z = precondition(View<D, const double>(vector(vectors.basis, k)), 1.0);
      a.product(z, direction, w);
      std::vector<double> column(k + 2);
      column[0] = D::template sum<1>(
          n, GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{w[i] * v0[i]}}; })[0];
      for (int j = 0; j <= k; ++j) {  // one pass subtracts from w and forms the next inner product, at last (w, w)
        const bool is_last = j == k;
        const View<D, double> v = vector(vectors.basis, j), next = vector(vectors.basis, is_last ? 0 : j + 1);
        const double dot = column[j];
        column[j + 1] = D::template sum<1>(
            n, GRIDIRON_KERNEL(std::int64_t i) {
              const double rest = w[i] - dot * v[i];
              w[i] = rest;
              return Sums<1>{{rest * (is_last ? rest : next[i])}};
            })[0];
      }
      const double norm_w = std::sqrt(column[k + 1]);
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
      ++monitor.stats.iterations;
      monitor.stats.history.push_back(monitor.norm_b > 0 ? std::abs(g[k + 1]) / monitor.norm_b : std::abs(g[k + 1]));
      monitor.stats.relative_residual = monitor.stats.history.back();
      monitor.tell_share();
      const double target = std::max(stop.relative_residual, 1e-15);
      if (monitor.stats.relative_residual <= target || norm_w == 0 || small_everywhere(k)) {
        ++k;
        break;
      }
    }
    std::vector<double> y(h.size());
    for (int j = static_cast<int>(h.size()) - 1; j >= 0; --j) {
      y[j] = g[j];
      for (std::size_t l = j + 1; l < h.size(); ++l) y[j] -= h[l][j] * y[l];
      y[j] /= h[j][j];
      const View<D, const T> z = vector(vectors.directions, j);
      const double step = y[j];
      D::for_each(
          n, GRIDIRON_KERNEL(std::int64_t i) { x[i] += step * z[i]; });
    }
    a.residual(b, x, r);
    if (monitor.stats.history.size() > 1) monitor.stats.history.pop_back();
    const double before = norm_r;
    const double after = norm2<D>(r);
    done = monitor.reached(after, largest);
    if (!done && !(after < before)) break;  // stagnation: another restart would repeat the last one
  }
  monitor.stats.max_residual = largest();
  return monitor.stats;
}

}  // namespace gridiron
