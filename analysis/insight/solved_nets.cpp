// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/solved_nets.hpp"

#include <algorithm>
#include <utility>

namespace gridiron {

SolvedNets solved_nets(Solver& solver, const System& system, const Loads& loads, const IrReport& report,
                       int32_t vector) {
  if (report.nodes.vector.empty()) {
    std::vector<double> volts = report.nodes.voltage_v;
    const Topology& topology = system.topology();
    for (NodeId n = 1; n < std::ssize(volts); ++n)
      if (topology.nets.inverted[topology.parts.part[n]]) volts[n] = 0.0 - volts[n];
    return {system, std::move(volts), report.certificate.bound_v()};
  }
  Loads one(loads.design());
  std::ranges::copy(loads.vector(vector), one.vector(0).begin());
  Answer answer = std::move(solver.solve(one).front());
  return {system, std::move(answer.voltage_v), answer.certificate.bound_v()};
}

}  // namespace gridiron
