// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "regularize/network.hpp"

namespace gridiron {

struct HotSpotOptions {
  size_t most_of_net = 10, most = 100;  ///< of every net, and of all, of which the worst of every net come first
  double distance_um = 0;   ///< by which they are apart; 0: a twentieth of the longer side of what has places
  int conductors_away = 3;  ///< where the worst node of a net has no place: so many conductors instead of a distance
};

struct HotSpots {
  std::vector<HotSpot> worst;  ///< first
  int64_t in_all = 0;
};

/// The nodes of each net that drop more than every other node of it within the distance and at the other end of each of
/// their conductors (of equal ones, the first of the netlist), worst first, with the nearest pad by place. O(nodes).
HotSpots find_hot_spots(const NodeTable& nodes, const Network& network, std::span<const PadResult> pads, size_t nets,
                        const HotSpotOptions& options = {});

/// Finds those of the report's nodes, with its pads.
void add_hot_spots(const Network& network, IrReport& report);

/// What options.distance_um is by default; 0 where no node has a place.
double hot_spot_distance(const NodeTable& nodes);

}  // namespace gridiron
