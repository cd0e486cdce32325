// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/disjoint_sets.hpp"
#include "linalg/csr_matrix.hpp"
#include "netlist/circuit.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// A matrix, and per entry the sum of the sizes of what it is the sum of: rounding is relative to these.
struct SummedMatrix {
  CsrMatrix sums;
  std::vector<double> sizes;
};

/// Nodal equations with the currents of branches as further unknowns (C.-W. Ho, A. Ruehli, P. Brennan, IEEE Trans.
/// Circuits Syst. 22, 1975). A row says that no current is left over at a merged node of unknown potential, A, or what
/// the voltage along a branch is, V. Unknowns are the potentials of these nodes, V, then the currents of the branches,
/// A, from their node a through them to b.
class NodalEquations {
 public:
  explicit NodalEquations(const Merge& merge);

  /// Its equation is v(a) − v(b) = 0 so far.
  int32_t add_branch(NodeId a, NodeId b);
  void add_conductance(NodeId a, NodeId b, double siemens);
  /// A current of `siemens` · (v(c) − v(d)) out of node a into b.
  void add_transconductance(NodeId a, NodeId b, NodeId c, NodeId d, double siemens);
  /// A current of `gain` times that of a branch out of node a into b.
  void add_copy(NodeId a, NodeId b, int32_t branch, double gain);
  /// Adds `gain` · (v(c) − v(d)) to the voltage along a branch.
  void add_gain(int32_t branch, NodeId c, NodeId d, double gain);
  /// Adds `ohm` times the current of branch `other` to the voltage along a branch.
  void add_resistance(int32_t branch, int32_t other, double ohm);

  /// Fixes one potential of every part from which no conductance or branch leads to a fixed one, so that the matrix is
  /// not singular for its sake. To be called once, when all has been added.
  void pin_floating();
  /// Whether a node belongs to such a part; numbers it from 0 on, −1 for other nodes.
  int32_t floating_part(NodeId node);

  int64_t potentials() const { return potentials_; }
  int64_t unknowns() const { return potentials_ + branches_; }
  /// Sums what was added.
  SummedMatrix matrix() const;
  /// The right-hand side that the potentials of nodes bring: add_current() and add_voltage() complete it.
  const std::vector<double>& right_hand_side() const { return b_; }
  /// `amperes` out of node a into b; `volts` more along a branch.
  void add_current(NodeId a, NodeId b, double amperes, std::span<double> right_hand_side) const;
  void add_voltage(int32_t branch, double volts, std::span<double> right_hand_side) const {
    right_hand_side[potentials_ + branch] += volts;
  }

  double voltage(NodeId node, std::span<const double> x) const;
  double current(int32_t branch, std::span<const double> x) const { return x[potentials_ + branch]; }

 private:
  struct Entry {
    int64_t row;
    int32_t column;
    double value;
  };
  /// The row of a node; −1: its potential is fixed.
  int32_t row(NodeId node) const { return merge_.group[node] < potentials_ ? merge_.group[node] : -1; }
  void add(int64_t row, NodeId node, double value);
  void add_unknown(int64_t row, int64_t column, double value);
  void join(NodeId a, NodeId b);

  const Merge& merge_;
  int64_t potentials_, branches_ = 0;
  std::vector<Entry> entries_;
  std::vector<double> b_;
  DisjointSets parts_;  ///< of potentials; the last one stands for all that is fixed
};

}  // namespace gridiron
