// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "engines/aggamg/hierarchy.hpp"
#include "engines/linalg/krylov.hpp"

namespace gridiron::aggamg {

/// One application of the multigrid preconditioner: Algorithms 4 (V-cycle) and 5 (K-cycle, Notay, Numer. Linear Algebra
/// Appl. 15, 2008) of the paper, K on the finest levels and V below.
template <class D, class T>
class Cycle {
 public:
  Cycle(Hierarchy<D, T>& hierarchy, const AggAmgParams& params, bool symmetric)
      : levels_(hierarchy.levels()), coarsest_(hierarchy.coarsest()), params_(params), symmetric_(symmetric) {}

  /// z ≈ A⁻¹ r. The residual is scaled to one first, so that fp32 holds it whatever its size.
  void apply(View<D, const double> r, View<D, double> z) {
    const double norm = norm2<D>(r);
    if (!(norm > 0)) return fill<D, double>(z, 0.0);
    const double scale = std::sqrt(static_cast<double>(r.size())) / norm;
    const View<D, T> b = levels_[0].rhs.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { b[i] = static_cast<T>(scale * r[i]); });
    multigrid(0);
    const View<D, const T> x = std::as_const(levels_[0]).x.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { z[i] = static_cast<double>(x[i]) / scale; });
  }

  // The parts of a cycle; public, as nvcc takes no kernels from private functions.

  /// x of level k from its rhs, starting at zero.
  void multigrid(std::size_t k) {
    Level<D, T>& level = levels_[k];
    if (k + 1 == levels_.size() && !coarsest_.empty())
      return coarsest_.solve(std::as_const(level).rhs.view(), level.x.view());
    smooth_from_zero(level);
    if (k + 1 == levels_.size()) return;
    restrict_residual(level, levels_[k + 1]);
    if (static_cast<int>(k) < params_.k_levels)
      krylov(k + 1);
    else
      multigrid(k + 1);
    prolong(levels_[k + 1], level);
    smooth(level);
  }

  /// Up to two steps of a Krylov method at level k with the cycle as preconditioner (Algorithm 5): CG for symmetric
  /// matrices, else GCR, which differs only in what the new directions are made orthogonal to.
  void krylov(std::size_t k) {
    Level<D, T>& level = levels_[k];
    if (k + 1 == levels_.size() && !coarsest_.empty()) return multigrid(k);
    const CsrView<D, T> a = std::as_const(level.matrix).view();
    const std::int64_t n = a.rows;
    const View<D, T> b = level.rhs.view(), c = level.krylov_c.view(), v = level.krylov_v.view();
    const bool symmetric = symmetric_;

    multigrid(k);
    const View<D, const T> x1 = std::as_const(level).x.view();
    const Sums<3> first = D::template sum<3>(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          const T ac = row_product<D, T, T>(a, i, x1);
          c[i] = x1[i];
          v[i] = ac;
          const double left = symmetric ? x1[i] : ac, bi = b[i];
          return Sums<3>{{left * ac, left * bi, bi * bi}};
        });
    const double rho1 = first[0], alpha1 = first[1];
    if (!(rho1 > 0)) return;  // x keeps the plain cycle's result
    const T step = static_cast<T>(alpha1 / rho1);
    const double rest = D::template sum<1>(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          b[i] -= step * v[i];
          return Sums<1>{{static_cast<double>(b[i]) * b[i]}};
        })[0];
    T weight_c = step, weight_d = 0;
    if (rest > params_.k_threshold * params_.k_threshold * first[2]) {
      multigrid(k);
      const View<D, const T> x2 = std::as_const(level).x.view();
      const Sums<3> second = D::template sum<3>(
          n, GRIDIRON_KERNEL(std::int64_t i) {
            const double ad = row_product<D, T, T>(a, i, x2);
            const double left = symmetric ? static_cast<double>(x2[i]) : ad;
            return Sums<3>{{left * v[i], left * ad, left * b[i]}};
          });
      const double gamma = second[0], beta = second[1], alpha2 = second[2], rho2 = beta - gamma * gamma / rho1;
      if (rho2 > 0) {
        weight_c = static_cast<T>(alpha1 / rho1 - gamma * alpha2 / (rho1 * rho2));
        weight_d = static_cast<T>(alpha2 / rho2);
      }
    }
    const View<D, T> x = level.x.view();
    D::for_each(
        n, GRIDIRON_KERNEL(std::int64_t i) { x[i] = weight_c * c[i] + weight_d * x[i]; });
  }

  /// Chebyshev iteration of the fourth kind on D⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023): needs only an upper
  /// bound of the spectrum; its first step is Jacobi damped by 4/(3ρ).
  void smooth_from_zero(Level<D, T>& level) {
    const T factor = static_cast<T>(4.0 / (3.0 * level.rho));
    const View<D, const T> b = std::as_const(level).rhs.view(), inverse = std::as_const(level).inverse_diagonal.view();
    const View<D, T> x = level.x.view(), update = level.update.view();
    D::for_each(
        b.size(), GRIDIRON_KERNEL(std::int64_t i) {
          const T d = factor * inverse[i] * b[i];
          update[i] = d;
          x[i] = d;
        });
    sweeps(level, 2);
  }
  void smooth(Level<D, T>& level) { sweeps(level, 1); }

  void sweeps(Level<D, T>& level, int first) {
    const CsrView<D, T> a = std::as_const(level.matrix).view();
    for (int k = first; k <= params_.degree; ++k) {
      const T keep = k == 1 ? T(0) : static_cast<T>((2.0 * k - 3) / (2.0 * k + 1));
      const T factor = static_cast<T>((8.0 * k - 4) / ((2.0 * k + 1) * level.rho));
      const bool fresh = k == 1;
      const View<D, const T> b = std::as_const(level).rhs.view(),
                             inverse = std::as_const(level).inverse_diagonal.view(), x = std::as_const(level).x.view();
      const View<D, T> next = level.next.view(), update = level.update.view();
      D::for_each_row(
          a.rows, GRIDIRON_KERNEL(std::int64_t i) {
            const T r = b[i] - row_product<D, T, T>(a, i, x);
            const T d = (fresh ? T(0) : keep * update[i]) + factor * inverse[i] * r;
            update[i] = d;
            next[i] = x[i] + d;
          });
      std::swap(level.x, level.next);
    }
  }

  /// Coarse right-hand side: the residual summed over each aggregate. (Forming each residual where it is summed saves a
  /// vector but walks the matrix in the order of aggregates: twice the time of this on a CPU.)
  void restrict_residual(Level<D, T>& fine, Level<D, T>& coarse) {
    const CsrView<D, T> a = std::as_const(fine.matrix).view();
    const View<D, const T> b = std::as_const(fine).rhs.view(), x = std::as_const(fine).x.view();
    const View<D, T> r = fine.next.view();
    D::for_each_row(
        a.rows, GRIDIRON_KERNEL(std::int64_t i) { r[i] = b[i] - row_product<D, T, T>(a, i, x); });
    const View<D, const std::int64_t> begin = std::as_const(fine).aggregates.begin.view();
    const View<D, const std::int32_t> members = std::as_const(fine).aggregates.members.view();
    const View<D, T> out = coarse.rhs.view();
    D::for_each_row(
        out.size(), GRIDIRON_KERNEL(std::int64_t c) {
          T sum = 0;
          for (std::int64_t m = begin[c]; m < begin[c + 1]; ++m) sum += r[members[m]];
          out[c] = sum;
        });
  }

  void prolong(const Level<D, T>& coarse, Level<D, T>& fine) {
    const View<D, const std::int32_t> of_node = std::as_const(fine).aggregates.of_node.view();
    const View<D, const T> e = coarse.x.view();
    const View<D, T> x = fine.x.view();
    D::for_each(
        x.size(), GRIDIRON_KERNEL(std::int64_t i) { x[i] += e[of_node[i]]; });
  }

 private:
  std::vector<Level<D, T>>& levels_;
  const DenseInverse<D, T>& coarsest_;
  const AggAmgParams& params_;
  bool symmetric_;
};

}  // namespace gridiron::aggamg
