// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engines/linalg/deflation.hpp"

namespace gridiron {

/// Which column of a block each of the K slots of a method holds; −1: none.
template <int K>
using Places = std::array<std::int64_t, K>;

/// Of an iteration of flexible CG, for each of K columns. On the device, so that kernels need not wait for the host.
template <class T, int K>
struct CgCoefficients {
  double pq[K], squares[K];  ///< (p, A p) and ‖r‖₂²
  Columns<double, K> alpha;  ///< length of the step
  Columns<T, K> beta;        ///< share of the last direction in the new one
};

/// Flexible conjugate gradients (Notay, SIAM J. Sci. Comput. 22, 2000): the preconditioner may change from step to
/// step, as a K-cycle does. Directions are kept in the precision T of the preconditioner: the updates of x and r stay
/// consistent whatever the direction.
///
/// K columns share every pass over the matrix and have their own coefficients, stop rule and restarts. A column that is
/// done leaves its slot to the next in the queue; columns do not affect each other's convergence.
///
/// Requires residual() and product_and_dots() of the matrix; vectors may contain padding entries, which stay zero.
template <class D, class T, int K = 1>
class FlexibleCg {
 public:
  using Wide = Columns<double, K>;
  using Entry = Columns<T, K>;
  using Coefficients = CgCoefficients<T, K>;
  using Monitors = std::array<ConvergenceMonitor, K>;

  FlexibleCg() = default;
  explicit FlexibleCg(std::int64_t entries) : r_(entries), q_(entries), p_(entries), coefficients_(1) {
    fill<D, Wide>(r_.view(), Wide{});
    fill<D, Wide>(q_.view(), Wide{});
    fill<D, Entry>(p_.view(), Entry{});
  }

  std::int64_t bytes() const { return r_.bytes() + q_.bytes() + p_.bytes() + levels_.bytes(); }

  /// Solves for the levels of these parts separately; null: none. They must outlive the method.
  void deflate(const Deflation<D>* parts) { deflation_ = parts && !parts->empty() ? parts : nullptr; }

  /// Solves for `columns` right-hand sides. enter(places, monitors) loads the given columns into b, their initial
  /// guesses into x, and a ConvergenceMonitor for each; leave(places, monitors) stores solutions from x. Neither
  /// touches other slots.
  template <class Matrix, class Enter, class Leave>
  void solve(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x, std::int64_t columns,
             const Preconditioner<D, T, K>& precondition, Enter enter, Leave leave) {
    state_.fill(State::vacant);
    std::int64_t waiting = 0;
    do {
      Places<K> arriving = nobody();
      for (int c = 0; c < K && waiting < columns; ++c) {
        if (state_[c] != State::vacant) continue;
        state_[c] = State::arrived;
        column_[c] = arriving[c] = waiting++;
      }
      if (arriving != nobody()) enter(arriving, monitors_);
      const Places<K> leaving = judge(matrix, b, x);
      if (leaving != nobody()) leave(leaving, monitors_);
      if (leaving == nobody() || waiting == columns) iterate(matrix, x, precondition);
    } while (waiting < columns || has(State::going) || has(State::claims));
  }

  // The parts of an iteration; public because nvcc accepts no kernels in private functions.

