// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/direct/refinement.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// By how much a solution by these factors misses, relative to the size of each unknown: the largest error for
/// `columns` right-hand sides A x with x known, whose entries are random, of a size that brings entries of A near one.
/// A step of refinement divides errors by about that.
///
/// Where A is singular it is 1, give or take a small factor, however large the rounding errors of the factors were:
/// they are all that makes the factors nonsingular, and they shift an answer along the null space by
/// (uᵀ E x) / (uᵀ E v). That it is below t by chance has a probability of some t per column.
double probe_error(const CsrMatrix& a, int64_t columns, const ApplyInverse& apply_inverse);

/// x += A⁻¹ (b − A x), with residuals in long double. Returns the largest change of an unknown relative to the largest
/// unknown of its column.
double refine_once(const CsrMatrix& a, Block<const double> b, Block<double> x, const ApplyInverse& apply_inverse);

}  // namespace gridiron
