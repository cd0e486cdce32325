// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/sensitivity.hpp"

#include "analysis/results/segments.hpp"

namespace gridiron {

double drop_sign(const NetResult& net, double voltage_v) {
  if (net.is_ground) return voltage_v < 0 ? -1 : 1;
  return net.nominal_v > 0 ? -1 : 1;
}

/// With G λ = e_k, λᵀ G (v − V) = v_k − V is λᵀ i plus what flows through conductors to known potentials, there v − V,
/// and through those of merged groups, where v differs by known offsets.
double Sensitivity::of_sources(double nominal_v) const {
  const Network& network = topology_.grid.network;
  const Merge& merge = topology_.merge;
  const auto known_part = [&](NodeId n) {
    const int32_t known = merge.group[n] - merge.unknowns;
    return merge.offset[n] + (known >= 0 ? merge.known_volts[known] - nominal_v : 0);
  };
  double volts = known_part(node_);
  for (int64_t e = 0; e < network.edges(); ++e) {
    const NodeId a = network.a[e], b = network.b[e];
    if (ohm_[a] == ohm_[b]) continue;
    volts -= network.conductance[e] * (ohm_[a] - ohm_[b]) * (known_part(a) - known_part(b));
  }
  for (const AddedPad& pad : topology_.added_pads)
    volts -= pad.conductance * ohm_[pad.node] * (known_part(pad.node) - (pad.volts - nominal_v));
  return sign_ * volts;
}

/// λᵀ G v, with what flows out of every node through conductors.
double Sensitivity::of_injections() const {
  double volts = 0;
  for (int64_t e = 0; e < topology_.grid.network.edges(); ++e) volts -= of_edge(e);
  return volts;
}

std::vector<double> resistor_sensitivities(const Circuit& circuit, const Sensitivity& sensitivity) {
  std::vector<double> volts(circuit.resistors.size(), 0.0);
  for_each_edge(circuit, [&](int64_t resistor, int64_t edge) { volts[resistor] = sensitivity.of_edge(edge); });
  return volts;
}

}  // namespace gridiron
