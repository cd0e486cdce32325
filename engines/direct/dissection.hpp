// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/direct/coordinates.hpp"

namespace gridiron {

/// A fill-reducing ordering by nested dissection (George, SIAM J. Numer. Anal. 10, 1973) with straight cuts between
/// places instead of a graph partitioner: the unknown at each position. Cuts go where few nodes of one side are coupled
/// to the other; these are the separator, which follows both sides. Rows of very many entries (nodes of a package, say)
/// follow all others. Parts of some hundred unknowns, parts at one place and parts that no cut divides well are ordered
/// by minimum degree, so that places that have nothing to do with the couplings give that ordering.
///
/// Any pattern that is symmetric, and any finite places, one per row. O(n log n) time; 36 bytes per unknown in the
/// plane and 54 in space beside the places, the result included; the same permutation for any number of threads.
/// Errors: ResourceError.
std::vector<std::int32_t> dissect(const CsrMatrix& a, const Coordinates& places);

/// The same, or none, in less time, where no cut divides a part well that has more than the given share of the
/// unknowns.
std::optional<std::vector<std::int32_t>> dissect_well(const CsrMatrix& a, const Coordinates& places,
                                                      double largest_undivided);

}  // namespace gridiron
