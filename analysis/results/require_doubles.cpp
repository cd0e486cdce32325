// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/require_doubles.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "analysis/model/double_range.hpp"
#include "support/error.hpp"

namespace gridiron {

void require_doubles(const Circuit& circuit, const std::vector<NetResult>& nets, const std::vector<PadCurrent>& pads,
                     const PowerBalance& power, const Certificate& certificate) {
  const auto finite = [](std::initializer_list<double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  const auto net_is_finite = [&](const NetResult& net) {
    return finite({net.average_voltage_v, net.worst_voltage_v, net.average_drop_v, net.worst_drop_v, net.load_current_a,
                   net.pad_current_a, net.total_power_w});
  };
  const auto pad_is_finite = [&](const PadCurrent& pad) { return finite({pad.current_a}); };
  if (std::ranges::all_of(nets, net_is_finite) && std::ranges::all_of(pads, pad_is_finite) &&
      finite({power.sources_w, power.loads_w, power.dissipated_w}) &&
      (!certificate.valid || finite({certificate.max_error_v, certificate.rounding_v, certificate.max_residual_a})))
    return;
  throw SolverError(beyond_doubles(circuit));
}

}  // namespace gridiron
