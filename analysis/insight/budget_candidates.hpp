// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/insight/budget_node.hpp"

namespace gridiron {

/// The nodes of each net that could be its worst over a budget: the largest drop of a net over all allowed loads is at
/// one of these or at a node that sources fix. All others are left out for this reason:
///
/// Fix any loads, and let D be the largest drop of the net under them. Where no source draws at a node n, Kirchhoff's
/// current law makes its potential a mean of what its conductors lead to, weighted by conductances. If all of these are
/// nodes of the net, its drop is the mean of theirs (of ground nets at most the mean, as |v| is convex), so that n can
/// have D only if they all have, and theirs, and so on, until there is a candidate or a fixed node with D; a connected
/// grid has one. Hence these are candidates:
///
/// - nodes with a current source, in whichever direction it draws;
/// - those with a conductor that leads off the net: to node 0, whose "drop" is the whole supply (but not from ground
///   nets, where it is 0), or through an added pad to its potential;
/// - all nodes of parts that hold several nets, and all nodes that voltage sources tie to others at a distance, where
///   the law holds for the nodes of a tie together.
///
/// Sources of unequal voltages need nothing else: what they fix is compared as it is, fixed().
class BudgetCandidates {
 public:
  /// The object refers to the system.
  BudgetCandidates(const System& system, const IrReport& report, const NodeBounds& bounds);

  /// The candidates of a net whose potential loads change, worst ceiling first.
  std::vector<NodeId> of_net(int32_t net, const NodeBounds& bounds) const;

  /// The node that drops most of those that sources hold; it may be above nominal.
  const std::optional<BudgetNode>& fixed(int32_t net) const { return fixed_[net]; }

 private:
  /// Per unknown: whether a node of it is a candidate by itself.
  std::vector<uint8_t> exposed(const IrReport& report) const;
  bool joins_nets(int32_t part) const {
    return topology_.nets.first_of_part[part + 1] - topology_.nets.first_of_part[part] > 1;
  }

  const Topology& topology_;
  std::vector<std::vector<NodeId>> of_net_;
  std::vector<std::optional<BudgetNode>> fixed_;  ///< per net
};

/// Puts the nodes with the worst ceilings first.
void sort_by_ceiling(std::vector<NodeId>& nodes, const NodeBounds& bounds);

}  // namespace gridiron
