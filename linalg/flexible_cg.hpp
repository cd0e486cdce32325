// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/deflation.hpp"

namespace gridiron {

/// Which column of a block each of the K slots of a method holds; −1: none.
template <int K>
using Places = std::array<std::int64_t, K>;

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

/// Flexible conjugate gradients (Notay, SIAM J. Sci. Comput. 22, 2000): the preconditioner may change from step to
/// step, as a K-cycle does. Directions are kept in the precision T of the preconditioner: the updates of x and r stay
/// consistent whatever the direction, up to the rounding of R.
///
/// The residual and the products A p have the precision R. If that is not double, the method computes the true residual
/// in doubles whenever its own has fallen by kFall since, and goes on with that (van der Vorst and Ye, SIAM J. Sci.
/// Comput. 22, 2000): from the last direction if the two hardly differ, else from none, without which it does not
/// converge where the diagonal extends over many decades. x is a sum of doubles always.
///
/// K columns share every pass over the matrix and have their own coefficients, stop rule and restarts. A column that is
/// done leaves its slot to the next in the queue; columns do not affect each other's convergence.
///
/// Requires product_and_dots() of the Matrix, and residual() if R is double, else exact(), a SellMatrix; vectors may
/// contain padding entries, which stay zero. The matrix is a parameter of the class, as engines differ in theirs.
template <class D, class T, class Matrix, int K = 1, class R = double>
class FlexibleCg {
 public:
  using Wide = Columns<double, K>;
  using Entry = Columns<T, K>;
  using Residual = Columns<R, K>;
  using Coefficients = CgCoefficients<T, K, R>;
  using Monitors = std::array<ConvergenceMonitor, K>;

  FlexibleCg() = default;
  explicit FlexibleCg(std::int64_t entries) : r_(entries), q_(entries), p_(entries), coefficients_(1) {
    fill<D, Residual>(r_.view(), Residual{});
    fill<D, Residual>(q_.view(), Residual{});
    fill<D, Entry>(p_.view(), Entry{});
  }

  std::int64_t bytes() const { return bytes_of(r_, q_, p_, exact_, levels_); }

  /// The residual, which stays where it is: what preconditioners get.
  View<D, Residual> residuals() { return r_.view(); }

  /// Solves for the levels of these parts separately; null: none. They must outlive the method.
  void deflate(const Deflation<D>* parts) { deflation_ = parts && !parts->empty() ? parts : nullptr; }

  /// Solves for `columns` right-hand sides. enter(places, monitors) loads the given columns into b, their initial
  /// guesses into x, and a ConvergenceMonitor for each; leave(places, monitors) stores solutions from x. Neither
  /// touches other slots.
  template <class Enter, class Leave>
  void solve(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x, std::int64_t columns,
             const Preconditioner<D, T, K, R>& precondition, Enter enter, Leave leave) {
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
    } while (waiting < columns || has(State::going) || has(State::claims) || has(State::may_have_drifted));
  }

  // The parts of an iteration; public because nvcc accepts no kernels in private functions.

  /// Computes the true residual of columns that are new, may have drifted or claim to have converged, and judges them
  /// by it. A column that has not converged goes on from it as long as that makes progress. Returns the columns that
  /// are finished.
  Places<K> judge(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x) {
    Chosen<K> judged;
    for (int c = 0; c < K; ++c) judged[c] = state_[c] != State::vacant && state_[c] != State::going;
    Places<K> leaving = nobody();
    if (!judged.any()) return leaving;
    is_preconditioned_ = false;
    for (int c = 0; c < K; ++c)
      if (state_[c] == State::arrived) column(scale_, c) = kIsRounded ? scale_for(r_.size(), monitors_[c].norm_b) : 1;
    const FormedResidual<K> formed = true_residual(matrix, b, x, judged);
    if (const Chosen<K> beyond = beyond_range(formed.norm); beyond.any()) true_residual(matrix, b, x, beyond);
    Largest largest{r_.view(), scale_};
    for (int c = 0; c < K; ++c) {
      if (!judged[c]) continue;
      ConvergenceMonitor& monitor = monitors_[c];
      if (state_[c] != State::arrived) monitor.stats.history.pop_back();
      const double norm = column(formed.norm, c);
      const bool reached = monitor.reached(norm, [&] { return largest(c); });
      if (!reached && pays(c, norm) && monitor.may_go_on()) {
        // After a breakdown there is no direction to go on from, and fresh_ is set already.
        fresh_[c] = fresh_[c] || state_[c] == State::arrived || !(column(formed.gap, c) < kSmallGap * norm);
        if (state_[c] != State::may_have_drifted) claimed_[c] = norm;
        known_[c] = norm_[c] = norm;
        state_[c] = State::going;
      } else {
        monitor.stats.max_residual = largest(c);
        leaving[c] = column_[c];
        state_[c] = State::vacant;
        norm_[c] = 0;
      }
    }
    return leaving;
  }

