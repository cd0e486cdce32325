// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/sink_comment.hpp"

namespace gridiron {

/// The nodes between which a cell instance draws its current.
struct InstancePins {
  NodeId power = kGround, ground = kGround;  ///< a load to node 0 has only the first, which may be of a ground net
  int64_t source = -1;                       ///< the source whose current is used
  bool is_pair = true;         ///< false: one source, which between two nodes may have the power node at either end
  int64_t twin = -1;           ///< of a pair: the source at the ground node
  bool may_be_halved = false;  ///< of a layout's pair: where one pin floats, the instance is shown at the other one

  bool is_one_ended() const { return ground == kGround; }
};

/// Load pairs `…_v` (power node → 0) / `…_g` (0 → ground node), sources between two nodes, and all other loads, each at
/// its one node. Of a layout, pairs are terminals of one instance: its first on a power net and its first on a ground
/// net, its second ones, and so on.
std::vector<InstancePins> find_instance_pins(const Circuit& circuit);

/// Drop and bounce at the pins; none if they float (see may_be_halved), or unless two pins are on two different nets.
/// Source i draws amperes[i].
std::optional<InstanceResult> instance_at(const InstancePins& pins, std::span<const double> amperes,
                                          const NodeTable& nodes, std::span<const NetResult> nets);

/// What instance_at() finds for all pins, in order.
std::vector<InstanceResult> instances_at(std::span<const InstancePins> pins, std::span<const double> amperes,
                                         const NodeTable& nodes, std::span<const NetResult> nets);

/// What a load pair has in common; else what the comment before a load on one net says
/// (netlist/names/sink_comment.hpp), of one between two nets the instance whose pins these are, or the name of the
/// source. Read from the text of the netlist when it is asked for.
SinkName instance_name(const Circuit& circuit, const InstanceResult& instance);

/// The cell that the instance is one of, where a layout tells; else empty.
std::string_view instance_cell(const Circuit& circuit, const InstanceResult& instance);

/// Puts the worst instances first.
void sort_instances(std::vector<InstanceResult>& instances);

}  // namespace gridiron
