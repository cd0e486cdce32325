// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/steps/step_errors.hpp"
#include "analysis/tran/steps/step_history.hpp"
#include "analysis/tran/steps/step_nodes.hpp"
#include "analysis/tran/steps/step_solvers.hpp"
#include "analysis/tran/steps/step_states.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

/// How long a step is, s. A damped step is one of backward Euler, whatever the method; with the trapezoidal rule it has
/// the matrix of steps twice as long.
struct StepSize {
  double h;
  bool is_damped = false;
};

/// A step that was made, from the present state to the next one, or to the present one.
struct MadeStep {
  double end = 0;  ///< s
  StepKind kind = {};
  size_t slot = 0;  ///< of its solver
  /// Per scenario. Empty where it is not known yet, and then what there is to certify.
  std::vector<Accuracy> accuracy = {};
  std::optional<ColumnStats> uncertified = {};
};

/// Steps a grid through time from its operating point. Everything is a deviation from that point: voltages, currents
/// through capacitors and inductors, loads and sources; all are 0 at first. A grid that starts from initial conditions
/// deviates from rest, where all is 0. Several scenarios, which differ in their loads, are stepped together. States are
/// kept on the host, or on the device that the engine works on.
class Integrator {
 public:
  static constexpr size_t kMostSizes = StepSolvers::kMost;  ///< sizes of steps whose engines are kept

  /// `any_matrix`: null where the matrix is an M-matrix; otherwise the circuit, of which the design has independent
  /// sources in place of controlled ones, and which must outlive this. Errors: the design's; InputError unless
  /// scenarios ≥ 1.
  Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
             int64_t scenarios = 1, MakeStates make_states = {}, const Circuit* any_matrix = nullptr);
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Before any step, those of this size being the first: forms their system, ahead of the engine. Errors: the
  /// design's.
  void form_system(const StepSize& first);
  /// And then their engine, by which it is chosen where states are kept. Errors: those of step().
  void set_up(const StepSize& first);

  /// Makes a step, which accept() may take or another step replace. The first one of a size sets an engine up, or
  /// updates that of the size that was used least recently. What goes on `meanwhile` may read the present state.
  /// Errors: those of Solver::solve(); InputError for loads of another shape.
  [[nodiscard]] MadeStep step(const StepSize& size, const StepDrive& drive, const Meanwhile& meanwhile = {});
  /// The same step where its accuracy may come later, as a factorization solves for one scenario on the host: while it
  /// is made, the present state is certified on another thread, and then comes what is to be done `meanwhile`. If the
  /// present state misses the tolerance, it is found again by step(), and so is what followed from it.
  [[nodiscard]] MadeStep step_ahead(const StepSize& size, const StepDrive& drive, const Meanwhile& meanwhile = {});
  /// Makes the state after a step, which was the last one made, the present one.
  void accept(MadeStep made);
  /// Certifies the present state, if that is still to be done.
  void settle();
  /// The step to the present state; its accuracy is known after settle(), and to what goes on `meanwhile`.
  const MadeStep& present() const { return present_; }

  /// Before any step: the initial conditions of the storage are the present state, in which sources draw and hold what
  /// step() says. All else follows within a damped step of h seconds, which is to be short beside all other times; no
  /// time passes.
  std::vector<Accuracy> start_from_initial(double h, const StepDrive& drive);

  /// What a disturbance of all that is stored grows by, where nothing else drives the grid: at most, and in the end.
  struct Growth {
    double most = 1, in_end = 1;
  };
  /// Of so many seconds, from the first few hundred steps of the present size. Only where the matrix is no M-matrix.
  /// Errors: those of step().
  Growth growth(double seconds);

  /// Of the step that was made last, before another one is; and, of states on the host, of that to the present state,
  /// also while another one is made.
  StepErrors errors(const MadeStep& made) const;
  StepErrors errors() const;

  const Design& design() const { return *design_; }
  const Storage& storage() const { return storage_; }
  Method method() const { return method_; }
  int64_t scenarios() const { return scenarios_; }
  const Merge& merge() const { return nodes_->merge; }
  bool is_any_matrix() const { return is_any_; }
  /// Whether nodes that ties merge may deviate apart, as sources between them move.
  bool are_nodes_apart() const;
  /// The grid of a step, with any conductances of the storage.
  const Topology& topology() const { return solvers_->topology(); }

  /// Where states are kept and measured; null: on the host. There is an answer after set_up().
  DeviceSteps* device() const { return states_ ? states_->on_device() : nullptr; }
  /// Where the time of steps on the device goes, from the right-hand side to the certificate.
  StepSeconds seconds() const { return states_->seconds(); }

  /// In the present state, valid until the next accept().
  Potentials voltage(int64_t scenario) const;
  /// A from a to b, per element of the storage, if the state is on the host.
  std::span<const double> current(int64_t scenario) const;
  /// What current sources draw, A, where controlled ones are among them; else empty.
  std::span<const double> drawn(int64_t scenario) const;

  /// What systems and engines of all sizes of steps took, and how many set-ups and updates for sizes there were.
  System::Seconds system_seconds() const { return solvers_->system_seconds(); }
  Solver::Work work() const { return solvers_->work(); }
  int64_t sizes() const { return solvers_->sizes(); }
  /// Of the step to the present state, or of the first one after set_up().
  EngineRun engine_run() const;
  /// That solver, unless the matrix is no M-matrix: null.
  const Solver* solver() const { return (*solvers_)[present_.slot].solver.get(); }

 private:
  MadeStep begin(const StepSize& size);
  StepForm form(const MadeStep& made, const StepDrive& drive) const;
  double size_of_matrix(const StepSize& size) const;
  size_t use(double h);
  void place_states(const System& first);
  void make_states_on_host();
  bool certify();

  std::shared_ptr<const Design> design_;
  Method method_;
  int64_t scenarios_;
  MakeStates make_states_;
  Storage storage_;
  bool is_any_;  ///< the matrix is no M-matrix
  std::optional<StepNodes> nodes_;
  std::unique_ptr<StepStates> states_;  ///< before the solvers, which work on the stream of a device
  std::optional<StepSolvers> solvers_;
  StepHistory history_;
  MadeStep present_;
  bool goes_ahead_ = true;  ///< no state has missed the tolerance
};

}  // namespace gridiron