  /// Whether it pays that a column goes on from this true residual.
  bool pays(int c, double norm) const {
    if (state_[c] == State::arrived) return true;
    if (state_[c] == State::may_have_drifted) return norm < known_[c];
    // In doubles a true residual far above the recursive one is rounding, which a restart cannot reduce.
    return norm < 0.5 * claimed_[c] && (kIsRounded || norm < kDrift * norm_[c]);
  }

  /// The columns that have arrived with guesses so far from ‖b‖ that R cannot represent their residuals; rescales them.
  Chosen<K> beyond_range(const Wide& norms) {
    Chosen<K> beyond;
    for (int c = 0; kIsRounded && c < K; ++c) {
      const double norm = column(norms, c), size = norm * column(scale_, c) / std::sqrt(r_.size());
      beyond[c] = state_[c] == State::arrived && std::isfinite(norm) && norm > 0 && !(size > 1e-10 && size < 1e10);
      if (beyond[c]) column(scale_, c) = scale_for(r_.size(), norm);
    }
    return beyond;
  }

  /// Forms the true residual of the chosen columns, with the levels of parts taken out.
  FormedResidual<K> true_residual(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x,
                                  const Chosen<K>& chosen) {
    if (begin_at_zero(chosen)) return first_residual(b, chosen);
    if constexpr (!kIsRounded) {
      settle(matrix, b, x, r_.view(), chosen);
      FormedResidual<K> formed;
      formed.norm = formed.gap = norm2<D, K>(r_.view());
      return formed;
    } else {
      if (!deflation_) return form_rounded(matrix.exact(), b, x, chosen);
      if (exact_.empty()) {
        exact_ = Array<D, Wide>(r_.size());
        fill<D, Wide>(exact_.view(), Wide{});
      }
      settle(matrix.exact(), b, x, exact_.view(), chosen);
      const View<D, const Wide> exact = exact_.view();
      const auto r = r_.view();
      const Wide scale = scale_;
      return {D::template sum<2 * K>(
                  r.size(),
                  GRIDIRON_KERNEL(std::int64_t i) {
                    const Wide now = scale * exact[i], moved = now - to<double>(r[i]);
                    for (int c = 0; c < K; ++c)
                      if (chosen[c]) column(r[i], c) = static_cast<R>(column(now, c));
                    return sums_of(now * now, moved * moved);
                  }),
              scale};
    }
  }

  /// Whether all of these columns have just arrived, with guesses of zero.
  bool begin_at_zero(const Chosen<K>& chosen) const {
    if (deflation_) return false;  // the levels of parts are nowhere known to be zero
    for (int c = 0; c < K; ++c)
      if (chosen[c] && !(state_[c] == State::arrived && monitors_[c].begins_at_zero)) return false;
    return true;
  }

  /// r = scale · b in the chosen columns.
  FormedResidual<K> first_residual(View<D, const Wide> b, const Chosen<K>& chosen) {
    const auto r = r_.view();
    const Wide scale = scale_;
    D::template for_each_of_columns<K>(
        r.size(), GRIDIRON_KERNEL(std::int64_t i, int c) { return column(b[i], c); },
        GRIDIRON_KERNEL(std::int64_t i, int c, double entry) {
          if (chosen[c]) column(r[i], c) = static_cast<R>(column(scale, c) * entry);
        });
    FormedResidual<K> formed{};
    for (int c = 0; c < K; ++c)
      if (chosen[c]) column(formed.norm, c) = column(formed.gap, c) = monitors_[c].norm_b;
    return formed;
  }

  /// r = scale · (b − A x) in the chosen columns, by one pass in doubles.
  FormedResidual<K> form_rounded(const SellMatrix<D>& a, View<D, const Wide> b, View<D, const Wide> x,
                                 const Chosen<K>& chosen) {
    const auto diagonal = a.diagonal.view();
    const auto r = r_.view();
    const Wide scale = scale_;
    return {D::template product_sum<2 * K>(
                a.view(), x,
                GRIDIRON_KERNEL(std::int64_t i, const Wide& sum) {
                  const Wide now = scale * (b[i] - (diagonal[i] * x[i] + sum)), moved = now - to<double>(r[i]);
                  for (int c = 0; c < K; ++c)
                    if (chosen[c]) column(r[i], c) = static_cast<R>(column(now, c));
                  return sums_of(now * now, moved * moved);
                }),
            scale_};
  }