  /// Computes the true residual of columns that are new or claim to have converged, and judges them by it, as the
  /// recursive residual drifts. A column that has not converged restarts from it as long as that makes progress.
  /// Returns the columns that are finished.
  template <class Matrix>
  Places<K> judge(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x) {
    Chosen<K> judged;
    for (int c = 0; c < K; ++c) judged[c] = state_[c] == State::arrived || state_[c] == State::claims;
    Places<K> leaving = nobody();
    if (!judged.any()) return leaving;
    form_residual(matrix, b, x, judged);
    if (deflation_) {
      deflation_->template set_levels<K>(std::as_const(r_).view(), x, judged, levels_);
      form_residual(matrix, b, x, judged);
      deflation_->template balance<K>(r_.view(), judged, levels_);
    }
    const Wide norms = norm2<D, K>(r_.view());
    Largest largest{r_.view()};
    for (int c = 0; c < K; ++c) {
      if (!judged[c]) continue;
      ConvergenceMonitor& monitor = monitors_[c];
      if (state_[c] == State::claims) monitor.stats.history.pop_back();
      const double norm = column(norms, c);
      const bool reached = monitor.reached(norm, [&] { return largest(c); });
      // A true residual far above the recursive one is rounding, which a restart cannot reduce.
      const bool pays = state_[c] == State::arrived || (norm < 0.5 * before_[c] && norm < kDrift * norm_[c]);
      if (!reached && pays && monitor.may_go_on()) {
        before_[c] = norm_[c] = norm;
        state_[c] = State::going;
        fresh_[c] = true;
      } else {
        monitor.stats.max_residual = largest(c);
        leaving[c] = column_[c];
        state_[c] = State::vacant;
        norm_[c] = 0;
      }
    }
    return leaving;
  }

  template <class Matrix>
  void form_residual(const Matrix& matrix, View<D, const Wide> b, View<D, const Wide> x, const Chosen<K>& chosen) {
    if constexpr (K == 1)
      residual<D>(matrix, b, x, r_.view());
    else
      residual<D, K>(matrix, b, x, r_.view(), chosen);
  }

  template <class Matrix>
  void iterate(const Matrix& matrix, View<D, Wide> x, const Preconditioner<D, T, K>& precondition) {
    if (!has(State::going)) return;
    const typename D::Range range("outer iteration");
    Wide norms{};
    for (int c = 0; c < K; ++c) column(norms, c) = state_[c] == State::going ? norm_[c] : 0;
    new_direction(precondition(View<D, const Wide>(r_.view()), norms));
    if (deflation_) deflation_->template project<T, K>(p_.view(), levels_);
    Chosen<K> going;
    for (int c = 0; c < K; ++c) going[c] = state_[c] == State::going;
    const View<D, Coefficients> to = coefficients_.view();
    product_and_dots<D, T, K>(
        matrix, std::as_const(p_).view(), std::as_const(r_).view(), q_.view(),
        GRIDIRON_KERNEL(const Sums<2 * K>& dots) {
          for (int c = 0; c < K; ++c) {
            const double pq = dots[c];
            to[0].pq[c] = pq;
            column(to[0].alpha, c) = going[c] && pq > 0 ? dots[K + c] / pq : 0;
          }
        });
    step(x);
    Coefficients now;
    coefficients_.copy_to({&now, 1});
    Largest largest{r_.view()};
    for (int c = 0; c < K; ++c) {
      if (!going[c]) continue;
      ConvergenceMonitor& monitor = monitors_[c];
      ++monitor.stats.iterations;
      if (!(now.pq[c] > 0)) {  // A is not positive definite, or the preconditioner returned zero
        monitor.stats.history.push_back(monitor.stats.relative_residual);
        state_[c] = State::claims;
        continue;
      }
      norm_[c] = std::sqrt(now.squares[c]);
      if (monitor.reached(norm_[c], [&] { return largest(c); }) || !monitor.may_go_on()) state_[c] = State::claims;
    }
  }

