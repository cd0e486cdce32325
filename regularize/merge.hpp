// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "regularize/network.hpp"

namespace gridiron {

/// Ties that contradict each other: the voltages around the loop do not sum to zero.
struct TieConflict {
  std::vector<int64_t> loop;  ///< indices of ties (−1−k for the fixed potential k) that close the loop
  double volts = 0;           ///< the sum around the loop
};

/// Nodes merged into groups of fixed potential difference: v(node) = v(group) + offset. Groups that contain a node of
/// fixed potential are known; all others are the unknowns and the floating parts of the system.
struct Merge {
  std::vector<int32_t> group;  ///< per node
  std::vector<double> offset;  ///< per node, V
  int32_t groups = 0;          ///< unknown groups are 0 … unknowns−1, known ones follow
  int32_t unknowns = 0;
  std::vector<double> known_volts;  ///< per known group (group − unknowns), V
  /// Spanning forest of the ties: per node the next node towards its root, −1 at roots.
  std::vector<int32_t> parent;
  std::vector<int32_t> order;      ///< the nodes that have a parent, parents before children
  std::vector<int64_t> order_tie;  ///< per entry of order: the tie to its parent; all others are redundant
  std::vector<TieConflict> conflicts;
  double rounding_volts = 0;  ///< what rounding may have moved offsets by: the most of each group, summed over groups
  double accepted_volts = 0;  ///< sum of what redundant ties and fixed nodes contradict others by, within the tolerance

  /// The potential of a node, V; NaN where none is fixed.
  double known_volts_of(int64_t node) const {
    const int32_t known = group[node] - unknowns;
    return known < 0 ? NAN : known_volts[known] + offset[node];
  }
};

/// Merges tied nodes, breadth first over the ties with potential offsets. A tree that contains fixed nodes has one of
/// them as its root. Redundant consistent ties (two equal voltage sources in parallel) are accepted; contradicting ones
/// (difference above `tolerance` volts) are listed in `conflicts`, up to a hundred of them. Linear time; groups are
/// numbered by their lowest node.
Merge merge_ties(const Network& network, double tolerance = 1e-9);

/// The network of groups: edges between unknown groups, conductance to known potentials folded into (pad, injection).
/// This is the SPD system: (Σ g + pad_i) v_i − Σ g v_j = injection_i.
struct MergedNetwork {
  /// A conductance, S, that was summed with some of the other sign, so that its rounding may be much of the sum. Its
  /// current is siemens · (v(a) − v(b) − volts), either way; b is −1, with v(b) = 0, where it leads to a known
  /// potential.
  struct Opposed {
    int32_t a, b;
    double siemens, volts;
  };

  int32_t nodes = 0;                ///< unknown groups
  std::vector<int32_t> a, b;        ///< edges between different unknown groups, not yet summed
  std::vector<double> conductance;  ///< S
  std::vector<double> pad;          ///< per node: conductance to known potentials, S
  std::vector<double>
      injection;  ///< per node: loads + Σ pad·(known V) + currents driven by tie offsets, A; may be empty
  std::vector<Opposed> opposed;
  int64_t edges() const { return std::ssize(a); }
};
MergedNetwork merged_network(const Network& network, const Merge& merge);

/// The merged network for other loads than its own, `injection` (A per node of `network`; empty: none), with potentials
/// measured from `reference` (V per unknown group, equal within a connected system; empty: 0 V).
MergedNetwork merged_network(const Network& network, const Merge& merge, std::span<const double> injection,
                             std::span<const double> reference);

}  // namespace gridiron
