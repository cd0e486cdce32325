// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

/// The sum of every row of an M-matrix, none of them negative: on a power grid the pads, which the rounding of a
/// diagonal may be larger than. Empty for other matrices.
std::vector<double> row_sums_of(const Problem& problem);

/// Whether the matrix of a power grid has lost a pad in the rounding of the diagonal beside it.
bool hides_a_pad(const Problem& problem);

}  // namespace gridiron
