// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "engines/aggamg/hierarchy.hpp"
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

  LevelVectors(std::int64_t rows, bool has_krylov) : rhs(rows), x(rows), other(rows) {
    if (!has_krylov) return;
    for (auto* v : {&direction, &image}) *v = Array<D, Columns<T, K>>(rows);
    steps = Array<D, KrylovSteps<T, K>>(1);
    go_on = Array<D, double>(1);
  }
  std::int64_t bytes() const { return bytes_of(rhs, x, other, direction, image, steps, go_on); }
};

/// What a sweep takes of a row besides the couplings: x, the right-hand side, what x was a step before, and the rest of
/// the matrix.
template <class V, class Terms>
struct SweptRow {
  V x, b, before;
  Terms matrix;
};
template <class A>
using TermsOf = decltype(std::declval<A>().row(0));

/// An entry of the residual of the finest grid and its inverse weight.
template <class R, class T>
struct WeightedEntry {
  R entry;
  T inverse_weight;
};

/// Tells from the norms of residuals, one call per iteration, where convergence is slow. A norm that comes twice counts
/// once: the second time it stands for one that is not known yet.
template <int K>
class SlowProgress {
 public:
  /// Whether the residual of some column has kept more than kSlow of its norm per iteration in the last kWatched. They
  /// begin anew where it grows: by a first step, which often makes it larger, or as another column takes the place.
  bool seen(const Columns<double, K>& norms) {
    bool is_slow = false;
    for (int c = 0; c < K; ++c) {
      Column& of = columns_[c];
      const double norm = column(norms, c);
      if (norm == of.last) continue;
      const double kept = norm / std::exchange(of.last, norm);
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
/// first applied. A column is solved as it would be alone, but for an adaptive cycle: all K columns get another K-level
/// where one of them converges slowly.
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
    levels_[0].with_matrix([&](const auto& a) { begin_with<R>(a, r, scale); });
    recordings_[k_levels_].run([this] { multigrid(0); });
    return vectors_[0].x.view();
  }

  // The parts of a cycle; public, as nvcc takes no kernels from private functions. A: a LevelMatrix or
  // ShortLevelMatrix.

  /// The right-hand side of the finest grid, scaled, and the first step.
  template <class R, class A>
  void begin_with(const A& a, View<D, const Columns<R, K>> r, const Columns<R, K>& scale) {
    const auto b = vectors_[0].rhs.view(), first_step = vectors_[0].other.view();
    const T first = factor(1, levels_[0]);
    D::template for_each_of_columns<K>(
        r.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          return WeightedEntry<R, T>{column(r[i], c), a.inverse_weight(i)};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const WeightedEntry<R, T>& at) {
          const T entry = static_cast<T>(column(scale, c) * at.entry * at.inverse_weight);
          column(b[i], c) = entry;
          column(first_step[i], c) = first * a.row(i).inverse * entry;
        });
  }

  /// x of level k from its rhs, starting at zero.
  void multigrid(std::size_t k) {
    LevelVectors<D, T, K>& v = vectors_[k];
    if (k + 1 == levels_.size()) {
      if (!coarsest_.empty()) return coarsest_.template solve<Entry>(v.rhs.view(), v.x.view());
      smooth_from_zero(k);
      if (params_.degree % 2 == 1) copy<D, Entry>(v.other.view(), v.x.view());
      return;
    }
    // Smoothing after the coarse correction ends in x when it starts here.
    Array<D, Entry>& start = params_.degree % 2 == 0 ? v.x : v.other;
    Array<D, Entry>& spare = params_.degree % 2 == 0 ? v.other : v.x;
    smooth_from_zero(k);
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
    multigrid(k);
    levels_[k].with_matrix([&](const auto& a) { first_krylov_step(k, a); });
    D::when(vectors_[k].go_on.view(), [&] {
      multigrid(k);
      levels_[k].with_matrix([&](const auto& a) { second_krylov_step(k, a); });
    });
    LevelVectors<D, T, K>& level = vectors_[k];
    const View<D, const KrylovSteps<T, K>> steps = level.steps.view();
    const View<D, const Entry> c = level.direction.view();
    const auto x = level.x.view();
    D::template for_each_of_columns<K>(
        x.size(), GRIDIRON_KERNEL(std::int64_t i, int j) {
          const KrylovSteps<T, K>& s = steps[0];
          column(x[i], j) = column(s.of_first, j) * column(c[i], j) + column(s.of_second, j) * column(x[i], j);
        });
  }

