// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Exact elimination of dangling and series nodes from a merged network: a node with at most two neighbours is replaced
/// by the equivalent edge (star-mesh), its pad and its injection shared among its neighbours; repeated until none is
/// left. Parts without any pad keep their last node; all other trees and rings vanish entirely. Linear time.
///
/// Blocks of consecutive nodes go first, at the same time: one by one, those whose neighbours are in the block, too.
/// All others go in rounds of nodes of which no two are neighbours. Which of neighbours goes first depends on their
/// numbers alone, so that the results have the same bits on any number of threads.
struct Elimination {
  /// v(node) = weight_j·v(j) + weight_k·v(k) + resistance·(injection arrived at node); j, k = −1 when absent. The
  /// weights are nonnegative and sum to at most 1.
  struct Step {
    int32_t node, j, k;
    double weight_j, weight_k, resistance;

    /// Those of j for even ends, of k for odd ones.
    int32_t neighbour(int64_t end) const { return end % 2 == 0 ? j : k; }
    double weight(int64_t end) const { return end % 2 == 0 ? weight_j : weight_k; }
  };
  std::vector<Step> steps;                 ///< in order of elimination
  std::vector<int64_t> first_of_block{0};  ///< of every block and their end, into steps
  std::vector<int64_t> first_of_round{0};  ///< of every round, after the blocks, and the end
  std::vector<int32_t> kept;               ///< kept[i]: node of the merged network that is unknown i
  std::vector<int32_t> unknown;            ///< inverse of kept; −1 − s for the node of step s
  MergedNetwork network;  ///< the kept nodes, numbered as unknowns; parallel edges are not necessarily summed

  /// Transfers an injection of the merged network (A, one per node) to the unknowns; `arrived`, one entry per step, is
  /// what its node has and was passed on to it.
  void reduce(std::span<const double> injection, std::span<double> arrived, std::span<double> reduced) const;
  /// Recovers the voltage of every node of the merged network, V, from the unknowns. `arrived` as filled by reduce().
  void recover(std::span<const double> arrived, std::span<const double> reduced, std::span<double> voltage) const;

  size_t blocks() const { return first_of_block.size() - 1; }
  std::span<const Step> block(size_t b) const { return between(first_of_block[b], first_of_block[b + 1]); }
  size_t rounds() const { return first_of_round.size() - 1; }
  std::span<const Step> round(size_t r) const { return between(first_of_round[r], first_of_round[r + 1]); }

 private:
  std::span<const Step> between(int64_t first, int64_t end) const {
    return std::span(steps).subspan(first, end - first);
  }
};

/// f(step, end, neighbour) for both neighbours of every step: those of one neighbour on one thread, in order.
void for_each_neighbour(std::span<const Elimination::Step> steps, int64_t nodes, auto&& f) {
  const auto neighbour = [&](int64_t end) { return steps[end / 2].neighbour(end); };
  for_each_by_node(2 * std::ssize(steps), nodes, neighbour,
                   [&](int64_t end) { f(steps[end / 2], end, neighbour(end)); });
}

/// If `enabled` is false (--no-reduce), nothing is eliminated: kept is the identity. Nodes with `is_held` stay in any
/// case; empty: none of them.
Elimination eliminate(const MergedNetwork& network, bool enabled = true, std::span<const uint8_t> is_held = {});

}  // namespace gridiron
