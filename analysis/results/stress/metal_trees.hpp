// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/results/stress/metal.hpp"

namespace gridiron {

/// Connected metal, layer by layer.
struct MetalTrees {
  std::vector<int32_t> tree;      ///< per node, −1: of none; numbered by their lowest nodes
  std::vector<NodeId> first;      ///< per tree: its lowest node
  std::vector<uint8_t> is_known;  ///< per tree: all of its metal is of known volume, and nothing else joins it
  int64_t joints = 0;             ///< places where something of unknown geometry joins metal,
  NodeId joint = kGround;         ///< and the first of them
};

/// All metal that is connected on its layer is a tree. What is on no layer is the package where sources feed it, and
/// otherwise might be metal: trees that it touches are not known, nor are those that anything else than vias and wires
/// joins, however many elements and nodes that takes. What leads so from place to place on a layer is metal itself.
MetalTrees find_metal_trees(const IrReport& report, const Topology& topology, const Metal& metal);

}  // namespace gridiron
