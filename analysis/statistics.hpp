// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/grid.hpp"
#include "analysis/ir_result.hpp"

namespace gridiron {

/// A limit as asked for: `worst=5%`, `p99=40mV`; without a quantity it is about the worst drop.
struct LimitRequest {
  std::string quantity = "worst";  ///< worst, average, p50, p95, p99, p99.9
  double value = 0;                ///< volts, or a share of the supply when `is_share`
  bool is_share = false;
};

/// Reads "5%", "50mV", "worst=5%", "average=1%", "p99=40mV". Errors: InputError.
LimitRequest parse_limit(const std::string& text);

/// Voltages → drops, and per net and layer worst, average, least and percentiles. Reads result.nodes.{voltage_v, net,
/// layer, state}; fills nodes.drop_v and the rest of result.nets.
void summarise_drops(IrResult& result);

/// Load pairs `…_v` (power node → 0) / `…_g` (0 → ground node) and sources between two nets as instances, worst first.
std::vector<InstanceResult> find_instances(const Circuit& circuit, const IrResult& result);

/// Holds the nets against the limits. Errors: InputError when a share is asked of a net whose supply is unknown.
std::vector<LimitResult> check_limits(const IrResult& result, const std::vector<LimitRequest>& limits);

}  // namespace gridiron
