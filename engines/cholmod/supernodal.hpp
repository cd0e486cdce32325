// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cholmod.h>

#include <span>

#include "engines/cholmod/supernodal_tree.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// Of a factorization. Doubtful ones have but five digits left or fewer.
enum class Pivots { good, doubtful, missing };

/// Pivots this small relative to the diagonal entry are doubtful.
inline constexpr double kDoubtfulPivot = 1e-11;

/// The supernodal factor L of A = L Lᵀ, left-looking (Chen, Davis, Hager, Rajamanickam, "Algorithm 887", ACM TOMS 35,
/// 2008), in the storage of CHOLMOD, whose own numeric factorization works on one thread at a time. Here subtrees of
/// the elimination tree are factored at the same time, and what remains above them level by level and by ranges of
/// columns, in an order that depends on the tree alone: the same bits for any number of threads.
///
/// `factor`, whose tree is given, was analysed for the pattern of `a` and may hold the values of another matrix. Pivots
/// are missing if CHOLMOD ran out of memory (common.status says so) or one is not positive or negligible beside its
/// diagonal entry (status CHOLMOD_NOT_POSDEF, and the column in factor.minor). Errors: std::bad_alloc.
///
/// With the row sums of an M-matrix, none of them negative, the diagonal of `a` is not read, and no pivot is a
/// difference: it is the sum of what is left of its row sum and of the couplings, so that all of L has relative errors
/// of rounding, however weak the ties of a part (A. S. Alfa, J. Xue, Q. Ye, Math. Comp. 71, 2002). That takes longer,
/// as no column is eliminated by BLAS.
Pivots factorize_supernodal(const CsrMatrix& a, const SupernodalTree& tree, cholmod_factor& factor,
                            cholmod_common& common, std::span<const double> row_sums = {});

}  // namespace gridiron
