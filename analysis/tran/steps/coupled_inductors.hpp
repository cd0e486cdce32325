// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/tran/steps/step_nodes.hpp"
#include "analysis/tran/steps/step_solvers.hpp"
#include "analysis/tran/storage.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// A square matrix, row by row.
struct DenseMatrix {
  int64_t n = 0;
  std::vector<double> entry;
  explicit DenseMatrix(int64_t rows) : n(rows), entry(static_cast<size_t>(rows * rows), 0.0) {}
  double& at(int64_t i, int64_t j) { return entry[i * n + j]; }
  double at(int64_t i, int64_t j) const { return entry[i * n + j]; }
  std::vector<double> times(std::span<const double> x) const;
};

/// Inductors that K cards couple. With the inverse Γ of their inductances, currents follow voltages by di/dt = Γ v, so
/// that in a step those of other inductors add to what an inductor is by itself, its conductance g: c Γ − diag(g), with
/// the c by which g is c / L. These terms leave no M-matrix. They are found by one solve more per step, after as many
/// as there are such inductors for every size of steps (Woodbury's formula).
class CoupledInductors {
 public:
  /// Errors: InputError for inductors of 0 H or between a node and itself, and for inductances that are not positive
  /// definite together, as two with k = 1.
  CoupledInductors(const Circuit& circuit, const Storage& storage);

  bool empty() const { return elements_.empty(); }
  /// Their numbers in the storage.
  const std::vector<int64_t>& elements() const { return elements_; }

  /// What is added to their conductances in a step, S: the current of each by the voltage of each. `conductance`: of
  /// the storage.
  DenseMatrix addition(std::span<const double> conductance) const;
  /// What is added to their currents in a step of this slot by voltages, A.
  std::vector<double> added(const StepSolvers::Slot& slot, std::span<const double> volts) const;
  /// The voltages at the end of a step, from those that come out of it where nothing is added. Errors: those of
  /// Solver::solve().
  std::vector<double> settled(StepSolvers::Slot& slot, const StepNodes& nodes, std::vector<double> volts);

 private:
  const DenseMatrix& correction(StepSolvers::Slot& slot, const StepNodes& nodes);

  std::vector<int64_t> elements_;
  std::vector<double> inductance_;            ///< H, per coupled inductor
  DenseMatrix inverse_{0};                    ///< Γ, 1/H
  std::map<double, DenseMatrix> correction_;  ///< by size of step: the inverse of I + S (c Γ − diag(g))
};

}  // namespace gridiron
