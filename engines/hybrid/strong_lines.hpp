// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

/// Disjoint paths through the graph of a matrix along its strongest couplings: straps of a power grid, stacks of vias,
/// or both in turn, whatever holds best. An unknown that no path wants is a line of its own.
struct StrongLines {
  std::vector<std::int32_t> order;  ///< the unknowns, line after line
  std::vector<std::int64_t> begin;  ///< lines + 1: where each line begins in `order`

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

/// Each unknown proposes to the (at most two) neighbours it is coupled to most strongly, by a_ij² / (a_ii a_jj). What
/// is mutual, closes no ring and makes no path of more than `longest` unknowns becomes part of a path; those with a
/// free end propose again, a few rounds. Linear time; the same on any number of threads.
StrongLines find_strong_lines(const CsrMatrix& a, int longest);

}  // namespace gridiron
