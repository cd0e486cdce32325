// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// A limit as given by the user: `worst=5%`, `p99=40mV`; without a quantity it applies to the worst drop.
struct LimitRequest {
  std::string quantity = "worst";  ///< worst, average, p50, p95, p99, p99.9
  double value = 0;                ///< volts, or a fraction of the supply if `is_share`
  bool is_share = false;
};

/// Reads "5%", "50mV", "worst=5%", "average=1%", "p99=40mV". Errors: InputError.
LimitRequest parse_limit(const std::string& text);

/// Drop of every node, V: distance from nominal towards 0 V on power nets, |v| on ground nets; 0 for nodes of no net.
std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const std::int32_t> net,
                             std::span<const NetResult> nets);

/// Fills in worst, average, least and percentiles of every net and its layers from nodes.{voltage_v, drop_v, net,
/// layer}, and the power from load current and supply.
void add_statistics(const NodeTable& nodes, std::vector<NetResult>& nets);

/// Checks the nets against the limits. Errors: InputError for a relative limit on a net whose supply is unknown.
std::vector<LimitResult> check_limits(std::span<const NetResult> nets, const std::vector<LimitRequest>& limits);

}  // namespace gridiron
