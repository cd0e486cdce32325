// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "linalg/krylov.hpp"

// The kernels of flexible conjugate gradients (linalg/flexible_cg.hpp), for K columns at a time: directions have the
// precision T, residuals and products A p the precision R, solutions are doubles.

namespace gridiron {

/// Of an iteration of flexible CG, for each of K columns. On the device, so that kernels need not wait for the host.
template <class T, int K, class R>
struct CgCoefficients {
  double pq[K];         ///< (p, A p)
  Columns<R, K> alpha;  ///< length of the step
  Columns<T, K> beta;   ///< share of the last direction in the new one
};

/// What the host must know of an iteration.
template <int K>
struct CgProgress {
  double pq[K], squares[K];  ///< (p, A p) and ‖r‖₂², of the scaled residual
  double gained[K];          ///< by how much the step lowers the square of the error in the norm of A, scaled likewise
};

/// A residual that was formed anew, for K columns.
template <int K>
struct FormedResidual {
  Columns<double, K> norm, gap;  ///< ‖r‖₂, and that of how far r is from what it was

  FormedResidual() = default;
  /// From the squares of both, of scaled residuals.
  FormedResidual(const Sums<2 * K>& squares, const Columns<double, K>& scale) {
    for (int c = 0; c < K; ++c) {
      column(norm, c) = std::sqrt(squares[c]) / column(scale, c);
      column(gap, c) = std::sqrt(squares[K + c]) / column(scale, c);
    }
  }
};

/// The entries of a step: of x, r, p and q = A p.
template <class T, class R>
struct CgEntries {
  double x;
  R r, q;
  T p;
};

/// r = scale · b in the chosen columns.
template <class D, int K, class R>
void scale_into(View<D, const Columns<double, K>> b, const Columns<double, K>& scale, const Chosen<K>& chosen,
                View<D, Columns<R, K>> r) {
  D::template for_each_of_columns<K>(
      r.size(), GRIDIRON_KERNEL(int64_t i, int c) { return column(b[i], c); },
      GRIDIRON_KERNEL(int64_t i, int c, double entry) {
        if (chosen[c]) column(r[i], c) = static_cast<R>(column(scale, c) * entry);
      });
}

/// r = now in the chosen columns. Returns the squares of `now`, and of how far it is from what r was.
template <int K, class R>
GRIDIRON_HOST_DEVICE Sums<2 * K> round_entry(const Columns<double, K>& now, const Chosen<K>& chosen, Columns<R, K>& r) {
  const Columns<double, K> moved = now - to<double>(r);
  for (int c = 0; c < K; ++c)
    if (chosen[c]) column(r, c) = static_cast<R>(column(now, c));
  return sums_of(now * now, moved * moved);
}

/// r = scale · exact in the chosen columns.
template <class D, int K, class R>
FormedResidual<K> round_residual(View<D, const Columns<double, K>> exact, const Columns<double, K>& scale,
                                 const Chosen<K>& chosen, View<D, Columns<R, K>> r) {
  return {D::template sum<2 * K>(
              r.size(), GRIDIRON_KERNEL(int64_t i) { return round_entry<K, R>(scale * exact[i], chosen, r[i]); }),
          scale};
}

/// r = scale · (b − A x) in the chosen columns, by one pass in doubles.
template <class D, int K, class R>
FormedResidual<K> form_rounded_residual(const SellMatrix<D>& a, View<D, const Columns<double, K>> b,
                                        View<D, const Columns<double, K>> x, const Columns<double, K>& scale,
                                        const Chosen<K>& chosen, View<D, Columns<R, K>> r) {
  using Wide = Columns<double, K>;
  const auto diagonal = a.has_hubs() ? a.row_sum.view() : a.diagonal.view();
  const auto kernel = GRIDIRON_KERNEL(int64_t i, const Wide& sum) {
    return round_entry<K, R>(scale * (b[i] - (diagonal[i] * x[i] + sum)), chosen, r[i]);
  };
  return {a.has_hubs() ? D::template product_sum<2 * K>(a.differences(), x, kernel)
                       : D::template product_sum<2 * K>(a.view(), x, kernel),
          scale};
}

/// max_norm(), of any precision.
template <class D, int K, class R>
Columns<double, K> largest_entries(View<D, const Columns<R, K>> r) {
  return D::template max<Columns<double, K>>(
      r.size(), GRIDIRON_KERNEL(int64_t i) { return magnitude(to<double>(r[i])); });
}

/// q = A p, and the coefficient α = (p, r) / (p, A p) of a step in the chosen columns; 0 where there can be none.
template <class D, class T, int K, class R, class Matrix>
void product_and_step_length(const Matrix& matrix, View<D, const Columns<T, K>> p, View<D, const Columns<R, K>> r,
                             View<D, Columns<R, K>> q, const Chosen<K>& chosen,
                             Array<D, CgCoefficients<T, K, R>>& coefficients) {
  const auto to = coefficients.view();
  product_and_dots<D, T, K>(
      matrix, p, r, q, GRIDIRON_KERNEL(const Sums<2 * K>& dots) {
        for (int c = 0; c < K; ++c) {
          const R length = static_cast<R>(dots[K + c] / dots[c]);
          const bool steps = chosen[c] && dots[c] > 0 && length - length == 0;  // and is finite
          to[0].pq[c] = steps ? dots[c] : 0;
          column(to[0].alpha, c) = steps ? length : R(0);
        }
      });
}

/// p = z + β p with β = −(z, A p) / (p, A p), which makes the new direction A-orthogonal to the last one; p = z in the
/// columns that do not follow it, where fresh ones do not even read it.
template <class D, class T, int K, class R>
void new_direction(View<D, const Columns<T, K>> z, View<D, const Columns<R, K>> q, const Chosen<K>& follows,
                   const Chosen<K>& fresh, Array<D, CgCoefficients<T, K, R>>& coefficients, View<D, Columns<T, K>> p) {
  if (!follows.any()) return copy<D, Columns<T, K>>(z, p);
  const auto to = coefficients.view();
  D::template sum_of_columns_then<K>(
      p.size(), GRIDIRON_KERNEL(int64_t i, int c) { return static_cast<double>(column(z[i], c)) * column(q[i], c); },
      GRIDIRON_KERNEL(const Sums<K>& zq) {
        for (int c = 0; c < K; ++c) column(to[0].beta, c) = follows[c] ? static_cast<T>(-zq[c] / to[0].pq[c]) : T(0);
      });
  const Computed<D, CgCoefficients<T, K, R>> by(coefficients);
  D::template for_each_of_columns<K>(
      p.size(),
      GRIDIRON_KERNEL(int64_t i, int c) {
        return Pack<T, 2>{{column(z[i], c), column(p[i], c)}};
      },
      GRIDIRON_KERNEL(int64_t i, int c, const Pack<T, 2>& entries) {
        column(p[i], c) = fresh[c] ? entries[0] : entries[0] + column(by->beta, c) * entries[1];
      });
}

/// x += α p, r −= α q; ‖r‖₂². A step of length zero changes nothing, even if the direction is infinite.
template <class D, class T, int K, class R>
void take_step(View<D, const Columns<T, K>> p, View<D, const Columns<R, K>> q, const Columns<double, K>& scale,
               const Array<D, CgCoefficients<T, K, R>>& coefficients, View<D, Columns<double, K>> x,
               View<D, Columns<R, K>> r, View<D, CgProgress<K>> report) {
  const auto from = coefficients.view();
  const Computed<D, CgCoefficients<T, K, R>> by(coefficients);
  Columns<double, K> unscale;
  for (int c = 0; c < K; ++c) column(unscale, c) = 1 / column(scale, c);
  D::template sum_of_columns_then<K>(
      x.size(),
      GRIDIRON_KERNEL(int64_t i, int c) {
        return CgEntries<T, R>{column(x[i], c), column(r[i], c), column(q[i], c), column(p[i], c)};
      },
      GRIDIRON_KERNEL(int64_t i, int c, const CgEntries<T, R>& at) {
        const R factor = column(by->alpha, c);
        const R rest = at.r - (factor != 0 ? factor * at.q : 0);
        column(x[i], c) = at.x + (factor != 0 ? column(unscale, c) * factor * at.p : 0);
        column(r[i], c) = rest;
        return static_cast<double>(rest) * rest;
      },
      GRIDIRON_KERNEL(const Sums<K>& squares) {
        for (int c = 0; c < K; ++c) {
          report[0].pq[c] = from[0].pq[c];
          report[0].squares[c] = squares[c];
          const double length = column(from[0].alpha, c);
          report[0].gained[c] = length * length * from[0].pq[c];
        }
      });
}

}  // namespace gridiron
