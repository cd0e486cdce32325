// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// Puts `nodes` into an order of approximate minimum degree. What they are coupled to outside of `nodes` counts in
/// their degrees, as it will be eliminated later: without it, nodes at the rim would seem cheap and go first.
/// Deterministic. `local` is scratch, one entry per row of the matrix, −1 or, for rows that are to be overlooked,
/// kLeftOut; calls at the same time may share it if their nodes differ.
///
/// CAMD: Chen, Davis, Hager, Rajamanickam, "Algorithm 887", ACM TOMS 35, 2008. Errors: ResourceError.
constexpr int32_t kLeftOut = -2;
void order_by_minimum_degree(const CsrMatrix& a, std::span<int32_t> nodes, std::span<int32_t> local);

}  // namespace gridiron
