// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engines/aggamg/hierarchy.hpp"
#include "engines/aggamg/k_levels.hpp"
#include "engines/aggamg/krylov_steps.hpp"

namespace gridiron::aggamg {

/// What a sweep takes of a row besides the couplings: x, the right-hand side, what x was a step before, and the rest of
/// the matrix.
template <class V, class Terms>
struct SweptRow {
  V x, b, before;
  Terms matrix;
};
template <class A>
using TermsOf = decltype(std::declval<A>().row(0));

/// Loads that, but for what x was.
template <class D, class V, class A>
struct LoadRow {
  View<D, const V> x, b;
  A a;
  GRIDIRON_HOST_DEVICE SweptRow<V, TermsOf<A>> operator()(int64_t i) const { return {x[i], b[i], {}, a.row(i)}; }
};

/// An entry of the residual of the finest grid and its inverse weight.
template <class R, class T>
struct WeightedEntry {
  R entry;
  T inverse_weight;
};

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
    for (size_t k = 0; k < levels_.size(); ++k)
      vectors_.emplace_back(levels_[k].rows(), k > 0 && static_cast<int>(k) <= params.k_levels);
  }

  size_t levels() const { return vectors_.size(); }
  int k_levels() const { return k_levels_; }
  int64_t bytes(size_t k) const { return vectors_[k].bytes(); }

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
        GRIDIRON_KERNEL(int64_t i, int c) {
          return WeightedEntry<R, T>{column(r[i], c), a.inverse_weight(i)};
        },
        GRIDIRON_KERNEL(int64_t i, int c, const WeightedEntry<R, T>& at) {
          const T entry = static_cast<T>(column(scale, c) * at.entry * at.inverse_weight);
          column(b[i], c) = entry;
          column(first_step[i], c) = first * a.row(i).inverse * entry;
        });
  }

  /// x of level k from its rhs, starting at zero.
  void multigrid(size_t k) {
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
  void krylov(size_t k) {
    if (k + 1 == levels_.size() && !coarsest_.empty()) return multigrid(k);
    multigrid(k);
    LevelVectors<D, T, K>& level = vectors_[k];
    const T jacobi = factor(1, levels_[k]);
    levels_[k].with_matrix(
        [&](const auto& a) { first_krylov_step<D, T, K>(a, symmetric_, params_.k_threshold, jacobi, level); });
    D::when(level.go_on.view(), [&] {
      multigrid(k);
      levels_[k].with_matrix([&](const auto& a) { second_krylov_step<D, T, K>(a, symmetric_, level); });
    });
    combine_krylov_steps(level);
  }

  /// Chebyshev iteration of the fourth kind on D⁻¹A (Lottes, Numer. Linear Algebra Appl. 30, 2023): needs only an upper
  /// bound of the spectrum; its first step is Jacobi damped by 4/(3ρ). Step m updates x by keep(m) times the previous
  /// update plus factor(m) times the residual of D⁻¹A.
  static T keep(int m) { return static_cast<T>((2.0 * m - 3) / (2.0 * m + 1)); }
  static T factor(int m, const Level<D, T>& level) {
    return static_cast<T>((8.0 * m - 4) / ((2.0 * m + 1) * level.rho));
  }

  /// From the first step, in `other` of the level, to x where the degree is even, else to `other`.
  void smooth_from_zero(size_t k) {
    if (params_.degree == 1) return;
    levels_[k].with_matrix([&](const auto& a) { second_step(k, a); });
    LevelVectors<D, T, K>& v = vectors_[k];
    for (int m = 3; m <= params_.degree; ++m) {
      const bool from_x = m % 2 == 1;
      sweep(k, m, (from_x ? v.x : v.other).view(), (from_x ? v.other : v.x).view());
    }
  }

  template <class A>
  void second_step(size_t k, const A& a) {
    LevelVectors<D, T, K>& v = vectors_[k];
    const View<D, const Entry> b = v.rhs.view(), one = v.other.view();
    const auto two = v.x.view();
    const T kept = keep(2), moved = factor(2, levels_[k]);
    D::for_each_product(
        a.couplings, one, LoadRow<D, Entry, A>{one, b, a},
        GRIDIRON_KERNEL(int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
          const Entry rest = row.b - row.matrix.product(row.x, couplings);
          two[i] = row.x + kept * row.x + moved * row.matrix.inverse * rest;
        });
  }

  /// The result is in x of the level.
  void smooth(size_t k, Array<D, Entry>& start, Array<D, Entry>& spare) {
    for (int m = 1; m <= params_.degree; ++m) {
      const bool from_start = m % 2 == 1;
      sweep(k, m, (from_start ? start : spare).view(), (from_start ? spare : start).view());
    }
  }

  void sweep(size_t k, int m, View<D, const Entry> x, View<D, Entry> out) {
    levels_[k].with_matrix([&](const auto& a) { sweep_by(a, k, m, x, out); });
  }

  /// Step m: from x to `out`, which holds what x was a step before.
  template <class A>
  void sweep_by(const A& a, size_t k, int m, View<D, const Entry> x, View<D, Entry> out) {
    const T kept = m == 1 ? T(0) : keep(m), moved = factor(m, levels_[k]);
    const View<D, const Entry> b = vectors_[k].rhs.view();
    if (m == 1) {
      D::for_each_product(
          a.couplings, x, LoadRow<D, Entry, A>{x, b, a},
          GRIDIRON_KERNEL(int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
            out[i] = row.x + moved * row.matrix.inverse * (row.b - row.matrix.product(row.x, couplings));
          });
    } else {
      D::for_each_product(
          a.couplings, x,
          GRIDIRON_KERNEL(int64_t i) {
            return SweptRow<Entry, TermsOf<A>>{x[i], b[i], out[i], a.row(i)};
          },
          GRIDIRON_KERNEL(int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
            const Entry rest = row.b - row.matrix.product(row.x, couplings);
            out[i] = row.x + kept * (row.x - row.before) + moved * row.matrix.inverse * rest;
          });
    }
  }

  /// Coarse right-hand side and first step: the residual summed over each aggregate. (Forming each residual where it is
  /// summed saves a vector but traverses the matrix in the order of aggregates, which takes twice as long on a CPU.)
  void restrict_residual(size_t k, const Array<D, Entry>& at, Array<D, Entry>& scratch) {
    levels_[k].with_matrix([&](const auto& a) { residual_by(a, k, at.view(), scratch.view()); });
    const View<D, const Entry> r = scratch.view();
    levels_[k + 1].with_matrix([&](const auto& coarse) { sum_over_aggregates(k, r, coarse); });
  }

  template <class A>
  void residual_by(const A& a, size_t k, View<D, const Entry> x, View<D, Entry> r) {
    const View<D, const Entry> b = vectors_[k].rhs.view();
    D::for_each_product(
        a.couplings, x, LoadRow<D, Entry, A>{x, b, a},
        GRIDIRON_KERNEL(int64_t i, const Entry& couplings, const SweptRow<Entry, TermsOf<A>>& row) {
          r[i] = a.weight(i) * (row.b - row.matrix.product(row.x, couplings));
        });
  }

  template <class A>
  void sum_over_aggregates(size_t k, View<D, const Entry> r, const A& coarse) {
    const Level<D, T>& fine = levels_[k];
    const auto begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view();
    const View<D, Entry> out = vectors_[k + 1].rhs.view(), first_step = vectors_[k + 1].other.view();
    const T first = factor(1, levels_[k + 1]);
    D::template for_each_of_columns<K>(
        out.size(), GRIDIRON_KERNEL(int64_t i, int c) {
          T sum{};
          for (int32_t m = begin[i]; m < begin[i + 1]; ++m) sum += column(r[members[m]], c);
          const T entry = sum * coarse.inverse_weight(i);
          column(out[i], c) = entry;
          column(first_step[i], c) = first * coarse.row(i).inverse * entry;
        });
  }

  void prolong(size_t k, Array<D, Entry>& onto) {
    const auto of_node = levels_[k].aggregates.of_node.view();
    const View<D, const Entry> e = vectors_[k + 1].x.view();
    const auto x = onto.view();
    D::template for_each_of_columns<K>(
        x.size(),
        GRIDIRON_KERNEL(int64_t i, int c) {
          return Pack<T, 2>{{column(x[i], c), column(e[of_node[i]], c)}};
        },
        GRIDIRON_KERNEL(int64_t i, int c, const Pack<T, 2>& at) { column(x[i], c) = at[0] + at[1]; });
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
