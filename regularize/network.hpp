// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gridiron {

/// Node locations, one entry per node; all columns are empty if the netlist has no coordinates.
struct Geometry {
  std::vector<double> x_um, y_um;   ///< NaN unknown
  std::vector<int32_t> layer, net;  ///< −1 unknown; `net` numbers the parts connected by resistors
};

/// A resistive network in plain arrays: built by `analysis` from a Circuit, read by engines that exploit geometry.
/// Nodes are 0 … nodes−1; SI units.
struct Network {
  int32_t nodes = 0;

  /// Conductive edges: g[k] siemens > 0 between a[k] ≠ b[k]. Parallel edges are allowed.
  std::vector<int32_t> a, b;
  std::vector<double> conductance;

  /// Ties: v(tie_a[k]) − v(tie_b[k]) = tie_volts[k]: ideal voltage sources, 0 Ω resistors, inductors at DC.
  std::vector<int32_t> tie_a, tie_b;
  std::vector<double> tie_volts;

  /// Nodes of fixed potential (ground at 0 V).
  std::vector<int32_t> fixed;
  std::vector<double> fixed_volts;

  /// Current injected into each node, amperes; a load is negative. One entry per node.
  std::vector<double> injection;

  int64_t edges() const { return std::ssize(a); }
  int64_t ties() const { return std::ssize(tie_a); }
};

}  // namespace gridiron
