// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "engines/aggamg/hierarchy.hpp"
#include "engines/linalg/krylov.hpp"

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
  Array<D, Columns<T, K>> rhs, x, other;     ///< D⁻¹b, x and scratch
  Array<D, Columns<T, K>> direction, image;  ///< the first direction of the K-cycle and its product with A, if any
  Array<D, KrylovSteps<T, K>> steps;
  Array<D, double> go_on;  ///< > 0: a second step pays for a column

  LevelVectors(std::int64_t rows, bool has_krylov) : rhs(rows), x(rows), other(rows) {
    if (!has_krylov) return;
    for (auto* v : {&direction, &image}) *v = Array<D, Columns<T, K>>(rows);
    steps = Array<D, KrylovSteps<T, K>>(1);
    go_on = Array<D, double>(1);
  }
  std::int64_t bytes() const {
    return rhs.bytes() + x.bytes() + other.bytes() + direction.bytes() + image.bytes() + steps.bytes() + go_on.bytes();
  }
};

/// What a sweep takes of a row besides the couplings: x, the right-hand side, and what x was a step before.
template <class V>
struct SweptRow {
  V x, b, before;
};
/// What the residual of a row takes: b − x of the system divided by the diagonal, and the diagonal.
template <class V>
struct ScaledRow {
  V without;
  ColumnType<V> diagonal;
};

/// An aggregate, as places of its members, and its diagonal entry.
template <class T>
struct MembersOf {
  std::int32_t begin, end;
  T diagonal;
};

/// Tells from the norms of residuals, one call per iteration, where convergence is slow.
template <int K>
class SlowProgress {
 public:
  /// Whether the residual of some column has kept more than kSlow of its norm per iteration in the last kWatched. They
  /// begin anew where it grows: by a first step, which often makes it larger, or as another column takes the place.
  bool seen(const Columns<double, K>& norms) {
    bool is_slow = false;
    for (int c = 0; c < K; ++c) {
      Column& of = columns_[c];
      const double norm = column(norms, c), kept = norm / std::exchange(of.last, norm);
      if (!(kept < 1)) {
        of = {norm};
        continue;
      }
      of.kept *= kept;
      if (++of.watched < kWatched) continue;
      is_slow = is_slow || of.kept > std::pow(kSlow, kWatched);
      of = {norm};
    }
    return is_slow;
  }

 private:
  static constexpr int kWatched = 4;
  static constexpr double kSlow = 0.6;

  struct Column {
    double last = 0, kept = 1;
    int watched = 0;
  };
  Column columns_[K];
};

/// How many K-levels an adaptive cycle begins with: fewer for power grids, whose pads are all over and leave coarse
/// grids little to do, and more for large problems, whose third grid is large, too.
inline int first_k_levels(const Problem& problem) {
  constexpr std::int64_t kLarge = 3'000'000;
  const int few = std::holds_alternative<PowerGrid>(problem.structure) ? 1 : 2;
  return problem.matrix.rows < kLarge ? few : few + 1;
}

/// One application of the multigrid preconditioner to K columns: Algorithms 4 (V-cycle) and 5 (K-cycle, Notay, Numer.
/// Linear Algebra Appl. 15, 2008) of the paper, K on the finest levels and V below. Sees the hierarchy as it is when
/// first applied.
template <class D, class T, int K>
class Cycle {
 public:
  using Entry = Columns<T, K>;
  using Wide = Columns<double, K>;

  /// `k_levels`: to begin with.
  Cycle(const Hierarchy<D, T>& hierarchy, const AggAmgParams& params, bool symmetric, int k_levels)
      : levels_(hierarchy.levels()),
        coarsest_(hierarchy.coarsest()),
        params_(params),
        symmetric_(symmetric),
        first_k_levels_(k_levels),
        k_levels_(k_levels) {
    for (std::size_t k = 0; k < levels_.size(); ++k)
      vectors_.emplace_back(levels_[k].rows(), k > 0 && static_cast<int>(k) <= params.k_levels);
  }

