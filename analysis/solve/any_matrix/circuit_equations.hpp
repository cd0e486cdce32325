// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/model/grid.hpp"
#include "analysis/solve/any_matrix/lu_solver.hpp"
#include "analysis/solve/any_matrix/nodal_equations.hpp"
#include "netlist/circuit.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// What stands for the capacitors and inductors of a circuit in a step through time: conductances between nodes, S, and
/// currents out of the nodes a[of] into b[of] that the voltages from a[by] to b[by] drive, S.
struct StepElements {
  std::span<const NodeId> a, b;
  std::span<const double> conductance;
  struct Mutual {
    int64_t of, by;
    double siemens;
  };
  std::vector<Mutual> mutual;
};

/// The equations of a circuit with controlled sources and negative resistances: at its operating point, where inductors
/// are shorts, or at the end of a step, in deviations from that point (with `uic`, from rest). Voltage sources whose
/// current controls something are branches, not ties, and in steps those that move are, too.
class CircuitEquations {
 public:
  /// Of the operating point. The circuit must outlive this. Errors: GridError for sources that contradict each other,
  /// and for controls that float.
  explicit CircuitEquations(const Circuit& circuit);
  /// Of a step.
  CircuitEquations(const Circuit& circuit, const StepElements& step);
  CircuitEquations(const CircuitEquations&) = delete;
  CircuitEquations& operator=(const CircuitEquations&) = delete;

  const NodalEquations& equations() const { return equations_; }
  int64_t merged_shorts() const { return grid_.network.ties(); }

  /// Errors: GridError where there is no unique solution, with a node or an element that tells where; those of
  /// LuSolver.
  LuSolver factorized(const SolverOptions& options, const Context& context) const;

  /// `load`: what the current sources draw, A; `volts`: what the voltage sources hold, V, of which only those of
  /// branches are looked at. Both may go on beyond the circuit's own sources. No volts: all hold 0 V. Constant parts of
  /// controlled sources are left out of deviations, or where nothing is to drive the circuit.
  std::vector<double> right_hand_side(std::span<const double> load, std::span<const double> volts,
                                      bool has_constants = true) const;

  double voltage(NodeId node, std::span<const double> x) const { return equations_.voltage(node, x); }
  /// What controlled source k amounts to: the voltage from its node a to b, or the current from a to b.
  double value(size_t k, std::span<const double> x) const;

 private:
  CircuitEquations(const Circuit& circuit, const StepElements* step);
  void add_branches();
  void add_control(size_t k);
  void require_control(const ControlledSource& source);
  std::string name_of(int64_t unknown) const;

  const Circuit& circuit_;
  bool is_in_full_;                   ///< not in deviations
  std::vector<int64_t> of_branches_;  ///< independent voltage sources that are branches, ascending
  Grid grid_;
  Merge merge_;
  NodalEquations equations_;
  std::vector<int32_t> branch_;  ///< per controlled source that is one of voltage
  std::unordered_map<int64_t, int32_t> branch_of_source_;
};

}  // namespace gridiron
