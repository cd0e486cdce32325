// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// How the drop of one node answers to every conductor and load (adjoint sensitivities: Director and Rohrer, IEEE
/// Trans. Circuit Theory 16, 1969). With G λ = e_k, which is a UnitResponse,
///
///     ∂v_k/∂g_ab = −(λ_a − λ_b)(v_a − v_b),    ∂v_k/∂i_j = λ_j.
///
/// A Sensitivity refers to what it is made of.
class Sensitivity {
 public:
  /// `voltage_v` is an answer's; `sign` what the drop of the node rises by per volt, see drop_sign().
  Sensitivity(const Topology& topology, const UnitResponse& response, std::span<const double> voltage_v, double sign)
      : topology_(topology), node_(response.node), ohm_(response.ohm), voltage_v_(voltage_v), sign_(sign) {}

  /// ∂drop/∂ln g of an edge of the network, V; negative: a wider conductor lowers the drop.
  double of_edge(int64_t edge) const {
    const Network& network = topology_.grid.network;
    const int32_t a = network.a[edge], b = network.b[edge];
    return -sign_ * network.conductance[edge] * (ohm_[a] - ohm_[b]) * (voltage_v_[a] - voltage_v_[b]);
  }

  /// ∂drop/∂current of a source that draws it out of `a` and feeds it into `b`, Ω.
  double of_load(NodeId a, NodeId b) const { return sign_ * (ohm_[b] - ohm_[a]); }

  /// The part of the drop that all which feeds or loads the nodes causes, loads and capacitors.
  double of_injections() const;

  /// The part of the drop, counted from `nominal_v`, that is there without loads: of sources away from it, and of
  /// resistors to other potentials.
  double of_sources(double nominal_v) const;

 private:
  const Topology& topology_;
  NodeId node_;
  std::span<const double> ohm_, voltage_v_;
  double sign_;
};

/// What the drop of a node of this net rises by per volt: −1 on power nets, the sign of the voltage on ground nets.
double drop_sign(const NetResult& net, double voltage_v);

/// ∂drop/∂ln g of every resistor of the netlist, V; 0 for shorts.
std::vector<double> resistor_sensitivities(const Circuit& circuit, const Sensitivity& sensitivity);

}  // namespace gridiron
