// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// By nearest rank. Reorders `drops`, which must not be empty.
Percentiles percentiles_of(std::vector<double>& drops);

/// Drop of every node, V: distance from nominal towards 0 V on power nets, |v| on ground nets; 0 for nodes of no net.
std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const std::int32_t> net,
                             std::span<const NetResult> nets);

/// Fills in worst, average, least and percentiles of every net and its layers from nodes.{voltage_v, drop_v, net,
/// layer}, and the power from load current and supply.
void add_statistics(const NodeTable& nodes, std::vector<NetResult>& nets);

}  // namespace gridiron
