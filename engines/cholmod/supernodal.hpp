// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cholmod.h>

#include "engines/cholmod/supernodal_tree.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// The supernodal factor L of A = L Lᵀ, left-looking (Chen, Davis, Hager, Rajamanickam, "Algorithm 887", ACM TOMS 35,
/// 2008), in the storage of CHOLMOD, whose own numeric factorization works on one thread at a time. Here subtrees of
/// the elimination tree are factored at the same time, and what remains above them level by level and by ranges of
/// columns, in an order that depends on the tree alone: the same bits for any number of threads.
///
/// `factor`, whose tree is given, was analysed for the pattern of `a` and may hold the values of another matrix. False
/// if CHOLMOD ran out of memory (common.status says so) or a pivot is not positive or negligible beside its diagonal
/// entry (status CHOLMOD_NOT_POSDEF, and the column in factor.minor). Errors: std::bad_alloc.
bool factorize_supernodal(const CsrMatrix& a, const SupernodalTree& tree, cholmod_factor& factor,
                          cholmod_common& common);

}  // namespace gridiron
