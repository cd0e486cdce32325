// SPDX-License-Identifier: Apache-2.0
// Steps that are certified while the next one is made.
#include <utility>

#include "analysis/tran/integrator.hpp"
#include "support/context.hpp"
#include "support/side_by_side.hpp"

namespace gridiron {

void Integrator::step_ahead(double h, Block<const double> load, std::span<const double> volts, bool is_damped,
                            const Meanwhile& meanwhile) {
  choose_step(h, load, is_damped);
  Solver& solver = *kept_[now_].solver;
  bool is_certified = false;
  if (goes_ahead_ && scenarios_ == 1 && solver.can_solve_ahead()) {
    const ThreadCount threads(context_.threads);
    const auto make = [&] {
      find_flow(h, load, volts);
      next_uncertified_ =
          solver.solve_ahead({next_flow_.injection.data(), merge_.unknowns}, {next_.volts.data(), merge_.unknowns});
      find_stored(kept_[now_], next_, held_, next_flow_, history_after_);
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
