// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/tran/result_tables.hpp"

namespace gridiron {

/// How the deviation of a node counts as a drop. `dc`: the operating point.
inline Drop drop_kind(const IrReport& dc, const Topology& topology, int64_t n) {
  if (dc.nodes.net[n] < 0) return Drop::none;
  const NetResult& net = dc.nets[dc.nodes.net[n]];
  if (!net.is_ground) return net.nominal_v > 0 ? Drop::below : Drop::above;
  return topology.nets.inverted[topology.parts.part[n]] ? Drop::inverted_bounce : Drop::bounce;
}

/// The drop of a node of this kind at the operating point, or its bounce with the sign of that, V.
inline double drop_at_rest(const NodeTable& nodes, Drop kind, int64_t n) {
  return is_bounce(kind) ? nodes.voltage_v[n] : nodes.drop_v[n];
}

/// Sets drop and voltage of a node from its drop, or its bounce with the sign of that, V.
inline void set_drop(const NetResult& net, double drop, int64_t n, NodeTable& nodes) {
  nodes.drop_v[n] = net.is_ground ? std::abs(drop) : drop;
  nodes.voltage_v[n] = net.is_ground ? drop : net.nominal_v - (net.nominal_v > 0 ? drop : -drop);
}

}  // namespace gridiron
