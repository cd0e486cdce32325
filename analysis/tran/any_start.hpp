// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "analysis/model/answer.hpp"
#include "analysis/model/design.hpp"
#include "analysis/model/loads.hpp"
#include "analysis/solve/any_matrix/any_circuit.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// What a simulation starts from where the matrix is no M-matrix: with controlled sources, and negative values.
class AnyStart {
 public:
  /// `read`: first_design() of the circuit at time 0, whose operating point has to exist, also with `uic`, as nets have
  /// their nominal voltages from it. Errors: those of AnyCircuit; those of make_design().
  AnyStart(std::shared_ptr<const Design> read, const DesignOptions& design, const SolverOptions& solver,
           const Context& context);

  const Circuit& circuit() const { return *read_->circuit; }
  /// With independent sources in place of controlled ones, as they are at time 0: those of the circuit come first.
  const std::shared_ptr<const Design>& design() const { return design_; }

  /// Operating points of that design, per vector of loads of the design read. Their certificates are valid as far as
  /// simulations go: the run calls them estimates. Errors: those of AnyCircuit.
  std::vector<Answer> answers(const Loads& loads);

  /// Tells in the report of the design what belongs to the circuit.
  void add_to(IrReport& report) const;

 private:
  std::shared_ptr<const Design> read_, design_;
  AnyCircuit equations_;
  AnyCircuitSolution at_zero_;
};

}  // namespace gridiron