  template <class A>
  void first_krylov_step(std::size_t k, const A& a) {
    LevelVectors<D, T, K>& level = vectors_[k];
    const View<D, const Entry> x1 = level.x.view();
    const auto b = level.rhs.view(), c = level.direction.view(), v = level.image.view(),
               first_step = level.other.view();
    const auto steps = level.steps.view();
    const auto go_on = level.go_on.view();
    const bool symmetric = symmetric_;
    const double share = params_.k_threshold * params_.k_threshold;
    D::template product_sum_then<3 * K>(
        a.couplings, x1,
        GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings) {
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
    const T jacobi = factor(1, levels_[k]);
    D::template sum_then<K>(
        b.size(),
        GRIDIRON_KERNEL(std::int64_t i) {
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

  template <class A>
  void second_krylov_step(std::size_t k, const A& a) {
    LevelVectors<D, T, K>& level = vectors_[k];
    const View<D, const Entry> x2 = level.x.view(), b = level.rhs.view(), v = level.image.view();
    const auto steps = level.steps.view();
    const bool symmetric = symmetric_;
    D::template product_sum_then<3 * K>(
        a.couplings, x2,
        GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings) {
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

  /// Chebyshev iteration of the fourth kind on D⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023): needs only an upper
  /// bound of the spectrum; its first step is Jacobi damped by 4/(3ρ). Step m updates x by keep(m) times the previous
  /// update plus factor(m) times the residual of D⁻¹A.
  static T keep(int m) { return static_cast<T>((2.0 * m - 3) / (2.0 * m + 1)); }
  static T factor(int m, const Level<D, T>& level) {
    return static_cast<T>((8.0 * m - 4) / ((2.0 * m + 1) * level.rho));
  }

  /// From the first step, in `other` of the level, to x where the degree is even, else to `other`.
  void smooth_from_zero(std::size_t k) {
    if (params_.degree == 1) return;
    levels_[k].with_matrix([&](const auto& a) { second_step(k, a); });
    LevelVectors<D, T, K>& v = vectors_[k];
    for (int m = 3; m <= params_.degree; ++m) {
      const bool from_x = m % 2 == 1;
      sweep(k, m, (from_x ? v.x : v.other).view(), (from_x ? v.other : v.x).view());
    }
  }

  template <class A>
  void second_step(std::size_t k, const A& a) {
    LevelVectors<D, T, K>& v = vectors_[k];
    const View<D, const Entry> b = v.rhs.view(), one = v.other.view();
    const auto two = v.x.view();
    const T kept = keep(2), moved = factor(2, levels_[k]);
    D::for_each_product(
        a.couplings, one,
        GRIDIRON_KERNEL(std::int64_t i) {
          return SweptRow<Entry, TermsOf<A>>{one[i], b[i], {}, a.row(i)};
        },
        GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
          const Entry rest = row.b - row.matrix.product(row.x, couplings);
          two[i] = row.x + kept * row.x + moved * row.matrix.inverse * rest;
        });
  }

  /// The result is in x of the level.
  void smooth(std::size_t k, Array<D, Entry>& start, Array<D, Entry>& spare) {
    for (int m = 1; m <= params_.degree; ++m) {
      const bool from_start = m % 2 == 1;
      sweep(k, m, (from_start ? start : spare).view(), (from_start ? spare : start).view());
    }
  }

  void sweep(std::size_t k, int m, View<D, const Entry> x, View<D, Entry> out) {
    levels_[k].with_matrix([&](const auto& a) { sweep_by(a, k, m, x, out); });
  }

  /// Step m: from x to `out`, which holds what x was a step before.
  template <class A>
  void sweep_by(const A& a, std::size_t k, int m, View<D, const Entry> x, View<D, Entry> out) {
    const T kept = m == 1 ? T(0) : keep(m), moved = factor(m, levels_[k]);
    const View<D, const Entry> b = vectors_[k].rhs.view();
    if (m == 1) {
      D::for_each_product(
          a.couplings, x,
          GRIDIRON_KERNEL(std::int64_t i) {
            return SweptRow<Entry, TermsOf<A>>{x[i], b[i], {}, a.row(i)};
          },
          GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
            out[i] = row.x + moved * row.matrix.inverse * (row.b - row.matrix.product(row.x, couplings));
          });
    } else {
      D::for_each_product(
          a.couplings, x,
          GRIDIRON_KERNEL(std::int64_t i) {
            return SweptRow<Entry, TermsOf<A>>{x[i], b[i], out[i], a.row(i)};
          },
          GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
            const Entry rest = row.b - row.matrix.product(row.x, couplings);
            out[i] = row.x + kept * (row.x - row.before) + moved * row.matrix.inverse * rest;
          });
    }
  }

  /// Coarse right-hand side and first step: the residual summed over each aggregate. (Forming each residual where it is
  /// summed saves a vector but traverses the matrix in the order of aggregates, which takes twice as long on a CPU.)
  void restrict_residual(std::size_t k, const Array<D, Entry>& at, Array<D, Entry>& scratch) {
    levels_[k].with_matrix([&](const auto& a) { residual_by(a, k, at.view(), scratch.view()); });
    const View<D, const Entry> r = scratch.view();
    levels_[k + 1].with_matrix([&](const auto& coarse) { sum_over_aggregates(k, r, coarse); });
  }

  template <class A>
  void residual_by(const A& a, std::size_t k, View<D, const Entry> x, View<D, Entry> r) {
    const View<D, const Entry> b = vectors_[k].rhs.view();
    D::for_each_product(
        a.couplings, x,
        GRIDIRON_KERNEL(std::int64_t i) {
          return SweptRow<Entry, TermsOf<A>>{x[i], b[i], {}, a.row(i)};
        },
        GRIDIRON_KERNEL(std::int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
          r[i] = a.weight(i) * (row.b - row.matrix.product(row.x, couplings));
        });
  }

  template <class A>
  void sum_over_aggregates(std::size_t k, View<D, const Entry> r, const A& coarse) {
    const Level<D, T>& fine = levels_[k];
    const auto begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view();
    const View<D, Entry> out = vectors_[k + 1].rhs.view(), first_step = vectors_[k + 1].other.view();
    const T first = factor(1, levels_[k + 1]);
    D::template for_each_of_columns<K>(
        out.size(), GRIDIRON_KERNEL(std::int64_t i, int c) {
          T sum{};
          for (std::int32_t m = begin[i]; m < begin[i + 1]; ++m) sum += column(r[members[m]], c);
          const T entry = sum * coarse.inverse_weight(i);
          column(out[i], c) = entry;
          column(first_step[i], c) = first * coarse.row(i).inverse * entry;
        });
  }

  void prolong(std::size_t k, Array<D, Entry>& onto) {
    const auto of_node = levels_[k].aggregates.of_node.view();
    const View<D, const Entry> e = vectors_[k + 1].x.view();
    const auto x = onto.view();
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