  std::size_t levels() const { return vectors_.size(); }
  int k_levels() const { return k_levels_; }
  std::int64_t bytes(std::size_t k) const { return vectors_[k].bytes(); }

  /// Call when the matrices have new values: the recordings hold old ones.
  void take_new_values() { recordings_.clear(); }

  /// Call before a solve, however many columns it has: all begin with the same cycle.
  void begin() {
    k_levels_ = first_k_levels_;
    progress_ = {};
  }

  /// A Preconditioner. Residuals in doubles are scaled to entries of about one.
  template <class R>
  View<D, const Entry> apply(View<D, const Columns<R, K>> r, const Wide& norm) {
    if (k_levels_ < most_k_levels() && progress_.seen(norm)) ++k_levels_;
    Columns<R, K> scale;
    for (int c = 0; c < K; ++c) {  // columns that are not needed ask for no second step of a K-cycle
      const double size = column(norm, c);
      column(scale, c) = std::is_same_v<R, double> ? static_cast<R>(unit_scale(r.size(), size)) : R(size > 0);
    }
    const View<D, Entry> b = vectors_[0].rhs.view();
    const View<D, const T> diagonal = levels_[0].diagonal.view();
    D::template for_each_of_columns<K>(
        r.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          return Pack<R, 2>{{column(r[i], c), static_cast<R>(diagonal[i])}};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const Pack<R, 2>& at) {
          column(b[i], c) = at[1] != 0 ? static_cast<T>(column(scale, c) * at[0] / at[1]) : T(0);
        });
    recordings_[k_levels_].run([this] { multigrid(0); });
    return std::as_const(vectors_[0]).x.view();
  }

  // The parts of a cycle; public, as nvcc takes no kernels from private functions.

  /// x of level k from its rhs, starting at zero.
  void multigrid(std::size_t k) {
    LevelVectors<D, T, K>& v = vectors_[k];
    if (k + 1 == levels_.size()) {
      if (!coarsest_.empty()) return coarsest_.template solve<Entry>(std::as_const(v).rhs.view(), v.x.view());
      smooth_from_zero(k, v.x);
      return;
    }
    // Smoothing after the coarse correction ends in x when it starts here.
    Array<D, Entry>& start = params_.degree % 2 == 0 ? v.x : v.other;
    Array<D, Entry>& spare = params_.degree % 2 == 0 ? v.other : v.x;
    smooth_from_zero(k, start);
    restrict_residual(k, start, spare);
    if (static_cast<int>(k) < k_levels_)
      krylov(k + 1);
    else
      multigrid(k + 1);
    prolong(k, start);
    smooth(k, start, spare);
  }

  /// Up to two steps of a Krylov method at level k with the cycle as preconditioner (Algorithm 5): CG for symmetric
  /// matrices, else GCR, which differs only in what the new directions are made orthogonal to. The second step is
  /// skipped when the first one reduces the residual of every column enough; the device decides, without a round trip
  /// to the host. Columns that do not need the second step are left unchanged by it.
  void krylov(std::size_t k) {
    if (k + 1 == levels_.size() && !coarsest_.empty()) return multigrid(k);
    LevelVectors<D, T, K>& level = vectors_[k];
    const SellView<D, T> a = levels_[k].matrix();
    const View<D, const T> diagonal = levels_[k].diagonal.view();
    const View<D, Entry> b = level.rhs.view(), c = level.direction.view(), v = level.image.view();
    const View<D, KrylovSteps<T, K>> steps = level.steps.view();
    const View<D, double> go_on = level.go_on.view();
    const bool symmetric = symmetric_;
    const double share = params_.k_threshold * params_.k_threshold;

    multigrid(k);
    const View<D, const Entry> x1 = std::as_const(level).x.view();
    D::template product_sum_then<3 * K>(
        a, x1,
        GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal) {
          const Entry image = x1[i] + off_diagonal;
          c[i] = x1[i];
          v[i] = image;
          const double d = diagonal[i];
          const Wide left = symmetric ? to<double>(x1[i]) : d * to<double>(image), r = d * to<double>(b[i]);
          return sums_of(left * d * image, left * r, r * r);
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
        a.rows,
        GRIDIRON_KERNEL(std::int64_t i) {
          const Entry left = b[i] - steps[0].first * v[i];
          b[i] = left;
          const Wide r = static_cast<double>(diagonal[i]) * to<double>(left);
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
    D::when(View<D, const double>(go_on), [&] {
      multigrid(k);
      const View<D, const Entry> x2 = std::as_const(level).x.view();
      D::template product_sum_then<3 * K>(
          a, x2,
          GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal) {
            const double d = diagonal[i];
            const Wide image = d * to<double>(x2[i] + off_diagonal);
            const Wide left = symmetric ? to<double>(x2[i]) : image;
            return sums_of(left * d * v[i], left * image, left * d * b[i]);
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
    });
    const View<D, Entry> x = level.x.view();
    D::template for_each_of_columns<K>(
        a.rows, GRIDIRON_KERNEL(std::int64_t i, int j) {
          const KrylovSteps<T, K>& s = steps[0];
          column(x[i], j) = column(s.of_first, j) * column(c[i], j) + column(s.of_second, j) * column(x[i], j);
        });
  }

  /// Chebyshev iteration of the fourth kind on D⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023): needs only an upper
  /// bound of the spectrum; its first step is Jacobi damped by 4/(3ρ). Step m updates x by keep(m) times the previous
  /// update plus factor(m) times the residual.
  static T keep(int m) { return static_cast<T>((2.0 * m - 3) / (2.0 * m + 1)); }
  static T factor(int m, const Level<D, T>& level) {
    return static_cast<T>((8.0 * m - 4) / ((2.0 * m + 1) * level.rho));
  }

  /// The result is in `x`, one of x and other of the level.
  void smooth_from_zero(std::size_t k, Array<D, Entry>& x) {
    LevelVectors<D, T, K>& v = vectors_[k];
    const Level<D, T>& level = levels_[k];
    const T first = factor(1, level);
    const View<D, const Entry> b = std::as_const(v).rhs.view();
    if (params_.degree == 1) {
      const View<D, Entry> out = x.view();
      D::for_each(
          b.size(), GRIDIRON_KERNEL(std::int64_t i) { out[i] = first * b[i]; });
      return;
    }
    // The first step is a multiple of b, so the second needs only the product with b.
    Array<D, Entry>& other = &x == &v.x ? v.other : v.x;
    const bool ends_in_x = params_.degree % 2 == 0;
    const View<D, Entry> one = (ends_in_x ? other : x).view(), two = (ends_in_x ? x : other).view();
    const T kept = keep(2), second = factor(2, level);
    const bool goes_on = params_.degree > 2;
    D::for_each_product(
        level.matrix(), b, GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal) {
          const Entry x1 = first * b[i];
          two[i] = x1 + kept * x1 + second * (b[i] - x1 - first * off_diagonal);
          if (goes_on) one[i] = x1;
        });
    for (int m = 3; m <= params_.degree; ++m) {
      const bool from_two = m % 2 == 1;
      sweep(k, m, from_two ? two : one, from_two ? one : two);
    }
  }

  /// The result is in x of the level.
  void smooth(std::size_t k, Array<D, Entry>& start, Array<D, Entry>& spare) {
    for (int m = 1; m <= params_.degree; ++m) {
      const bool from_start = m % 2 == 1;
      sweep(k, m, (from_start ? start : spare).view(), (from_start ? spare : start).view());
    }
  }

  /// Step m: from x to `out`, which holds what x was a step before.
  void sweep(std::size_t k, int m, View<D, const Entry> x, View<D, Entry> out) {
    const Level<D, T>& level = levels_[k];
    const T kept = m == 1 ? T(0) : keep(m), moved = factor(m, level);
    const View<D, const Entry> b = std::as_const(vectors_[k]).rhs.view();
    if (m == 1) {
      D::for_each_product(
          level.matrix(), x,
          GRIDIRON_KERNEL(std::int64_t i) {
            return SweptRow<Entry>{x[i], b[i], {}};
          },
          GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal, const SweptRow<Entry>& row) {
            out[i] = row.x + moved * (row.b - row.x - off_diagonal);
          });
    } else {
      D::for_each_product(
          level.matrix(), x,
          GRIDIRON_KERNEL(std::int64_t i) {
            return SweptRow<Entry>{x[i], b[i], out[i]};
          },
          GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal, const SweptRow<Entry>& row) {
            out[i] = row.x + kept * (row.x - row.before) + moved * (row.b - row.x - off_diagonal);
          });
    }
  }

  /// Coarse right-hand side: the residual summed over each aggregate. (Forming each residual where it is summed saves a
  /// vector but traverses the matrix in the order of aggregates, which takes twice as long on a CPU.)
  void restrict_residual(std::size_t k, const Array<D, Entry>& at, Array<D, Entry>& scratch) {
    const Level<D, T>& fine = levels_[k];
    const View<D, const T> diagonal = fine.diagonal.view(), coarse_diagonal = levels_[k + 1].diagonal.view();
    const View<D, const Entry> b = std::as_const(vectors_[k]).rhs.view(), x = at.view();
    const View<D, Entry> r = scratch.view();
    D::for_each_product(
        fine.matrix(), x,
        GRIDIRON_KERNEL(std::int64_t i) {
          return ScaledRow<Entry>{b[i] - x[i], diagonal[i]};
        },
        GRIDIRON_KERNEL(std::int64_t i, const Entry& off_diagonal, const ScaledRow<Entry>& row) {
          r[i] = row.diagonal * (row.without - off_diagonal);
        });
    const View<D, const std::int32_t> begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view();
    const View<D, Entry> out = vectors_[k + 1].rhs.view();
    D::template for_each_of_columns<K>(
        out.size(),
        GRIDIRON_KERNEL(std::int64_t i, int) {
          return MembersOf<T>{begin[i], begin[i + 1], coarse_diagonal[i]};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const MembersOf<T>& aggregate) {
          T sum{};
          for (std::int32_t m = aggregate.begin; m < aggregate.end; ++m) sum += column(r[members[m]], c);
          column(out[i], c) = aggregate.diagonal != 0 ? sum / aggregate.diagonal : T(0);
        });
  }

  void prolong(std::size_t k, Array<D, Entry>& onto) {
    const View<D, const std::int32_t> of_node = levels_[k].aggregates.of_node.view();
    const View<D, const Entry> e = std::as_const(vectors_[k + 1]).x.view();
    const View<D, Entry> x = onto.view();
    D::template for_each_of_columns<K>(
        x.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          return Pack<T, 2>{{column(x[i], c), column(e[of_node[i]], c)}};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const Pack<T, 2>& at) { column(x[i], c) = at[0] + at[1]; });
  }

 private:
  int most_k_levels() const { return std::min(params_.k_levels, static_cast<int>(levels_.size()) - 1); }

  const std::vector<Level<D, T>>& levels_;
  const DenseInverse<D, T>& coarsest_;
  const AggAmgParams& params_;
  bool symmetric_;
  int first_k_levels_, k_levels_;
  SlowProgress<K> progress_;
  std::vector<LevelVectors<D, T, K>> vectors_;
  std::map<int, typename D::Recording> recordings_;  ///< of the cycle with so many K-levels
};

}  // namespace gridiron::aggamg
