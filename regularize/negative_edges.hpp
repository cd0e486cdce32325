// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron {

/// Negative conductances, as models of packages and reduced networks have them, leave the matrix of a network an
/// M-matrix where positive ones between the same two merged nodes, or between a merged node and fixed potentials,
/// outweigh them: by so large a share of all of these that rounding does not decide whether. What rounding of theirs
/// leaves undecided of the sum is told by MergedNetwork::opposed.
inline constexpr double kLeastShare = 1e-6;

/// An edge of negative conductance that is not outweighed; −1: none.
int64_t find_not_outweighed(const Network& network, const Merge& merge);

/// Joins edges of negative conductance with those between the same nodes. False where they, or those to fixed
/// potentials, are not outweighed; then nothing changes.
bool join_negative_edges(MergedNetwork& network);

/// The conductances of all sums in which some are negative, with potentials measured from `reference` as in
/// merged_network().
std::vector<MergedNetwork::Opposed> opposed_conductances(const Network& network, const Merge& merge,
                                                         std::span<const double> reference);

}  // namespace gridiron
