// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/statistics.hpp"
#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "support/parallel.hpp"

namespace gridiron {

/// Whether a resistor is an edge of the grid: no short.
inline bool is_edge(const Elements& resistors, int64_t i) {
  return resistors.a[i] != resistors.b[i] && resistors.value[i] != 0;
}

/// Calls f(resistor, edge) for every resistor that is an edge of the grid, in the order of the netlist: make_grid()
/// turns resistors into edges in their order, without shorts.
void for_each_edge(const Circuit& circuit, auto f) {
  const Elements& r = circuit.resistors;
  int64_t edge = 0;
  for (int64_t i = 0; i < r.size(); ++i)
    if (is_edge(r, i)) f(i, edge++);
}

/// Calls f(begin, end, edge) for ranges of resistors, on all threads and in any order; `edge` is the first of a range.
/// Every range but the last is kEdgeGrain long.
inline constexpr int64_t kEdgeGrain = 1 << 16;
void for_ranges_of_edges(const Circuit& circuit, auto f) {
  const Elements& r = circuit.resistors;
  std::vector<int64_t> edge(static_cast<size_t>(r.size() / kEdgeGrain + 2), 0);
  parallel_ranges(
      r.size(),
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) edge[begin / kEdgeGrain + 1] += is_edge(r, i) ? 1 : 0;
      },
      kEdgeGrain);
  std::partial_sum(edge.begin(), edge.end(), edge.begin());
  parallel_ranges(
      r.size(), [&](int64_t begin, int64_t end) { f(begin, end, edge[begin / kEdgeGrain]); }, kEdgeGrain);
}

/// What for_each_edge() does, on all threads and in any order.
void for_each_edge_in_parallel(const Circuit& circuit, auto f) {
  for_ranges_of_edges(circuit, [&](int64_t begin, int64_t end, int64_t edge) {
    for (int64_t i = begin; i < end; ++i)
      if (is_edge(circuit.resistors, i)) f(i, edge++);
  });
}

/// The end of a resistor that tells its net: the first, or the second where that is ground.
inline NodeId grid_end(const Circuit& circuit, int64_t resistor) {
  const NodeId a = circuit.resistors.a[resistor];
  return a == kGround ? circuit.resistors.b[resistor] : a;
}

/// Current and power of every resistor between two nodes that have a voltage, and between a ground net and node 0. From
/// a power net, a resistor to node 0 is a load.
SegmentTable find_segments(const Circuit& circuit, const Topology& topology, const NodeTable& nodes);

/// Keeps the larger current of the two, row by row.
void join(const SegmentTable& other, SegmentTable& worst);

/// Where segments are: a net, and a layer or two of it. In order an unknown layer comes last.
struct SegmentPlace {
  int32_t net;
  LayerPair layers;
  bool operator==(const SegmentPlace&) const = default;
  bool operator<(const SegmentPlace& other) const;
};
/// The segments at a place, of which ranges of threads and processes have parts.
struct SegmentStatistics {
  Statistics currents;  ///< magnitudes, A, by resistor
  double power_w = 0;
  void take(const SegmentStatistics& other) {
    currents.take(other.currents);
    power_w += other.power_w;
  }
};
using SegmentsByLayer = std::map<SegmentPlace, SegmentStatistics>;
SegmentsByLayer segments_by_layer(const Circuit& circuit, const NodeTable& nodes, const SegmentTable& segments);
std::vector<SegmentLayerResult> layer_results(const SegmentsByLayer& layers);

/// Two layers, the lower one first, an unknown one last.
inline LayerPair ascending(int32_t a, int32_t b) {
  return static_cast<uint32_t>(a) <= static_cast<uint32_t>(b) ? LayerPair{a, b} : LayerPair{b, a};
}

/// The layers of two nodes; where one is ground, that of the other. `layer` is per node.
inline LayerPair layers_between(std::span<const int32_t> layer, NodeId a, NodeId b) {
  return ascending(layer[a == kGround ? b : a], layer[b == kGround ? a : b]);
}

/// The layers of a resistor's ends; where one is unknown, as that of node 0, the other's. Its net is that of
/// grid_end().
inline LayerPair layers_of(const IrReport& report, int64_t resistor) {
  const Elements& r = report.circuit->resistors;
  return layers_between(report.nodes.layer, r.a[resistor], r.b[resistor]);
}

/// What current flows through in a layout: a wire of some width, or a via of some cuts. NaN where something is unknown,
/// or of the other kind.
struct SegmentSection {
  double width_um = 0, cuts = 0;           ///< 0: none
  double a_per_um = NAN, a_per_um2 = NAN;  ///< current by width, and by width times thickness
};
SegmentSection section_of(const IrReport& report, int64_t resistor);

/// For each row of IrReport::segment_layers the wire with the largest current by width, −1 where there is none.
std::vector<int64_t> densest_segments(const IrReport& report);

/// How many resistors on layers with a limit are no segments: shorts, what floats, and loads to node 0. `counts(a, b)`:
/// whether those between two nodes count.
int64_t count_unjudged_segments(const IrReport& report, const std::function<bool(NodeId, NodeId)>& counts);
std::vector<Finding> tell_unjudged_segments(int64_t count);

/// "M1", or "M1-M2" between two layers; empty where both are unknown, "?" for one that is.
std::string layer_text(const std::vector<std::string>& layer_names, LayerPair layers);

/// Whether `text` names these layers, in either order.
bool names_layers(std::string_view text, const std::vector<std::string>& layer_names, LayerPair layers);

/// Which nodes are terminals, by OpenROAD's names of them: ITermNode, BPinNode or SourceNode, none of wires and vias.
/// Of names that tell a place only their stems are looked at, once. The circuit is to outlive it.
class TerminalNodes {
 public:
  explicit TerminalNodes(const Circuit& circuit);

  bool has(NodeId n) const {
    if (!has_any_) return false;
    const NameKey key = names_.key(n);
    return name_key::is_text(key) ? is_terminal(names_.texts()[name_key::text_of(key)])
                                  : of_stem_[name_key::stem_of(key)] != 0;
  }

  /// A link between a pin and the grid, which OpenROAD's current files leave out: one of its ends is a terminal, or
  /// node 0.
  bool has_link(int64_t resistor) const {
    const NodeId a = resistors_.a[resistor], b = resistors_.b[resistor];
    return a == kGround || b == kGround || has(a) || has(b);
  }

 private:
  static bool is_terminal(std::string_view name);

  const NodeNames& names_;
  const Elements& resistors_;
  std::vector<uint8_t> of_stem_;
  bool has_any_ = false;
};

}  // namespace gridiron
