// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/model/topology.hpp"
#include "analysis/tran/method.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// What remembers: the capacitors of a circuit, then its inductors. In a step each is a conductance between its nodes
/// and a current that follows from the step before (companion model; L. W. Nagel, SPICE2, ERL-M520, Berkeley 1975,
/// section 4): its current from a to b is g·(v_a − v_b) − s.
struct Storage {
  explicit Storage(const Circuit& circuit);

  std::vector<NodeId> a, b;     ///< a ≠ b
  std::vector<double> value;    ///< F, then H; not 0
  std::vector<double> initial;  ///< `IC=`, V of capacitors from a to b, A of inductors; 0 where there is none
  int64_t capacitors = 0;       ///< how many of them come first

  int64_t size() const { return std::ssize(value); }
  bool is_capacitor(int64_t e) const { return e < capacitors; }

  /// Conductance of every element in steps of h seconds, S.
  std::vector<double> conductance(Method method, double h) const;

  /// Fills s, A, of the elements in [begin, end), of conductance g, S, which a step has left at `volts` with `amperes`
  /// through them. Arrays are of all elements.
  void histories(Method method, int64_t begin, int64_t end, const double* g, const double* volts, const double* amperes,
                 double* s) const;
};

/// The grid of a time step, in deviations from the operating point: capacitors and inductors are edges, after those of
/// the resistors, and sources of any voltage are ties at 0 V. Nets are those of the design.
Topology step_topology(const Design& design, const Storage& storage, std::span<const double> conductance);

}  // namespace gridiron
