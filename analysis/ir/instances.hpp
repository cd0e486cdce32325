// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/ir/ir_report.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// The two nodes between which a cell instance draws its current.
struct InstancePins {
  std::string name;
  NodeId power = kGround, ground = kGround;
  std::int64_t source = -1;  ///< the source whose current is used
  bool is_pair = true;       ///< false: one source between two nodes, of which either may be the power node
};

/// Load pairs `…_v` (power node → 0) / `…_g` (0 → ground node), and sources between two nodes.
std::vector<InstancePins> find_instance_pins(const Circuit& circuit);

/// Drop and bounce at the pins; none unless they are on two different nets. Source i draws amperes[i].
std::optional<InstanceResult> instance_at(const InstancePins& pins, std::span<const double> amperes,
                                          const NodeTable& nodes, std::span<const NetResult> nets);

/// The same for all pins, in order.
std::vector<InstanceResult> instances_at(std::span<const InstancePins> pins, std::span<const double> amperes,
                                         const NodeTable& nodes, std::span<const NetResult> nets);

/// Worst first.
void sort_instances(std::vector<InstanceResult>& instances);

}  // namespace gridiron