  /// max_norm(), of any precision.
  static Wide largest_entries(View<D, const Residual> r) {
    return D::template max<Wide>(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { return magnitude(to<double>(r[i])); });
  }

  /// r = b − A x, after the levels of parts are set.
  template <class Exact>
  void settle(const Exact& matrix, View<D, const Wide> b, View<D, Wide> x, View<D, Wide> r, const Chosen<K>& chosen) {
    form_residual(matrix, b, x, r, chosen);
    if (!deflation_) return;
    deflation_->template set_levels<K>(r, x, chosen, levels_);
    form_residual(matrix, b, x, r, chosen);
    deflation_->template balance<K>(r, chosen, levels_);
  }

  template <class Exact>
  void form_residual(const Exact& matrix, View<D, const Wide> b, View<D, const Wide> x, View<D, Wide> r,
                     const Chosen<K>& chosen) {
    if constexpr (K == 1)
      residual<D>(matrix, b, x, r);
    else
      residual<D, K>(matrix, b, x, r, chosen);
  }

  void iterate(const Matrix& matrix, View<D, Wide> x, const Preconditioner<D, T, K, R>& precondition) {
    if (!has(State::going)) return;
    const typename D::Range range("outer iteration");
    if (!is_preconditioned_) precondition_by(precondition);
    is_preconditioned_ = false;
    new_direction(preconditioned_);
    if (deflation_) deflation_->template project<T, K>(p_.view(), levels_);
    Chosen<K> going;
    for (int c = 0; c < K; ++c) going[c] = state_[c] == State::going;
    const auto to = coefficients_.view();
    product_and_dots<D, T, K>(
        matrix, p_.view(), r_.view(), q_.view(), GRIDIRON_KERNEL(const Sums<2 * K>& dots) {
          for (int c = 0; c < K; ++c) {
            const R length = static_cast<R>(dots[K + c] / dots[c]);
            const bool steps = going[c] && dots[c] > 0 && length - length == 0;  // and is finite
            to[0].pq[c] = steps ? dots[c] : 0;
            column(to[0].alpha, c) = steps ? length : R(0);
          }
        });
    typename D::template Report<CgProgress<K>> report;
    step(x, report.view());
    report.send();
    if (goes_ahead()) precondition_by(precondition);
    const CgProgress<K> now = report.read();
    Largest largest{r_.view(), scale_};
    for (int c = 0; c < K; ++c) {
      if (!going[c]) continue;
      ConvergenceMonitor& monitor = monitors_[c];
      ++monitor.stats.iterations;
      if (!(now.pq[c] > 0)) {  // A is not positive definite, the preconditioner returned zero, or the step overflows
        monitor.stats.history.push_back(monitor.stats.relative_residual);
        state_[c] = State::claims;
        fresh_[c] = true;
        continue;
      }
      norm_[c] = std::sqrt(now.squares[c]) / column(scale_, c);
      if (monitor.reached(norm_[c], [&] { return largest(c); }) || !monitor.may_go_on())
        state_[c] = State::claims;
      else if (kIsRounded && norm_[c] < kFall * known_[c])
        state_[c] = State::may_have_drifted;
    }
  }

  void precondition_by(const Preconditioner<D, T, K, R>& precondition) {
    Wide norms{};
    for (int c = 0; c < K; ++c) column(norms, c) = state_[c] == State::going ? column(scale_, c) * norm_[c] : 0;
    preconditioned_ = precondition(View<D, const Residual>(r_.view()), norms);
    is_preconditioned_ = true;
  }

  /// Whether to precondition the residual of the iteration in progress before the host knows its norm, which by the
  /// last two is far from where anything is decided but to go on. (Packs of columns keep a device busy for longer, and
  /// one of them comes to its end sooner.)
  bool goes_ahead() const {
    if constexpr (!D::shares_host_memory && K == 1) {
      const ConvergenceMonitor& monitor = monitors_[0];
      const auto& history = monitor.stats.history;
      if (history.size() < 2 || monitor.stats.iterations + 1 >= monitor.stop.max_iterations) return false;
      const double expected = norm_[0] * history.back() / history[history.size() - 2];
      return kSurprise * expected > std::max(monitor.norm_to_reach(), kIsRounded ? kFall * known_[0] : 0.0);
    } else {
      return false;
    }
  }

