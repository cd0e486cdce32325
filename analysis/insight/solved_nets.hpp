// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/insight/net_parts.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// Voltages as the netlist has them, of ground nets with inverted loads, too; their certified error, and the parts of
/// the nets at these. It refers to the system, which must stay alive.
struct SolvedNets {
  SolvedNets(const System& system, std::vector<double> volts, double bound)
      : voltage_v(std::move(volts)), bound_v(bound), parts(system, voltage_v) {}
  std::vector<double> voltage_v;
  double bound_v;
  NetParts parts;
};

/// Those of one of the load vectors that `report` is of; solved for where there are several.
SolvedNets solved_nets(Solver& solver, const System& system, const Loads& loads, const IrReport& report,
                       int32_t vector);

/// The load vector under which the report has a node.
inline int32_t vector_of(const IrReport& report, NodeId node) {
  return report.nodes.vector.empty() ? 0 : report.nodes.vector[node];
}

}  // namespace gridiron
