// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regularize/merge.hpp"
#include "regularize/network.hpp"

namespace gridiron {

/// Of all nodes at most this fraction may be without a place for place_loose_nodes() to find one.
inline constexpr double kMostLoose = 0.01;

/// Gives places to nodes that have none, such as those of a package, where they are few enough. A node whose neighbours
/// lie close together (within a tenth of the grid) comes to their mean, on the highest of their layers; so do nodes
/// behind it. The others, such as a node that feeds bumps all over the grid, become a part of their own, a row of cells
/// that no wire joins: regular grids see their conductances as pads, and smoothing joins them to the grid. `geometry`
/// has an entry for every node of the network, or stays as it is, as it does if more nodes than kMostLoose are loose.
/// Linear time; the result does not depend on the number of threads.
void place_loose_nodes(const MergedNetwork& network, Geometry& geometry);

}  // namespace gridiron
