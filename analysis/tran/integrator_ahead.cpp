// SPDX-License-Identifier: Apache-2.0
// Steps that are certified while the next one is made.
#include <utility>

#include "analysis/tran/integrator.hpp"
#include "support/context.hpp"
#include "support/copy_past_caches.hpp"
#include "support/parallel_arrays.hpp"
#include "support/side_by_side.hpp"

namespace gridiron {

void Integrator::step_ahead(double h, Block<const double> load, std::span<const double> volts, bool is_damped,
                            const Meanwhile& meanwhile) {
  choose_step(h, load, is_damped);
  Solver& solver = *kept_[now_].solver;
  bool is_certified = false;
  if (goes_ahead_ && scenarios_ == 1 && solver.can_solve_ahead()) {
    const ThreadCount threads(context_.threads);
    const bool is_beside = has_several_threads();
    const auto make = [&] {
      if (is_beside) swap_own();
      find_flow(h, load, volts);
      next_uncertified_ =
          solver.solve_ahead({next_flow_.injection.data(), merge_.unknowns}, {next_.volts.data(), merge_.unknowns});
      find_stored(kept_[now_], next_, held_, next_flow_, history_after_);
      if (is_beside) hand_over();
    };
    side_by_side(make, [&] {
      is_certified = certify();
      if (is_certified && meanwhile) meanwhile();
    });
    if (is_certified) {
      has_next_ = true;
      return;
    }
  }
  next_accuracy_ = step(h, load, volts, is_damped, meanwhile);
}

/// The thread that makes steps works in arrays of its own: another core, which reads states, would have to give up
/// every line of theirs before it is written to.
void Integrator::swap_own() {
  next_.volts.swap(own_volts_);
  next_flow_.injection.swap(own_injection_);
  next_flow_.amperes.swap(own_amperes_);
}

void Integrator::hand_over() {
  swap_own();
  copy_past_caches(own_volts_, next_.volts);
  copy_past_caches(own_injection_, next_flow_.injection);
  copy_past_caches(own_amperes_, next_flow_.amperes);
}

void Integrator::settle() {
  if (!certify()) make_again();
}

/// Whether the present state is known to meet the tolerance, or was made by step().
bool Integrator::certify() {
  if (!uncertified_) return true;
  const std::optional<Accuracy> accuracy =
      kept_[made_].solver->certified(*uncertified_, flow_.injection, present_.volts);
  if (!accuracy) return false;
  accuracy_ = {*accuracy};
  uncertified_.reset();
  return true;
}

/// The present state, with all that step() has to reach the tolerance. It is among the sizes that were used last, so
/// its solver is still there.
void Integrator::make_again() {
  goes_ahead_ = false;
  Sized& sized = kept_[made_];
  accuracy_ = sized.solver->solve({flow_.injection.data(), merge_.unknowns}, {present_.volts.data(), merge_.unknowns});
  uncertified_.reset();
  find_stored(sized, present_, held_now_, flow_, history_after_);
  history_of_ = -1;
}

}  // namespace gridiron
