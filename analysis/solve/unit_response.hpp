// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/solve/engine_slot.hpp"

namespace gridiron {

/// What a current of 1 A into a node does, every potential of a source being 0 V: a column of the inverse of the
/// conductance matrix, and, as that is symmetric, a row: by how much the node's voltage rises per ampere into any
/// other.
struct UnitResponse {
  NodeId node = kGround;
  std::vector<double> ohm;  ///< per node of the netlist; 0 where sources fix the potential and where a node floats
  double error_ohm = 0;     ///< certified error of each; infinite without certificate

  /// Between the node and the sources.
  double effective_ohm() const { return ohm[node]; }
};

/// As Solver::respond().
std::vector<UnitResponse> unit_responses(EngineSlot& slot, const System& system, std::span<const NodeId> nodes,
                                         double error_ohm, System::Scratch& scratch);

}  // namespace gridiron
