// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/direct/coordinates.hpp"

namespace gridiron {

/// A nested dissection with some dozens of its parts.
struct Dissected {
  /// Positions first … last − 1.
  struct Part {
    int64_t first = 0, last = 0;
  };

  std::vector<int32_t> order;  ///< the unknown at each position
  std::vector<Part> parts;     ///< ascending, none empty; not coupled to each other, but to positions behind them
};

/// A fill-reducing ordering by nested dissection (George, SIAM J. Numer. Anal. 10, 1973) with straight cuts between
/// places instead of a graph partitioner. Cuts go where few nodes of one side are coupled
/// to the other; these are the separator, which follows both sides. Rows of very many entries (nodes of a package, say)
/// follow all others. Parts of some hundred unknowns, parts at one place and parts that no cut divides well are ordered
/// by minimum degree, so that places that have nothing to do with the couplings give that ordering.
///
/// Any pattern that is symmetric, and any finite places, one per row. O(n log n) time; 36 bytes per unknown in the
/// plane and 54 in space beside the places, the result included; the same permutation for any number of threads.
/// None, in less time, where no cut divides a part well that has more than the given share of the unknowns. Errors:
/// ResourceError.
std::optional<Dissected> dissect_well(const CsrMatrix& a, const Coordinates& places, double largest_undivided);

/// A nested dissection as a complete binary tree of `levels` levels.
struct PartitionTree {
  int levels = 0;
  std::vector<int32_t> order;  ///< the unknown at each position
  std::vector<int32_t> sizes;  ///< 2^levels − 1: how many unknowns each vertex has; they follow each other in order
};

/// The ordering of dissect_well() with the tree of its first cuts, level by level, as METIS_NodeNDP gives them and
/// direct solvers that take a tree want them: all leaves from left to right, the separators between them, those between
/// these, and the root last. A part that is divided no further is the leftmost leaf below it. `levels` is from 1 to 16.
std::optional<PartitionTree> dissect_into_tree(const CsrMatrix& a, const Coordinates& places, int levels,
                                               double largest_undivided);

}  // namespace gridiron
