// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

enum class Interpolation {
  plain,     ///< 1 on every aggregate, as of aggamg
  smoothed,  ///< columns of length one after a damped Jacobi step, as of CUSP
};

struct MatrixSize {
  int64_t unknowns = 0, nonzeros = 0;
};

/// The matrices of an aggregation hierarchy down to `coarsest` unknowns, the given one first, with the aggregates of
/// GAMPACK (Gandham, Esler, Zhang 2014, section 2.1): strong couplings by eq. (3), a maximal independent set at
/// distance two, nearest roots. On the host, row by row, to be compared with; `a` is symmetric.
std::vector<MatrixSize> aggregation_sizes(CsrMatrix a, double strength, int64_t coarsest, Interpolation interpolation);

}  // namespace gridiron
