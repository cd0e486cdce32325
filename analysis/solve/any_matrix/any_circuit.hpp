// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/model/answer.hpp"
#include "analysis/model/certificate.hpp"
#include "analysis/model/design.hpp"
#include "analysis/solve/any_matrix/circuit_equations.hpp"
#include "analysis/solve/any_matrix/lu_solver.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// The operating point of a circuit whose matrix is no M-matrix.
struct AnyCircuitSolution {
  std::vector<double> voltage_v;  ///< per node; in parts that float, from an arbitrary potential
  /// Per Circuit::controlled_sources what it amounts to: the voltage from its node a to b, or the current from a to b.
  std::vector<double> source;
  ColumnStats stats;
  Certificate certificate;  ///< estimated
  EngineRun engine;
  int64_t unknowns = 0, nonzeros = 0, merged_shorts = 0;
  double setup_s = 0, solve_s = 0, certify_s = 0;
};

/// A circuit whose matrix is no M-matrix, factorized to be solved for several loads.
class AnyCircuit {
 public:
  /// The circuit must outlive this. Errors: GridError for sources that contradict each other, circuits without a unique
  /// solution, with a node or an element that tells where, and controls that float; those of LuSolver.
  AnyCircuit(const Circuit& circuit, const SolverOptions& options, const Context& context);

  /// Where current source i draws load[i], A. Errors: those of LuSolver.
  AnyCircuitSolution solve(std::span<const double> load);

 private:
  const Circuit& circuit_;
  SolverOptions options_;
  Context context_;
  Stopwatch watch_;
  CircuitEquations equations_;
  LuSolver solver_;
  double setup_s_;
};

/// Solves it for its own loads. Errors: those of AnyCircuit.
AnyCircuitSolution solve_any_circuit(const Circuit& circuit, const SolverOptions& options, const Context& context);

/// The solution as an answer of the design below, where current sources drew `load`. Nodes of parts that float are at
/// 0 V.
Answer answer_of(AnyCircuitSolution solution, const Circuit& circuit, std::span<const double> load, const Parts& parts);

/// The same circuit with independent sources of these values in place of its controlled ones: it has the same voltages
/// and currents (the substitution theorem).
std::shared_ptr<const Circuit> with_independent_sources(const Circuit& circuit, const std::vector<double>& source);

}  // namespace gridiron
