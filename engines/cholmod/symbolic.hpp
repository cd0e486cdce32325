// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cholmod.h>

#include "engines/direct/dissection.hpp"

namespace gridiron {

/// The pattern of the factor of a matrix in a given order, as cholmod_analyze_p() finds it on one thread: supernodal or
/// simplicial by `common.supernodal` and its switch, and for the former the order of a postorder of the elimination
/// tree, which has the same fill. Columns are eliminated symbolically, supernode by supernode (Liu, Ng, Peyton, "On
/// finding supernodes for sparse matrix computations", SIAM J. Matrix Anal. Appl. 14, 1993); parts of the dissection at
/// the same time. Small supernodes are merged with their parents where few zeros are stored for it (Ashcraft, Grimes,
/// ACM TOMS 15, 1989). The same factor for any number of threads.
///
/// Nonzeros and operations are in common.lnz and common.fl. Null if CHOLMOD ran out of memory (common.status says so).
/// Errors: std::bad_alloc.
cholmod_factor* analyze_dissected(const CsrMatrix& a, const Dissected& dissected, cholmod_common& common);

}  // namespace gridiron
