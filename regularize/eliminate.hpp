// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron {

/// Exact elimination of dangling and series nodes from a merged network: a node with at most two neighbours is replaced
/// by the equivalent edge (star-mesh), its pad and its injection shared among its neighbours; repeated until none is
/// left. Parts without any pad keep their last node; all other trees and rings vanish entirely. Linear time.
struct Elimination {
  /// v(node) = weight_j·v(j) + weight_k·v(k) + resistance·(injection arrived at node); j, k = −1 when absent. The
  /// weights are nonnegative and sum to at most 1.
  struct Step {
    std::int32_t node, j, k;
    double weight_j, weight_k, resistance;
  };
  std::vector<Step> steps;            ///< in order of elimination
  std::vector<std::int32_t> kept;     ///< kept[i]: node of the merged network that is unknown i
  std::vector<std::int32_t> unknown;  ///< inverse of kept; −1 for eliminated nodes
  MergedNetwork network;  ///< the kept nodes, numbered as unknowns; parallel edges are not necessarily summed
  std::vector<double>
      arrived;  ///< per node of the merged network: injection including that passed on by eliminated nodes, A

  /// Transfers an injection of the merged network (A, one per node) to the unknowns; `arrived` has one entry per node.
  void reduce(std::span<const double> injection, std::span<double> arrived, std::span<double> reduced) const;
  /// Recovers the voltage of every node of the merged network, V, from the unknowns. `arrived` as filled by reduce().
  void recover(std::span<const double> arrived, std::span<const double> reduced, std::span<double> voltage) const;
};

/// If `enabled` is false (--no-reduce), nothing is eliminated: kept is the identity. Nodes with `is_held` stay in any
/// case; empty: none of them.
Elimination eliminate(const MergedNetwork& network, bool enabled = true, std::span<const std::uint8_t> is_held = {});

}  // namespace gridiron
