// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engines/aggamg/level.hpp"
#include "linalg/krylov.hpp"

namespace gridiron::aggamg {

/// Coefficients of the two Krylov steps of a K-cycle, for each of K columns.
template <class T, int K>
struct KrylovSteps {
  Columns<double, K> rho, alpha;      ///< of the first direction: (c, A c) and (c, r)
  Columns<T, K> first;                ///< length of the first step: r changes by this times the image
  Columns<T, K> of_first, of_second;  ///< coefficients of both directions in the result
  Columns<double, K> wants_second;    ///< > 0: a second step pays
};

/// The vectors of one grid in a cycle on K columns.
template <class D, class T, int K>
struct LevelVectors {
  Array<D, Columns<T, K>> rhs, x;  ///< rhs: W⁻¹b, see level.hpp
  Array<D, Columns<T, K>> other;   ///< a first Jacobi step from zero whenever rhs is new; scratch from then on
  Array<D, Columns<T, K>> direction, image;  ///< the first direction of the K-cycle and its product with A, if any
  Array<D, KrylovSteps<T, K>> steps;
  Array<D, double> go_on;  ///< > 0: a second step pays for a column

  LevelVectors(int64_t rows, bool has_krylov) : rhs(rows), x(rows), other(rows) {
    if (!has_krylov) return;
    for (auto* v : {&direction, &image}) *v = Array<D, Columns<T, K>>(rows);
    steps = Array<D, KrylovSteps<T, K>>(1);
    go_on = Array<D, double>(1);
  }
  int64_t bytes() const { return bytes_of(rhs, x, other, direction, image, steps, go_on); }
};

/// The first step at a level, from x in its vectors: c = x and v = A c, its length, and whether a second one pays,
/// which the residual of some column decides that has kept more than `threshold` of its norm. Forms that residual, and
/// the first step of a smoother, which is the right-hand side times `jacobi`, for the second.
template <class D, class T, int K, class A>
void first_krylov_step(const A& a, bool symmetric, double threshold, T jacobi, LevelVectors<D, T, K>& level) {
  using Entry = Columns<T, K>;
  using Wide = Columns<double, K>;
  const View<D, const Entry> x1 = level.x.view();
  const auto b = level.rhs.view(), c = level.direction.view(), v = level.image.view(), first_step = level.other.view();
  const auto steps = level.steps.view();
  const auto go_on = level.go_on.view();
  const double share = threshold * threshold;
  D::template product_sum_then<3 * K>(
      a.couplings, x1,
      GRIDIRON_KERNEL(int64_t i, const Entry& couplings) {
        const Entry image = a.row(i).product(x1[i], couplings);
        c[i] = x1[i];
        v[i] = image;
        const double w = a.weight(i);
        const Wide left = symmetric ? to<double>(x1[i]) : w * to<double>(image), r = w * to<double>(b[i]);
        return sums_of(left * w * image, left * r, r * r);
      },
      GRIDIRON_KERNEL(const Sums<3 * K>& sums) {
        KrylovSteps<T, K>& s = steps[0];
        s.rho = columns_of<K>(sums, 0);
        s.alpha = columns_of<K>(sums, 1);
        s.wants_second = share * columns_of<K>(sums, 2);  // so far, what may be left of (r, r)
        for (int j = 0; j < K; ++j) {
          const double rho = column(s.rho, j), length = rho > 0 ? column(s.alpha, j) / rho : 0;
          column(s.first, j) = static_cast<T>(length);
          // Without a first direction the plain cycle's result stands.
          column(s.of_first, j) = rho > 0 ? static_cast<T>(length) : T(1);
          column(s.of_second, j) = 0;
        }
      });
  D::template sum_then<K>(
      b.size(),
      GRIDIRON_KERNEL(int64_t i) {
        const Entry left = b[i] - steps[0].first * v[i];
        b[i] = left;
        first_step[i] = jacobi * a.row(i).inverse * left;
        const Wide r = static_cast<double>(a.weight(i)) * to<double>(left);
        return sums_of(r * r);
      },
      GRIDIRON_KERNEL(const Sums<K>& rest) {
        KrylovSteps<T, K>& s = steps[0];
        double any = 0;
        for (int j = 0; j < K; ++j) {
          const bool wants = column(s.rho, j) > 0 && rest[j] > column(s.wants_second, j);
          column(s.wants_second, j) = wants ? 1 : 0;
          if (wants) any = 1;
        }
        go_on[0] = any;
      });
}

/// The second step, from another x, where it pays.
template <class D, class T, int K, class A>
void second_krylov_step(const A& a, bool symmetric, LevelVectors<D, T, K>& level) {
  using Entry = Columns<T, K>;
  using Wide = Columns<double, K>;
  const View<D, const Entry> x2 = level.x.view(), b = level.rhs.view(), v = level.image.view();
  const auto steps = level.steps.view();
  D::template product_sum_then<3 * K>(
      a.couplings, x2,
      GRIDIRON_KERNEL(int64_t i, const Entry& couplings) {
        const double w = a.weight(i);
        const Wide image = w * to<double>(a.row(i).product(x2[i], couplings));
        const Wide left = symmetric ? to<double>(x2[i]) : image;
        return sums_of(left * w * v[i], left * image, left * w * b[i]);
      },
      GRIDIRON_KERNEL(const Sums<3 * K>& sums) {
        KrylovSteps<T, K>& s = steps[0];
        for (int j = 0; j < K; ++j) {
          if (!(column(s.wants_second, j) > 0)) continue;
          const double gamma = sums[j], beta = sums[K + j], alpha2 = sums[2 * K + j], rho1 = column(s.rho, j);
          const double rho2 = beta - gamma * gamma / rho1, of_second = rho2 > 0 ? alpha2 / rho2 : 0;
          column(s.of_first, j) = static_cast<T>((column(s.alpha, j) - gamma * of_second) / rho1);
          column(s.of_second, j) = static_cast<T>(of_second);
        }
      });
}

/// x = what both steps come to.
template <class D, class T, int K>
void combine_krylov_steps(LevelVectors<D, T, K>& level) {
  const auto steps = level.steps.view();
  const auto c = level.direction.view(), x = level.x.view();
  D::template for_each_of_columns<K>(
      x.size(), GRIDIRON_KERNEL(int64_t i, int j) {
        const KrylovSteps<T, K>& s = steps[0];
        column(x[i], j) = column(s.of_first, j) * column(c[i], j) + column(s.of_second, j) * column(x[i], j);
      });
}

}  // namespace gridiron::aggamg
