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
  int64_t rows() const { return matrix_.rows(); }

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
        matrix_.view(), z, GRIDIRON_KERNEL(int64_t i, double sum) {
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

  int64_t bytes() const { return bytes_of(residual, basis, directions); }
};

/// The small least-squares problem of GMRES: min ‖g − H y‖₂, where Givens rotations keep H triangular.
struct RotatedHessenberg {
  std::vector<std::vector<double>> columns;
  std::vector<double> cosine, sine, g;

  explicit RotatedHessenberg(double norm_r) : g{norm_r} {}

  /// Takes the next column. False if the rotations leave nothing of it.
  bool add(std::vector<double> column) {
    const size_t k = columns.size();
    for (size_t j = 0; j < k; ++j) {
      const double t = cosine[j] * column[j] + sine[j] * column[j + 1];
      column[j + 1] = -sine[j] * column[j] + cosine[j] * column[j + 1];
      column[j] = t;
    }
    const double length = std::hypot(column[k], column[k + 1]);
    if (!(length > 0)) return false;
    cosine.push_back(column[k] / length);
    sine.push_back(column[k + 1] / length);
    column[k] = length;
    columns.push_back(std::move(column));
    g.push_back(-sine[k] * g[k]);
    g[k] *= cosine[k];
    return true;
  }

  std::vector<double> solution() const {
    std::vector<double> y(columns.size());
    for (size_t j = y.size(); j-- > 0;) {
      y[j] = g[j];
      for (size_t l = j + 1; l < y.size(); ++l) y[j] -= columns[l][j] * y[l];
      y[j] /= columns[j][j];
    }
    return y;
  }
};

/// Makes vector k + 1 of the basis orthogonal to those before it (modified Gram-Schmidt), and of length one. Returns
/// its inner products with them, and the length that it had.
template <class D>
std::vector<double> orthogonalise(int64_t n, std::vector<Array<D, double>>& basis, int k) {
  const View<D, double> w = basis[k + 1].view(), v0 = basis[0].view();
  std::vector<double> column(k + 2);
  column[0] = D::template sum<1>(
      n, GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{w[i] * v0[i]}}; })[0];
  for (int j = 0; j <= k; ++j) {  // one pass subtracts from w and forms the next inner product, at last (w, w)
    const bool is_last = j == k;
    const View<D, double> v = basis[j].view(), next = basis[is_last ? 0 : j + 1].view();
    const double dot = column[j];
    column[j + 1] = D::template sum<1>(
        n, GRIDIRON_KERNEL(int64_t i) {
          const double rest = w[i] - dot * v[i];
          w[i] = rest;
          return Sums<1>{{rest * (is_last ? rest : next[i])}};
        })[0];
  }
  const double norm = column[k + 1] = std::sqrt(column[k + 1]);
  if (norm > 0)
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { w[i] /= norm; });
  return column;
}

/// x += Σ_j y_j z_j.
template <class D, class T>
void add_combination(int64_t n, std::vector<Array<D, T>>& directions, const std::vector<double>& y, View<D, double> x) {
  for (size_t j = y.size(); j-- > 0;) {
    const View<D, const T> z = directions[j].view();
    const double step = y[j];
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { x[i] += step * z[i]; });
  }
}

/// Restarted flexible GMRES(m) (Saad, SIAM J. Sci. Comput. 14, 1993) for unsymmetric and indefinite systems,
/// right-preconditioned, modified Gram-Schmidt. Memory: 2 m vectors.
template <class D, class T, class Operator>
ColumnStats flexible_gmres(const Operator& a, View<D, const double> b, View<D, double> x, const StopRule& stop,
                           int restart, const Preconditioner<D, T>& precondition, GmresVectors<D, T>& vectors) {
  const int64_t n = a.rows();
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
        n, GRIDIRON_KERNEL(int64_t i) { v0[i] = r[i] / norm_r; });
    RotatedHessenberg h(norm_r);
    // Whether the residual of step k meets the limit on its entries. It follows from that of the step before.
    const auto small_everywhere = [&](int k) {
      if (!(stop.absolute_max > 0)) return false;
      const double kept = h.sine[k] * h.sine[k], added = h.cosine[k] * h.g[k + 1];
      const View<D, const double> v = vector(vectors.basis, k + 1);
      D::for_each(
          n, GRIDIRON_KERNEL(int64_t i) { r[i] = kept * r[i] + added * v[i]; });
      return std::abs(h.g[k + 1]) <= stop.absolute_max * std::sqrt(n) && largest() <= stop.absolute_max;
    };
    for (int k = 0; k < restart && monitor.may_go_on(); ++k) {
      const typename D::Range range("outer iteration");
      const View<D, T> direction = vector(vectors.directions, k);
      const View<D, double> w = vector(vectors.basis, k + 1);
      a.product(precondition(vector(vectors.basis, k), 1.0), direction, w);
      std::vector<double> column = orthogonalise<D>(n, vectors.basis, k);
      const bool is_invariant = column[k + 1] == 0;
      if (!h.add(std::move(column))) break;
      const double left = std::abs(h.g[k + 1]);
      ++monitor.stats.iterations;
      monitor.stats.relative_residual = monitor.norm_b > 0 ? left / monitor.norm_b : left;
      monitor.stats.history.push_back(monitor.stats.relative_residual);
      monitor.report_progress();
      const double target = std::max(stop.relative_residual, 1e-15);
      if (monitor.stats.relative_residual <= target || is_invariant || small_everywhere(k)) break;
    }
    add_combination<D, T>(n, vectors.directions, h.solution(), x);
    a.residual(b, x, r);
    if (monitor.stats.history.size() > 1) monitor.stats.history.pop_back();
    const double after = norm2<D>(r);
    done = monitor.reached(after, largest);
    if (!done && !(after < norm_r)) break;  // stagnation: another restart would repeat the last one
  }
  monitor.stats.max_residual = largest();
  return monitor.stats;
}

}  // namespace gridiron
