// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "linalg/cg_kernels.hpp"
#include "linalg/deflation.hpp"

namespace gridiron {

/// Which column of a block each of the K slots of a method holds; −1: none.
template <int K>
using Slots = std::array<int64_t, K>;

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
/// Requires product_and_dots() of the Matrix, and exact(), a SellMatrix, or, if R is double, residual(); vectors may
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
  explicit FlexibleCg(int64_t entries) : r_(entries), q_(entries), p_(entries), coefficients_(1) {
    fill<D, Residual>(r_.view(), Residual{});
    fill<D, Residual>(q_.view(), Residual{});
    fill<D, Entry>(p_.view(), Entry{});
  }

  int64_t bytes() const { return bytes_of(r_, q_, p_, exact_, levels_); }

  /// The residual, which stays where it is: what preconditioners get.
  View<D, Residual> residuals() { return r_.view(); }

  /// Solves for the levels of these parts separately; null: none. They must outlive the method.
  void deflate(const Deflation<D>* parts) { deflation_ = parts && !parts->empty() ? parts : nullptr; }

  /// Solves for `columns` right-hand sides. enter(slots, monitors) loads the given columns into b, their initial
  /// guesses into x, and a ConvergenceMonitor for each; leave(slots, monitors) stores solutions from x. Neither
  /// touches other slots.
  template <class Enter, class Leave>
  void solve(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x, int64_t columns,
             const Preconditioner<D, T, K, R>& precondition, Enter enter, Leave leave) {
    state_.fill(State::vacant);
    int64_t waiting = 0;
    do {
      Slots<K> arriving = empty_slots();
      for (int c = 0; c < K && waiting < columns; ++c) {
        if (state_[c] != State::vacant) continue;
        state_[c] = State::arrived;
        column_[c] = arriving[c] = waiting++;
      }
      if (arriving != empty_slots()) enter(arriving, monitors_);
      const Slots<K> leaving = judge(matrix, b, x);
      if (leaving != empty_slots()) leave(leaving, monitors_);
      if (leaving == empty_slots() || waiting == columns) iterate(matrix, x, precondition);
    } while (waiting < columns || has(State::going) || has(State::claims) || has(State::may_have_drifted));
  }

 private:
  enum class State { vacant, arrived, going, claims, may_have_drifted };
  static constexpr bool kIsRounded = !std::is_same_v<R, double>;
  static constexpr double kDrift = 10;                    ///< of residuals in doubles
  static constexpr double kFall = 1e-4, kSmallGap = 0.1;  ///< of rounded ones
  static constexpr double kSurprise = 0.1;                ///< a residual this much smaller than expected is allowed for

  /// Computes the true residual of columns that are new, may have drifted or claim to have converged, and judges them
  /// by it. A column that has not converged goes on from it as long as that makes progress. Returns the columns that
  /// are finished.
  Slots<K> judge(const Matrix& matrix, View<D, const Wide> b, View<D, Wide> x) {
    Chosen<K> judged;
    for (int c = 0; c < K; ++c) judged[c] = state_[c] != State::vacant && state_[c] != State::going;
    Slots<K> leaving = empty_slots();
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
    FormedResidual<K> formed{};
    if (begin_at_zero(chosen)) {
      scale_into<D, K, R>(b, scale_, chosen, r_.view());
      for (int c = 0; c < K; ++c)
        if (chosen[c]) column(formed.norm, c) = column(formed.gap, c) = monitors_[c].norm_b;
      return formed;
    }
    if constexpr (!kIsRounded) {
      settle(exact_of(matrix), b, x, r_.view(), chosen);
      formed.norm = formed.gap = norm2<D, K>(r_.view());
      return formed;
    } else {
      if (!deflation_) return form_rounded_residual<D, K, R>(matrix.exact(), b, x, scale_, chosen, r_.view());
      if (exact_.empty()) {
        exact_ = Array<D, Wide>(r_.size());
        fill<D, Wide>(exact_.view(), Wide{});
      }
      settle(matrix.exact(), b, x, exact_.view(), chosen);
      return round_residual<D, K, R>(exact_.view(), scale_, chosen, r_.view());
    }
  }

  static const auto& exact_of(const Matrix& matrix) {
    if constexpr (requires { matrix.exact(); })
      return matrix.exact();
    else
      return matrix;
  }

  /// Whether all of these columns have just arrived, with guesses of zero.
  bool begin_at_zero(const Chosen<K>& chosen) const {
    if (deflation_) return false;  // the levels of parts are nowhere known to be zero
    for (int c = 0; c < K; ++c)
      if (chosen[c] && !(state_[c] == State::arrived && monitors_[c].begins_at_zero)) return false;
    return true;
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
    Chosen<K> going, follows, fresh;
    for (int c = 0; c < K; ++c) {
      going[c] = state_[c] == State::going;
      fresh[c] = std::exchange(fresh_[c], false);
      follows[c] = going[c] && !fresh[c];
    }
    new_direction<D, T, K, R>(preconditioned_, q_.view(), follows, fresh, coefficients_, p_.view());
    if (deflation_) deflation_->template project<T, K>(p_.view(), levels_);
    product_and_step_length<D, T, K, R>(matrix, p_.view(), r_.view(), q_.view(), going, coefficients_);
    typename D::template Report<CgProgress<K>> report;
    take_step<D, T, K, R>(p_.view(), q_.view(), scale_, coefficients_, x, r_.view(), report.view());
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
      monitor.gain(now.gained[c] / (column(scale_, c) * column(scale_, c)));
      if (monitor.reached(norm_[c], [&] { return largest(c); }) || !monitor.may_go_on())
        state_[c] = State::claims;
      else if (kIsRounded && norm_[c] < kFall * known_[c])
        state_[c] = State::may_have_drifted;
    }
  }

  void precondition_by(const Preconditioner<D, T, K, R>& precondition) {
    Wide norms{};
    for (int c = 0; c < K; ++c) column(norms, c) = state_[c] == State::going ? column(scale_, c) * norm_[c] : 0;
    preconditioned_ = precondition(r_.view(), norms);
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

  /// unit_scale() for a whole solve: residuals fall by 1e-14 at most, which leaves R another 1e-24.
  static double scale_for(int64_t entries, double norm) {
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
      if (!is_known) known = largest_entries<D, K, R>(r);
      is_known = true;
      return column(known, c) / column(scale, c);
    }
  };

  static Slots<K> empty_slots() {
    Slots<K> slots;
    slots.fill(-1);
    return slots;
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
  std::array<int64_t, K> column_{};
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
      matrix, b, x, 1, precondition, [&](const Slots<1>&, auto& monitors) { monitors[0] = monitor; },
      [&](const Slots<1>&, auto& monitors) { monitor = std::move(monitors[0]); });
}

template <class D, class T, class Matrix>
ColumnStats flexible_cg(const Matrix& matrix, View<D, const double> b, View<D, double> x, const StopRule& stop,
                        const Preconditioner<D, T>& precondition) {
  ConvergenceMonitor monitor{stop, norm2<D>(b), {}};
  flexible_cg<D, T>(matrix, b, x, monitor, precondition);
  return monitor.stats;
}

}  // namespace gridiron