  /// β = −(z, A p)/(p, A p) makes the new direction A-orthogonal to the last one.
  void new_direction(View<D, const Entry> z) {
    const View<D, const Wide> q = std::as_const(q_).view();
    const View<D, Entry> p = p_.view();
    Chosen<K> follows, fresh;
    for (int c = 0; c < K; ++c) {
      fresh[c] = std::exchange(fresh_[c], false);
      follows[c] = state_[c] == State::going && !fresh[c];
    }
    if (!follows.any()) {
      D::for_each(
          p.size(), GRIDIRON_KERNEL(std::int64_t i) { p[i] = z[i]; });
      return;
    }
    const View<D, Coefficients> to = coefficients_.view();
    D::template sum_of_columns_then<K>(
        p.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) { return static_cast<double>(column(z[i], c)) * column(q[i], c); },
        GRIDIRON_KERNEL(const Sums<K>& zq) {
          for (int c = 0; c < K; ++c) column(to[0].beta, c) = follows[c] ? static_cast<T>(-zq[c] / to[0].pq[c]) : T(0);
        });
    const Computed<D, Coefficients> by(coefficients_);
    if (!fresh.any()) {
      D::for_each(
          p.size(), GRIDIRON_KERNEL(std::int64_t i) { p[i] = z[i] + by->beta * p[i]; });
    } else {
      D::for_each(
          p.size(), GRIDIRON_KERNEL(std::int64_t i) {
            const Entry first = z[i];
            Entry next = first + by->beta * p[i];
            for (int c = 0; c < K; ++c)
              if (fresh[c]) column(next, c) = column(first, c);
            p[i] = next;
          });
    }
  }

  /// x += α p, r −= α q; ‖r‖₂². A step of length zero changes nothing, even if the direction is infinite.
  void step(View<D, Wide> x) {
    const View<D, const Entry> p = std::as_const(p_).view();
    const View<D, const Wide> q = std::as_const(q_).view();
    const View<D, Wide> r = r_.view();
    const View<D, Coefficients> to = coefficients_.view();
    const Computed<D, Coefficients> by(coefficients_);
    D::template sum_of_columns_then<K>(
        x.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          const double factor = column(by->alpha, c),
                       v = column(r[i], c) - (factor != 0 ? factor * column(q[i], c) : 0);
          column(x[i], c) += factor != 0 ? factor * column(p[i], c) : 0;
          column(r[i], c) = v;
          return v * v;
        },
        GRIDIRON_KERNEL(const Sums<K>& squares) {
          for (int c = 0; c < K; ++c) to[0].squares[c] = squares[c];
        });
  }

 private:
  enum class State { vacant, arrived, going, claims };
  static constexpr double kDrift = 10;

  /// max |r| of a column, computed for all columns on first use.
  struct Largest {
    View<D, const Wide> r;
    Wide known = {};
    bool is_known = false;
    double operator()(int c) {
      if (!is_known) known = max_norm<D, K>(r);
      is_known = true;
      return column(known, c);
    }
  };

  static Places<K> nobody() {
    Places<K> places;
    places.fill(-1);
    return places;
  }
  bool has(State state) const {
    for (const State s : state_)
      if (s == state) return true;
    return false;
  }

  Array<D, Wide> r_, q_;
  Array<D, Entry> p_;
  Array<D, Coefficients> coefficients_;
  const Deflation<D>* deflation_ = nullptr;
  typename Deflation<D>::template Vectors<K> levels_;
  std::array<State, K> state_{};
  std::array<std::int64_t, K> column_{};
  Monitors monitors_;
  std::array<double, K> norm_{}, before_{};  ///< ‖r‖₂, the same at the last restart
  std::array<bool, K> fresh_{};              ///< the next direction is the first after a restart
};

/// One right-hand side, from the initial guess in x. The monitor may hold iterations of another method.
template <class D, class T, class Matrix>
void flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, ConvergenceMonitor& monitor,
                 const Preconditioner<D, T>& precondition) {
  FlexibleCg<D, T> cg(b.size());
  cg.solve(
      matrix, b, x, 1, precondition, [&](const Places<1>&, auto& monitors) { monitors[0] = monitor; },
      [&](const Places<1>&, auto& monitors) { monitor = std::move(monitors[0]); });
}

template <class D, class T, class Matrix>
ColumnStats flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, const StopRule& stop,
                        const Preconditioner<D, T>& precondition) {
  ConvergenceMonitor monitor{stop, norm2<D>(b), {}};
  flexible_cg<D, T>(matrix, b, x, monitor, precondition);
  return monitor.stats;
}

}  // namespace gridiron
