// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/sensitivity.hpp"

#include "analysis/ir/segments.hpp"

namespace gridiron {

double drop_sign(const NetResult& net, double voltage_v) {
  if (net.is_ground) return voltage_v < 0 ? -1 : 1;
  return net.nominal_v > 0 ? -1 : 1;
}

std::vector<double> resistor_sensitivities(const Circuit& circuit, const Sensitivity& sensitivity) {
  std::vector<double> volts(static_cast<std::size_t>(circuit.resistors.size()), 0.0);
  for_each_edge(circuit,
                [&](std::int64_t resistor, std::int64_t edge) { volts[resistor] = sensitivity.of_edge(edge); });
  return volts;
}

}  // namespace gridiron
