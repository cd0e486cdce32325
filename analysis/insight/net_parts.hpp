// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "analysis/model/system.hpp"
#include "analysis/results/explanation.hpp"

namespace gridiron {

/// Which part of a supply net a resistor is of. The near side of the pads is a node on no layer that a source holds,
/// and what conductors between such nodes join to one, to an added pad or, of a ground net, to node 0: unless loads are
/// there, as in a deck whose names tell no layers. It refers to the system, which must stay alive.
class NetParts {
 public:
  /// `voltage_v`: per node, as the netlist has it.
  NetParts(const System& system, std::span<const double> voltage_v);

  struct Place {
    NetPart part;
    LayerPair layers;
    auto operator<=>(const Place& other) const {
      return std::tuple(part, layers.layer, layers.other) <=>
             std::tuple(other.part, other.layers.layer, other.layers.other);
    }
  };
  /// Of an edge of the network; NetPart::sources where it is of no or another net than `net`, an index into Nets::nets.
  Place place_of(int64_t edge, int32_t net) const;

  /// The net that a node is of or, inside of a branch, that it feeds; −1 for ground and floating nodes.
  int32_t net_of(NodeId n) const { return net_[n]; }

  /// Whether a node is on the near side of the pads.
  bool is_near(NodeId n) const { return n == kGround || is_near_[n] != 0; }

 private:
  /// Of a ground net: an end at node 0 that feeds it.
  bool is_fed_by_ground(int64_t edge) const;
  /// Per node on no layer: the lowest one of those that conductors on no layer join it to.
  std::vector<int32_t> joined_nodes() const;
  void find_near_side();

  const System& system_;
  const Topology& topology_;
  std::span<const int32_t> layer_;
  std::vector<int32_t> net_;
  std::vector<uint8_t> is_near_;  ///< per node: on the near side of the pads
};

}  // namespace gridiron
