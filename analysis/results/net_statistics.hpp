// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/model/statistics.hpp"
#include "analysis/results/currents.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

class Shares;

/// Sums over some nodes, loads and pads of a net.
struct NetSums {
  Statistics drops;            ///< of the nodes, V
  double volts = 0;            ///< Σ of their voltages
  Statistics loads, reversed;  ///< per loaded node what its loads draw, and what they drive the wrong way, A
  Statistics pads;             ///< what they deliver, A
};

/// All that is known of a net, of which ranges of threads and processes have parts.
struct NetStatistics : NetSums {
  std::map<uint32_t, Statistics> layers;  ///< drops by layer; unsigned, so that −1, an unknown one, comes last
  Percentiles percentiles;                ///< of the drops, over all parts

  /// Adds another part, but for its percentiles.
  void take(const NetStatistics& other);
};

/// Percentiles by nearest rank of the drops that all processes pass; zeros where there are none. `all` is null if there
/// is one process.
Percentiles percentiles_of(std::span<const double> drops, const Shares* all = nullptr);

/// Drop at a node of the net, V: distance from nominal towards 0 V on power nets, |v| on ground nets.
double drop_of(const NetResult& net, double voltage_v);

/// Of every node; 0 for nodes of no net.
std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const int32_t> net,
                             std::span<const NetResult> nets);

/// The supply node of a source that was added, behind its resistance: a node of a deck that has this source.
struct AddedSupply {
  NodeId node;  ///< that the source feeds
  int32_t net;
  double volts, drop_v;
};

/// Of each added source of the grid.
std::vector<AddedSupply> added_supplies(std::span<const AddedPad> pads, const NodeTable& nodes,
                                        std::span<const NetResult> nets);

/// Statistics of the nodes of each net, from nodes.{voltage_v, drop_v, net, layer}, and of supply nodes, which are on
/// no layer. Only percentiles are of the nodes of all processes, as those of percentiles_of().
std::vector<NetStatistics> drop_statistics(const NodeTable& nodes, size_t nets, const Shares* all = nullptr,
                                           std::span<const AddedSupply> supplies = {});

/// Statistics of the loads and pads of each net. `injection`: per node, A.
std::vector<NetStatistics> current_statistics(const NodeTable& nodes, std::span<const double> injection,
                                              std::vector<PadCurrent> pads, const std::vector<NetResult>& nets);

/// Adds loads and pads to the nets, and fills in the figures of drops of those that have any. `voltage_v`: of the nodes
/// that the statistics name.
void add_statistics(const std::vector<NetStatistics>& statistics, std::span<const double> voltage_v,
                    std::vector<NetResult>& nets);

/// Fills in the figures of drops from the nodes.
inline void add_statistics(const NodeTable& nodes, std::vector<NetResult>& nets) {
  add_statistics(drop_statistics(nodes, nets.size()), nodes.voltage_v, nets);
}

}  // namespace gridiron