  /// β = −(z, A p)/(p, A p) makes the new direction A-orthogonal to the last one.
  void new_direction(View<D, const Entry> z) {
    const View<D, const Residual> q = q_.view();
    const auto p = p_.view();
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
    const auto to = coefficients_.view();
    D::template sum_of_columns_then<K>(
        p.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) { return static_cast<double>(column(z[i], c)) * column(q[i], c); },
        GRIDIRON_KERNEL(const Sums<K>& zq) {
          for (int c = 0; c < K; ++c) column(to[0].beta, c) = follows[c] ? static_cast<T>(-zq[c] / to[0].pq[c]) : T(0);
        });
    const Computed<D, Coefficients> by(coefficients_);
    D::template for_each_of_columns<K>(
        p.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          return Pack<T, 2>{{column(z[i], c), column(p[i], c)}};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const Pack<T, 2>& entries) {
          column(p[i], c) = fresh[c] ? entries[0] : entries[0] + column(by->beta, c) * entries[1];
        });
  }

  /// x += α p, r −= α q; ‖r‖₂². A step of length zero changes nothing, even if the direction is infinite.
  void step(View<D, Wide> x, View<D, CgProgress<K>> report) {
    const View<D, const Entry> p = p_.view();
    const View<D, const Residual> q = q_.view();
    const auto r = r_.view();
    const auto to = coefficients_.view();
    const Computed<D, Coefficients> by(coefficients_);
    Wide unscale;
    for (int c = 0; c < K; ++c) column(unscale, c) = 1 / column(scale_, c);
    D::template sum_of_columns_then<K>(
        x.size(),
        GRIDIRON_KERNEL(std::int64_t i, int c) {
          return CgEntries<T, R>{column(x[i], c), column(r[i], c), column(q[i], c), column(p[i], c)};
        },
        GRIDIRON_KERNEL(std::int64_t i, int c, const CgEntries<T, R>& at) {
          const R factor = column(by->alpha, c);
          const R rest = at.r - (factor != 0 ? factor * at.q : 0);
          column(x[i], c) = at.x + (factor != 0 ? column(unscale, c) * factor * at.p : 0);
          column(r[i], c) = rest;
          return static_cast<double>(rest) * rest;
        },
        GRIDIRON_KERNEL(const Sums<K>& squares) {
          for (int c = 0; c < K; ++c) {
            report[0].pq[c] = to[0].pq[c];
            report[0].squares[c] = squares[c];
          }
        });
  }

 private:
  enum class State { vacant, arrived, going, claims, may_have_drifted };
  static constexpr bool kIsRounded = !std::is_same_v<R, double>;
  static constexpr double kDrift = 10;                    ///< of residuals in doubles
  static constexpr double kFall = 1e-4, kSmallGap = 0.1;  ///< of rounded ones
  static constexpr double kSurprise = 0.1;                ///< a residual this much smaller than expected is allowed for

  /// unit_scale() for a whole solve: residuals fall by 1e-14 at most, which leaves R another 1e-24.
  static double scale_for(std::int64_t entries, double norm) {
    const double scale = unit_scale(entries, norm);
    return scale > 0 && std::isfinite(scale) ? scale : 1;
  }

  /// max |r| of a column, computed for all columns on first use.
  struct Largest {
    View<D, const Residual> r;
    Wide scale;
    Wide known = {};
    bool is_known = false;
    double operator()(int c) {
      if (!is_known) known = largest_entries(r);
      is_known = true;
      return column(known, c) / column(scale, c);
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

  Array<D, Residual> r_, q_;  ///< r is the residual times scale_
  Array<D, Entry> p_;
  Array<D, Coefficients> coefficients_;
  View<D, const Entry> preconditioned_;  ///< of a residual
  bool is_preconditioned_ = false;       ///< preconditioned_ is of the present one
  Wide scale_{};
  const Deflation<D>* deflation_ = nullptr;
  Array<D, Wide> exact_;  ///< the true residual, where levels of parts are taken out of a rounded one
  typename Deflation<D>::template Vectors<K> levels_;
  std::array<State, K> state_{};
  std::array<std::int64_t, K> column_{};
  Monitors monitors_;
  std::array<double, K> norm_{};               ///< ‖r‖₂
  std::array<double, K> known_{}, claimed_{};  ///< that of the true one when last formed, and when last claimed to do
  std::array<bool, K> fresh_{};                ///< the next direction does not follow the last one
};

/// One right-hand side, from the initial guess in x. The monitor may hold iterations of another method.
template <class D, class T, class Matrix>
void flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, ConvergenceMonitor& monitor,
                 const Preconditioner<D, T>& precondition) {
  FlexibleCg<D, T, Matrix> cg(b.size());
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
