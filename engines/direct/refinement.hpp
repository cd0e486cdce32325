// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "engines/engine.hpp"

namespace gridiron {

/// X = A⁻¹ B to the accuracy of a factorization in fp64; n × k blocks that do not overlap.
using ApplyInverse = std::function<void(Block<const double> b, Block<double> x)>;

/// Solves A X = B directly, then adds A⁻¹ (B − A X) to the columns for which `stop` does not hold yet, until a step no
/// longer halves their residual or a few steps have been taken; does neither where absolute_max is infinite. Residuals
/// are accumulated in long double (Higham, Accuracy and Stability of Numerical Algorithms, ch. 12). A direct solve
/// ignores what `x` holds on entry. `residual` is scratch for B − A X that the caller keeps between calls: touching
/// fresh pages would cost as much as the solve. With `row_sums` the diagonal of A is what these and the couplings make
/// it, without rounding.
SolveStats solve_and_refine(const CsrMatrix& a, Block<const double> b, Block<double> x, const StopRule& stop,
                            const ApplyInverse& apply_inverse, std::vector<double>& residual,
                            std::span<const double> row_sums = {});

/// A pivot this small relative to the diagonal (or largest) entry of its column is rounding noise: the matrix is
/// singular as far as fp64 can tell.
inline constexpr double kNegligiblePivot = 8 * std::numeric_limits<double>::epsilon();

}  // namespace gridiron
