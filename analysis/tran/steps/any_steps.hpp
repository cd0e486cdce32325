// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/solve/accuracy.hpp"
#include "analysis/solve/any_matrix/circuit_equations.hpp"
#include "analysis/solve/solver.hpp"
#include "analysis/tran/steps/coupled_inductors.hpp"
#include "analysis/tran/steps/step_states.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

/// The equations of steps of one size where the matrix is no M-matrix, factorized.
class AnyStep {
 public:
  /// What stands for the storage in the step is only looked at here. The circuit must outlive this. Errors: those of
  /// CircuitEquations and LuSolver.
  AnyStep(const Circuit& circuit, const StepElements& elements, const SolverOptions& options, const Context& context);

  /// Where a state goes: the voltages of nodes to their places, those of nodes that independent sources hold, which
  /// have none, into `held`, and what current sources draw, of the circuit and then its controlled ones.
  struct State {
    std::span<const int32_t> place;       ///< per node; beyond the end of `volts`: none
    std::span<double> volts, held, load;  ///< V per place, V per node, A
  };
  /// Solves for what drives the circuit at the end of the step in scenario j, and for `history`, the currents that the
  /// elements of the storage go on with, A. The accuracy is an estimate. Errors: SolverError where voltages have grown
  /// beyond all bounds.
  Accuracy solve(const StepDrive& drive, int64_t j, std::span<const double> history, const State& state);

  EngineRun engine_run() const { return solver_.run(); }
  const SolverWork& work() const { return work_; }

 private:
  const Circuit& circuit_;
  std::vector<NodeId> a_, b_;  ///< of the storage
  double tolerance_v_;
  Stopwatch watch_;
  CircuitEquations equations_;
  LuSolver solver_;
  SolverWork work_;
};

/// What the steps of all sizes have in common there.
class AnySteps {
 public:
  /// Both must outlive this. Errors: those of CoupledInductors.
  AnySteps(const Circuit& circuit, const Storage& storage)
      : circuit_(circuit), storage_(storage), coupled_(circuit, storage) {}

  /// For conductances of the storage, S.
  std::unique_ptr<AnyStep> make(const std::vector<double>& conductance, const SolverOptions& options,
                                const Context& context) const;

 private:
  const Circuit& circuit_;
  const Storage& storage_;
  CoupledInductors coupled_;
};

}  // namespace gridiron
