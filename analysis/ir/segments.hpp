// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/topology.hpp"

namespace gridiron {

/// Calls f(resistor, edge) for every resistor that is an edge of the grid, in the order of the netlist: make_grid()
/// turns resistors into edges in their order, without shorts.
template <class F>
void for_each_edge(const Circuit& circuit, F f) {
  const Elements& r = circuit.resistors;
  std::int64_t edge = 0;
  for (std::int64_t i = 0; i < r.size(); ++i)
    if (r.a[i] != r.b[i] && r.value[i] != 0) f(i, edge++);
}

/// Current and power of every resistor between two nodes that have a voltage.
SegmentTable find_segments(const Circuit& circuit, const Topology& topology, const NodeTable& nodes);

/// Keeps the larger current of the two, row by row.
void join(const SegmentTable& other, SegmentTable& worst);

/// What each net has on each layer and between layers, by net, lowest layer first.
std::vector<SegmentLayerResult> segments_by_layer(const Circuit& circuit, const NodeTable& nodes,
                                                  const SegmentTable& segments);

/// Two layers, the lower one first, an unknown one last.
LayerPair ascending(std::int32_t a, std::int32_t b);

/// The layers of a resistor's ends; its net is that of its first node.
LayerPair layers_of(const IrReport& report, std::int64_t resistor);

/// "M1", or "M1-M2" between two layers; empty where both are unknown, "?" for one that is.
std::string layer_text(const std::vector<std::string>& layer_names, LayerPair layers);

/// A link between a pin and the grid, which OpenROAD's current files leave out: one of its ends is an ITermNode,
/// BPinNode or SourceNode.
bool is_terminal_link(const Circuit& circuit, std::int64_t resistor);

}  // namespace gridiron
