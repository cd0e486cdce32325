// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "engines/aggamg/hierarchy.hpp"
#include "engines/linalg/krylov.hpp"

namespace gridiron::aggamg {

/// One application of the multigrid preconditioner: Algorithms 4 (V-cycle) and 5 (K-cycle, Notay, Numer. Linear Algebra
/// Appl. 15, 2008) of the paper, K on the finest levels and V below. Sees the hierarchy as it is when first applied.
template <class D, class T>
class Cycle {
 public:
  Cycle(Hierarchy<D, T>& hierarchy, const AggAmgParams& params, bool symmetric)
      : levels_(hierarchy.levels()), coarsest_(hierarchy.coarsest()), params_(params), symmetric_(symmetric) {}

  /// A Preconditioner.
  View<D, const T> apply(View<D, const double> r, double norm) {
    Level<D, T>& finest = levels_[0];
    const double scale = unit_scale(r.size(), norm);
    const View<D, T> b = finest.rhs.view();
    const View<D, const T> diagonal = std::as_const(finest).diagonal.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) {
          const double d = diagonal[i];
          b[i] = d != 0 ? static_cast<T>(scale * r[i] / d) : T(0);
        });
    recording_.run([this] { multigrid(0); });
    return std::as_const(finest).x.view();
  }

  // The parts of a cycle; public, as nvcc takes no kernels from private functions.

  /// x of level k from its rhs, starting at zero.
  void multigrid(std::size_t k) {
    Level<D, T>& level = levels_[k];
    if (k + 1 == levels_.size()) {
      if (!coarsest_.empty()) return coarsest_.solve(std::as_const(level).rhs.view(), level.x.view());
      smooth_from_zero(level, level.x);
      return;
    }
    // Smoothing after the coarse correction ends in x when it starts here.
    Array<D, T>& start = params_.degree % 2 == 0 ? level.x : level.other;
    Array<D, T>& spare = params_.degree % 2 == 0 ? level.other : level.x;
    smooth_from_zero(level, start);
    restrict_residual(level, start, spare, levels_[k + 1]);
    if (static_cast<int>(k) < params_.k_levels)
      krylov(k + 1);
    else
      multigrid(k + 1);
    prolong(levels_[k + 1], level, start);
    smooth(level, start, spare);
  }

  /// Up to two steps of a Krylov method at level k with the cycle as preconditioner (Algorithm 5): CG for symmetric
  /// matrices, else GCR, which differs only in what the new directions are made orthogonal to. The second step is left
  /// out when the first leaves little of the residual; the device decides, so nobody waits for the host.
  void krylov(std::size_t k) {
    Level<D, T>& level = levels_[k];
    if (k + 1 == levels_.size() && !coarsest_.empty()) return multigrid(k);
    const SellView<D, T> a = level.matrix();
    const View<D, const T> diagonal = std::as_const(level).diagonal.view();
    const View<D, T> b = level.rhs.view(), c = level.direction.view(), v = level.image.view();
    const View<D, double> first = D::view(level.sums.view().data(), 3), rest = D::view(first.data() + 3, 1),
                          second = D::view(first.data() + 4, 3), go_on = D::view(first.data() + 7, 1);
    const bool symmetric = symmetric_;
    const double share = params_.k_threshold * params_.k_threshold;

    multigrid(k);
    const View<D, const T> x1 = std::as_const(level).x.view();
    D::template product_sum_into<3>(
        first, a, x1, GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) {
          const T image = x1[i] + off_diagonal;
          c[i] = x1[i];
          v[i] = image;
          const double d = diagonal[i], left = symmetric ? x1[i] : d * image, r = d * b[i];
          return Sums<3>{{left * d * image, left * r, r * r}};
        });
    D::template sum_into<1>(
        rest, a.rows, GRIDIRON_KERNEL(std::int64_t i) {
          if (first[0] > 0) b[i] -= static_cast<T>(first[1] / first[0]) * v[i];
          const double r = static_cast<double>(diagonal[i]) * b[i];
          return Sums<1>{{r * r}};
        });
    D::for_each(
        1, GRIDIRON_KERNEL(std::int64_t) {
          go_on[0] = first[0] > 0 && rest[0] > share * first[2];
          for (int j = 0; j < 3; ++j) second[j] = 0;
        });
    D::when(View<D, const double>(go_on), [&] {
      multigrid(k);
      const View<D, const T> x2 = std::as_const(level).x.view();
      D::template product_sum_into<3>(
          second, a, x2, GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) {
            const double d = diagonal[i], image = d * (x2[i] + off_diagonal);
            const double left = symmetric ? static_cast<double>(x2[i]) : image;
            return Sums<3>{{left * d * v[i], left * image, left * d * b[i]}};
          });
    });
    const View<D, T> x = level.x.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(std::int64_t i) {
          const double rho1 = first[0], alpha1 = first[1], gamma = second[0], beta = second[1], alpha2 = second[2];
          const double rho2 = rho1 > 0 ? beta - gamma * gamma / rho1 : 0;
          const double of_second = rho2 > 0 ? alpha2 / rho2 : 0;
          // Without a first direction the plain cycle's result stands.
          const double of_first = rho1 > 0 ? (alpha1 - gamma * of_second) / rho1 : 1;
          x[i] = static_cast<T>(of_first) * c[i] + static_cast<T>(of_second) * x[i];
        });
  }

  /// Chebyshev iteration of the fourth kind on D⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023): needs only an upper
  /// bound of the spectrum; its first step is Jacobi damped by 4/(3ρ). Step m moves by keep(m) times the last move plus
  /// factor(m) times the residual.
  static T keep(int m) { return static_cast<T>((2.0 * m - 3) / (2.0 * m + 1)); }
  static T factor(int m, const Level<D, T>& level) {
    return static_cast<T>((8.0 * m - 4) / ((2.0 * m + 1) * level.rho));
  }

  /// The result is in `x`, one of level.x and level.other.
  void smooth_from_zero(Level<D, T>& level, Array<D, T>& x) {
    const T first = factor(1, level);
    const View<D, const T> b = std::as_const(level).rhs.view();
    if (params_.degree == 1) {
      const View<D, T> out = x.view();
      D::for_each(
          b.size(), GRIDIRON_KERNEL(std::int64_t i) { out[i] = first * b[i]; });
      return;
    }
    // The first step is a multiple of b, so the second needs only the product with b.
    Array<D, T>& other = &x == &level.x ? level.other : level.x;
    const bool ends_in_x = params_.degree % 2 == 0;
    const View<D, T> one = (ends_in_x ? other : x).view(), two = (ends_in_x ? x : other).view();
    const T kept = keep(2), second = factor(2, level);
    const bool goes_on = params_.degree > 2;
    D::for_each_product(
        level.matrix(), b, GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) {
          const T x1 = first * b[i];
          two[i] = x1 + kept * x1 + second * (b[i] - x1 - first * off_diagonal);
          if (goes_on) one[i] = x1;
        });
    for (int m = 3; m <= params_.degree; ++m) {
      const bool from_two = m % 2 == 1;
      sweep(level, m, from_two ? two : one, from_two ? one : two);
    }
  }

  /// The result is in level.x.
  void smooth(Level<D, T>& level, Array<D, T>& start, Array<D, T>& spare) {
    for (int m = 1; m <= params_.degree; ++m) {
      const bool from_start = m % 2 == 1;
      sweep(level, m, (from_start ? start : spare).view(), (from_start ? spare : start).view());
    }
  }

  /// Step m: from x to `out`, which holds what x was a step before.
  void sweep(Level<D, T>& level, int m, View<D, const T> x, View<D, T> out) {
    const T kept = m == 1 ? T(0) : keep(m), moved = factor(m, level);
    const View<D, const T> b = std::as_const(level).rhs.view();
    if (m == 1) {
      D::for_each_product(
          level.matrix(), x,
          GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) { out[i] = x[i] + moved * (b[i] - x[i] - off_diagonal); });
    } else {
      D::for_each_product(
          level.matrix(), x, GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) {
            out[i] = x[i] + kept * (x[i] - out[i]) + moved * (b[i] - x[i] - off_diagonal);
          });
    }
  }

  /// Coarse right-hand side: the residual summed over each aggregate. (Forming each residual where it is summed saves a
  /// vector but walks the matrix in the order of aggregates: twice the time of this on a CPU.)
  void restrict_residual(const Level<D, T>& fine, const Array<D, T>& at, Array<D, T>& scratch, Level<D, T>& coarse) {
    const View<D, const T> b = fine.rhs.view(), x = at.view(), diagonal = fine.diagonal.view(),
                           coarse_diagonal = std::as_const(coarse).diagonal.view();
    const View<D, T> r = scratch.view();
    D::for_each_product(
        fine.matrix(), x,
        GRIDIRON_KERNEL(std::int64_t i, T off_diagonal) { r[i] = diagonal[i] * (b[i] - x[i] - off_diagonal); });
    const View<D, const std::int32_t> begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view();
    const View<D, T> out = coarse.rhs.view();
    D::for_each_row(
        out.size(), GRIDIRON_KERNEL(std::int64_t c) {
          T sum = 0;
          for (std::int32_t m = begin[c]; m < begin[c + 1]; ++m) sum += r[members[m]];
          out[c] = coarse_diagonal[c] != 0 ? sum / coarse_diagonal[c] : T(0);
        });
  }

  void prolong(const Level<D, T>& coarse, const Level<D, T>& fine, Array<D, T>& to) {
    const View<D, const std::int32_t> of_node = fine.aggregates.of_node.view();
    const View<D, const T> e = coarse.x.view();
    const View<D, T> x = to.view();
    D::for_each(
        x.size(), GRIDIRON_KERNEL(std::int64_t i) { x[i] += e[of_node[i]]; });
  }

 private:
  std::vector<Level<D, T>>& levels_;
  const DenseInverse<D, T>& coarsest_;
  const AggAmgParams& params_;
  bool symmetric_;
  typename D::Recording recording_;
};

}  // namespace gridiron::aggamg
