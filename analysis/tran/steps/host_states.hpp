// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/tran/steps/coupled_inductors.hpp"
#include "analysis/tran/steps/held_nodes.hpp"
#include "analysis/tran/steps/step_history.hpp"
#include "analysis/tran/steps/step_nodes.hpp"
#include "analysis/tran/steps/step_states.hpp"

namespace gridiron {

/// States that are kept on the host, in loops made for a processor. Those of one scenario that a factorization solves
/// for can also be certified while the next one is made.
class HostStates final : public StepStates {
 public:
  /// The nodes and the storage must outlive this.
  HostStates(const StepNodes& nodes, const Storage& storage, CoupledInductors coupled, int64_t loads,
             int64_t scenarios);

  std::vector<Accuracy> step(StepSolvers::Slot& slot, const StepForm& form, const Meanwhile& meanwhile) override;
  void accept(StepSolvers::Slot& slot, Method rule) override;
  double largest_of(const double (&c)[4], Newest newest) override;
  std::span<const double> volts(int64_t j) override { return column(state(kPresent), nodes_.merge.unknowns, j); }
  HostStates* on_host() override { return this; }

  bool can_step_ahead(Solver& solver) const { return scenarios_ == 1 && coupled_.empty() && solver.can_solve_ahead(); }
  /// Makes the next state as step() does, and leaves its accuracy to certified(), once it is the present one. Meanwhile
  /// another thread may read the present state.
  ColumnStats step_ahead(StepSolvers::Slot& slot, const StepForm& form);
  /// The accuracy of the present state, which step_ahead() made; none where it misses the tolerance.
  std::optional<Accuracy> certified(Solver& solver, const ColumnStats& stats) const;
  /// Finds the present state of a step of this slot again, with all that step() has to reach the tolerance.
  std::vector<Accuracy> solve_again(StepSolvers::Slot& slot);

  /// The initial conditions of the storage are what it has in the present state.
  void set_initial();
  /// Disturbs the present state of all that is stored, each by as much energy, of signs that follow no pattern.
  void disturb();
  /// The root of what is stored in the present state of scenario 0, with the signs of all capacitances and inductances
  /// taken as positive, √J.
  double stored() const;

  /// Of the present state: A from a to b, per element of the storage; and what sources move nodes by.
  std::span<const double> amperes(int64_t j) const { return column(flow_.amperes, storage_.size(), j); }
  std::span<const double> held() const { return held_.present(); }
  /// What current sources draw, A, where controlled ones are among them; else empty.
  std::span<const double> drawn(int64_t j) const {
    return flow_.drawn.empty() ? std::span<const double>() : column(flow_.drawn, loads_, j);
  }
  /// The last states of a scenario, the newest first.
  std::array<std::span<const double>, 4> last(Newest newest, int64_t j) const;

 private:
  /// What flows in a step, and what it leaves the storage with, × scenarios.
  struct Flow {
    std::vector<double> history;         ///< of the storage, which the step starts from
    std::vector<double> injection;       ///< of merged nodes
    std::vector<double> volts, amperes;  ///< of the storage
    std::vector<double> drawn;           ///< by current sources, where the matrix is no M-matrix
  };
  /// Injections of the two states before the present one, as flow_.injection is that of this. Empty: not kept.
  struct KeptInjections {
    std::vector<double> before, before2;
    bool empty() const { return before.empty(); }
  };
  /// Arrays that the thread that makes steps works in: another core, which reads states, would have to give up every
  /// line of theirs before it is written to.
  struct OwnArrays {
    std::vector<double> volts, injection, amperes;
  };
  /// Places in states_, those of the last states.
  static constexpr size_t kNext = 0, kPresent = 1, kStates = 5;

  static std::span<const double> column(const std::vector<double>& of, int64_t rows, int64_t j) {
    return {of.data() + j * rows, static_cast<size_t>(rows)};
  }
  const std::vector<double>& state(size_t k) const { return states_[k]; }
  Block<double> block(std::vector<double>& of) const { return {of.data(), nodes_.merge.unknowns, scenarios_}; }
  Block<const double> block(const std::vector<double>& of) const {
    return {of.data(), nodes_.merge.unknowns, scenarios_};
  }
  void check(const StepDrive& drive) const;
  std::vector<Accuracy> step_any(StepSolvers::Slot& slot, const StepForm& form);
  void find_flow(const StepSolvers::Slot& slot, const StepForm& form);
  void find_history(const StepSolvers::Slot& slot, Method rule);
  std::vector<double> volts_of_coupled(const std::vector<double>& of_storage, int64_t j) const;
  void add_past_of_coupled(const StepSolvers::Slot& slot);
  std::vector<double> next_volts_of_coupled(int64_t j) const;
  void add_coupled(const StepSolvers::Slot& slot, std::span<const double> volts, int64_t j);
  void inject(const StepSolvers::Slot& slot, const StepForm& form);
  void guess(const Solver& solver, const StepForm& form);
  int best_of(const Guesses& guesses) const;
  void find_stored(const StepSolvers::Slot& slot, Method rule, const std::vector<double>& state,
                   const std::vector<double>& held, Flow& flow);
  void swap_own();
  void hand_over();

  const StepNodes& nodes_;
  const Storage& storage_;
  CoupledInductors coupled_;
  int64_t loads_, scenarios_;
  std::array<std::vector<double>, kStates> states_;  ///< merged nodes × scenarios, V: the next one first
  Flow next_flow_, flow_;                            ///< of the steps to the next state, and to the present one
  std::vector<double> history_after_;  ///< that a step of kind history_of_ from the next state starts from
  StepKind history_of_;                ///< of next_flow_.history
  HeldNodes held_;
  KeptInjections injected_;
  OwnArrays own_;
};

}  // namespace gridiron
