// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/tables/metal_tables.hpp"

namespace gridiron {

/// Widths and thicknesses of wires, µm; NaN where they are not known. A thickness of a table goes before that of the
/// layout, a width of the layout before that of a table. Slivers are as wide as what they have of the metal beside
/// them.
class MetalSections {
 public:
  MetalSections(const IrReport& report, std::span<const MetalLayer> table);

  double width_um(int64_t resistor, int32_t layer) const;
  double thickness_um(int32_t layer) const { return thickness_um_[layer]; }
  /// False where the layout tells that this resistor is a wire.
  bool may_be_link(int64_t resistor) const;

 private:
  const Placement* placement_;  ///< null: knows no widths
  std::vector<double> width_um_, thickness_um_;
};

/// What a resistor is to the metal of a layer.
enum class MetalKind : uint8_t {
  none,        ///< a via, a terminal link, a load, or without voltage or direct current
  metal,       ///< of known volume
  no_section,  ///< metal of unknown width or thickness
  no_place,    ///< metal of unknown length, or of unknown layer
  joint,       ///< between two nodes of a layer, but no wire: of no length, or between two nets
  loose,       ///< one end is on no layer
};
struct Metal {
  std::vector<MetalKind> kind;     ///< per resistor
  std::vector<double> volume_um3;  ///< of metal, of all its copies; else 0
  std::vector<uint8_t> dead;       ///< per node: inside of a branch without direct current, as of a decap; empty: none
  std::vector<int64_t> ties;       ///< resistors that are joints or loose, ascending
  std::vector<int64_t> grounded;   ///< those of 0 Ω to node 0
  int64_t no_section = 0, no_place = 0;  ///< resistors of these kinds
  double rounding_um3 = 0;               ///< of the volume of a wire at most, as places are rounded

  bool is_dead(NodeId n) const { return !dead.empty() && dead[n] != 0; }
};
Metal find_metal(const IrReport& report, const Topology& topology, const MetalSections& sections);

/// Of a wire between two places, µm; NaN where one of them is not known.
inline double length_um(const NodeTable& nodes, NodeId a, NodeId b) {
  const double x = nodes.x_um[a] - nodes.x_um[b], y = nodes.y_um[a] - nodes.y_um[b];
  return x == 0 || y == 0 ? std::abs(x) + std::abs(y) : std::hypot(x, y);  // most wires run along an axis
}

}  // namespace gridiron
