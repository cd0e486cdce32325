// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "analysis/tran/steps/guesses.hpp"
#include "analysis/tran/steps/step_solvers.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

class DeviceSteps;
class HostStates;

/// What drives a grid at the end of a step.
struct StepDrive {
  /// What source i draws more, A, in scenario j than at the operating point, in host memory. Empty where states are
  /// kept on a device, on which loads were found.
  Block<const double> load = {};
  std::span<const double> volts = {};  ///< what voltage sources hold more; empty: as much
  bool is_none = false;                ///< nor do constant parts of controlled sources drive anything
};

/// A step from the present state, as the right-hand side and the guess need it.
struct StepForm {
  StepDrive drive;
  Method rule;
  Guesses guesses;
  bool is_first;  ///< from the start of the simulation
};

/// The last states of all scenarios, wherever they are kept: on the host, or on the device that an engine works on.
class StepStates {
 public:
  enum class Newest { next, present };

  virtual ~StepStates() = default;

  /// Makes the next state, and certifies it. Errors: those of Solver::solve(); InputError for another shape or memory
  /// of the loads.
  virtual std::vector<Accuracy> step(StepSolvers::Slot& slot, const StepForm& form, const Meanwhile& meanwhile) = 0;
  /// Makes the next state, after a step of this slot and rule, the present one.
  virtual void accept(StepSolvers::Slot& slot, Method rule) = 0;
  /// The largest |c[0] · newest + c[1] · the one before + …| of any merged node and scenario, V. On a device the newest
  /// state is the next one.
  virtual double largest_of(const double (&c)[4], Newest newest) = 0;
  /// Of the present state of scenario j, V per merged node; valid until the next accept().
  virtual std::span<const double> volts(int64_t j) = 0;

  /// Null where states are kept elsewhere.
  virtual HostStates* on_host() { return nullptr; }
  virtual DeviceSteps* on_device() { return nullptr; }
  /// Where the time of steps on a device goes, from the right-hand side to the certificate.
  virtual StepSeconds seconds() const { return {}; }
};

}  // namespace gridiron
